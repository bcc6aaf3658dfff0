// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/arithmetic/rope_table.h"
#include "core/programs/input_generator.h"
#include "core/programs/reference_programs.h"

using namespace isobit;

namespace {

Tensor made(const char* generator, Shape shape, std::uint64_t seed, int lo = 118, int hi = 126) {
    return *generateInput({.generator = generator,
                           .shape = std::move(shape),
                           .seed = seed,
                           .exponentLo = lo,
                           .exponentHi = hi,
                           .modulus = 100});
}

bool sameWords(const Tensor& a, const Tensor& b) {
    return a.shape() == b.shape() && std::ranges::equal(a.bytes(), b.bytes());
}

class TestRopeProgram : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { m_programs = referencePrograms(**sm90Silicon()); }

    void theCallNamesThePairing() {
        OperationCall call = callOf();
        call.choices["pairing"] = "interleaved";
        const auto byName = run("rope.class_b", call);
        call.choices.clear();
        const auto otherwise = run("rope.class_b", call);
        call.parameters["pairing"] = 2;
        const auto byNumber = run("rope.class_b", call);
        QVERIFY(sameWords(byName->at(0).tensor, byNumber->at(0).tensor));
        QVERIFY(!sameWords(byName->at(0).tensor, otherwise->at(0).tensor));
        call.parameters["pairing"] = 3;
        QCOMPARE(problem("rope.class_b", call), "rope: pairing 3 is neither 1 (half-split) nor 2 (interleaved)");
    }

    void aBf16TableIsRefusedBeforeAnythingElse() {
        OperationCall call = callOf();
        const Tensor rounded = made("bf16", {5, 4}, 12);
        call.inputs["cos"] = call.inputs["sin"] = rounded.view();
        call.inputs.erase("x");  // even so the table is what is named
        QCOMPARE(problem("rope.class_b", call),
                 "rope: cos is bfloat16 and sin is bfloat16, but Class B needs both in float32: a mixed-precision "
                 "wrapper probably downcast them");
        call.inputs["sin"] = m_sine.view();
        QCOMPARE(problem("rope.class_b.adjoint", call),
                 "rope: cos is bfloat16 and sin is float32, but Class B needs both in float32: a mixed-precision "
                 "wrapper probably downcast them");
    }

    void classATakesATableThatIsRoundedAlready() {
        OperationCall call = callOf();
        const Tensor rounded = made("bf16", {5, 4}, 12);
        call.inputs["cos"] = rounded.view();
        QVERIFY(run("rope.class_a", call));
    }

    void aDoubledTableIsHalved() {
        const auto halved = run("rope.class_b", callOf());
        Tensor cosine(DType::Fp32, {5, 8}), sine(DType::Fp32, {5, 8});
        for (int row = 0; row < 5; ++row)
            for (int i = 0; i < 8; ++i) {
                cosine.as<float>()[row * 8 + i] = m_cosine.as<float>()[row * 4 + i % 4];
                sine.as<float>()[row * 8 + i] = m_sine.as<float>()[row * 4 + i % 4];
            }
        OperationCall call = callOf();
        call.inputs["cos"] = cosine.view();
        call.inputs["sin"] = sine.view();
        call.choices["layout"] = "doubled";
        QVERIFY(sameWords(run("rope.class_b", call)->at(0).tensor, halved->at(0).tensor));
        sine.as<float>()[3 * 8 + 5] += 1.0f;
        QCOMPARE(problem("rope.class_b", call), "rope: input \"sin\" is doubled, but the halves of row 3 differ");
    }

    void packedTokensAreReadWhereTheyLie() {
        const auto contiguous = run("rope.class_a", callOf());
        Tensor packed(DType::Bf16, {5, 60});
        for (int token = 0; token < 5; ++token)
            std::copy_n(m_x.as<std::uint16_t>() + token * 30, 30, packed.as<std::uint16_t>() + token * 60 + 7);
        OperationCall call = callOf();
        call.inputs["x"] = {DType::Bf16, {5, 3, 10}, {60, 10, 1}, packed.view().data + 14};
        QVERIFY(sameWords(run("rope.class_a", call)->at(0).tensor, contiguous->at(0).tensor));
    }

