// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/programs/norm_inputs.h"

using namespace isobit;

// What every engine's norm programs take and refuse.
class TestNormInputs : public QObject {
    Q_OBJECT
private:
    Tensor m_x{DType::Bf16, {3, 8}};
    Tensor m_residual{DType::Bf16, {3, 8}};
    Tensor m_weight{DType::Bf16, {8}};
    Tensor m_headWeight{DType::Fp32, {4}};

    OperationCall norm() { return {"rms_norm", {{"x", m_x.view()}, {"w", m_weight.view()}}, {{"epsilon", 1e-6}}}; }
    OperationCall qkNorm() {
        return {"qk_norm", {{"x", m_x.view()}, {"w", m_headWeight.view()}}, {{"epsilon", 1e-6}, {"head_dim", 4}}};
    }
    static QString refusal(const Result<NormInputs>& inputs) {
        return inputs ? QString("nothing was refused") : QString::fromStdString(inputs.error().message);
    }

private slots:
    void aNormIsTakenWithAndWithoutResidual() {
        OperationCall call = norm();
        auto inputs = requireNormInputs(call);
        QVERIFY(inputs);
        QCOMPARE(inputs->columns, 8);
        QCOMPARE(inputs->heads, 1);
        QCOMPARE(normOutputs(*inputs).size(), std::size_t(1));
        call.inputs["r"] = m_residual.view();
        inputs = requireNormInputs(call);
        QVERIFY(inputs && inputs->residual);
        const auto outputs = normOutputs(*inputs);
        QCOMPARE(outputs.size(), std::size_t(2));
        QCOMPARE(outputs[1].name, std::string("residual_out"));
        QVERIFY(outputs[1].tensor.shape() == Shape({3, 8}));
    }

    void headsOfARowAreCounted() {
        const auto inputs = requireQkNormInputs(qkNorm());
        QVERIFY(inputs);
        QCOMPARE(inputs->columns, 4);
        QCOMPARE(inputs->heads, 2);
        QCOMPARE(inputs->widenedWeight.size(), std::size_t(4));
    }

    void whatANormLacksIsNamed() {
        OperationCall call = norm();
        call.inputs.erase("x");
        QVERIFY(refusal(requireNormInputs(call)).contains("input \"x\" is missing"));
        call = norm();
        call.inputs["w"] = m_headWeight.view();
        QVERIFY(refusal(requireNormInputs(call)).contains("input \"w\" has shape [4], expected [8]"));
        call = norm();
        call.parameters.clear();
        QVERIFY(refusal(requireNormInputs(call)).contains("parameter \"epsilon\" is missing"));
        call = norm();
        call.inputs["r"] = m_headWeight.view();
        QVERIFY(refusal(requireNormInputs(call)).contains("input \"r\" is float32, expected bfloat16"));
        Tensor other(DType::Bf16, {2, 8});
        call.inputs["r"] = other.view();
        QVERIFY(refusal(requireNormInputs(call)).contains("has shape [2, 8], expected that of \"x\", [3, 8]"));
    }

    void aHeadThatDoesNotFitTheRowIsRefused() {
        for (const double headDim : {0.0, 3.0, 257.0}) {
            OperationCall call = qkNorm();
            call.parameters["head_dim"] = headDim;
            QVERIFY2(refusal(requireQkNormInputs(call)).contains("does not divide the row of 8 elements"),
                     qPrintable(QString::number(headDim)));
        }
    }
};

QTEST_APPLESS_MAIN(TestNormInputs)
#include "test_norm_inputs.moc"