    void rowsMayHaveAnyPositions() {
        const Tensor frequencies = made("fp32", {4}, 20, 110, 126);
        Tensor positions(DType::I64, {5});
        const std::int64_t values[] = {7, 0, 4095, 7, 131071};
        std::ranges::copy(values, positions.as<std::int64_t>());
        OperationCall call{
            "rope", {{"x", m_x.view()}, {"inv_freq", frequencies.view()}, {"positions", positions.view()}}, {}};
        const auto out = run("rope.class_b", call);
        Tensor cosine(DType::Fp32, {5, 4}), sine(DType::Fp32, {5, 4});
        for (int row = 0; row < 5; ++row)
            fillRopeRow(TableBuilder::Device, {frequencies.as<float>(), 4}, 1.0f, static_cast<float>(values[row]),
                        cosine.as<float>() + row * 4, sine.as<float>() + row * 4);
        OperationCall given{"rope", {{"x", m_x.view()}, {"cos", cosine.view()}, {"sin", sine.view()}}, {}};
        QVERIFY(sameWords(out->at(0).tensor, run("rope.class_b", given)->at(0).tensor));
        const auto alone = findProgram(m_programs, "reference:rope.class_b")->runRowsAlone(call, {});
        QVERIFY(sameWords(out->at(0).tensor, alone->at(0).tensor));
        positions.as<std::int64_t>()[1] = -1;
        QCOMPARE(problem("rope.class_b", call), "rope: position -1 of token 1, expected 0 to 16777216");
    }

    void whatDoesNotFitIsRefused_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("columns");
        QTest::addColumn<QString>("text");
        QTest::newRow("wider than the head")
            << "both" << 5 << 6 << "rope: the table rotates 12 elements of a head of 10";
        QTest::newRow("no frequency") << "both" << 5 << 0 << "rope: the table rotates 0 elements of a head of 10";
        QTest::newRow("sine of another width") << "sin" << 5 << 3 << "rope: \"cos\" has 4 frequencies and \"sin\" 3";
        QTest::newRow("rows missing") << "both" << 4 << 4
                                      << "rope: input \"cos\" has shape [4, 4], expected [5, any], contiguous";
    }
    void whatDoesNotFitIsRefused() {
        QFETCH(QString, name);
        QFETCH(int, rows);
        QFETCH(int, columns);
        QFETCH(QString, text);
        const Tensor table(DType::Fp32, {rows, columns});
        OperationCall call = callOf();
        if (name == "both") call.inputs["cos"] = table.view();
        call.inputs["sin"] = table.view();
        QCOMPARE(QString::fromStdString(problem("rope.class_a", call)), text);
    }

private:
    [[nodiscard]] OperationCall callOf() const {
        return {"rope", {{"x", m_x.view()}, {"cos", m_cosine.view()}, {"sin", m_sine.view()}}, {}};
    }
    [[nodiscard]] Result<std::vector<NamedTensor>> run(const std::string& arithmetic, const OperationCall& call) const {
        return findProgram(m_programs, "reference:" + arithmetic)->run(call, {});
    }
    [[nodiscard]] std::string problem(const std::string& arithmetic, const OperationCall& call) const {
        const auto outputs = run(arithmetic, call);
        return outputs ? "" : outputs.error().message;
    }

    Tensor m_x = made("bf16", {5, 3, 10}, 10);
    Tensor m_cosine = made("fp32", {5, 4}, 11);
    Tensor m_sine = made("fp32", {5, 4}, 13);
    ProgramList m_programs;
};

}  // namespace

QTEST_APPLESS_MAIN(TestRopeProgram)
#include "test_rope_program.moc"
