// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/programs/input_generator.h"
#include "core/programs/reference_programs.h"

using namespace isobit;

namespace {

class TestProjectionPrograms : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { m_programs = referencePrograms(**sm90Silicon()); }

    void shapesThatDoNotShareKAreRefused() {
        const Tensor a(DType::Bf16, {2, 8});
        const Tensor b(DType::Bf16, {9, 3});
        QCOMPARE(problem("reference:gemm.bf16", {"gemm", {{"a", a.view()}, {"b", b.view()}}, {}}),
                 "gemm: \"a\" [2, 8] and \"b\" [9, 3] do not share K");
    }

    void anotherElementTypeIsRefused() {
        const Tensor a(DType::Fp16, {2, 8});
        const Tensor b(DType::Bf16, {8, 3});
        QCOMPARE(problem("reference:gemm.bf16", {"gemm", {{"a", a.view()}, {"b", b.view()}}, {}}),
                 "gemm: input \"a\" is float16, expected bfloat16");
    }

    void aBiasOfAnotherLengthIsRefused() {
        const Tensor a(DType::Bf16, {2, 8});
        const Tensor b(DType::Bf16, {8, 3});
        const Tensor bias(DType::Bf16, {4});
        QCOMPARE(
            problem("reference:gemm.bf16", {"gemm", {{"a", a.view()}, {"b", b.view()}, {"bias", bias.view()}}, {}}),
            "gemm: input \"bias\" has shape [4], expected [3], contiguous");
    }

    void anOutputTooLargeForAnyMachineIsRefusedBeforeItIsMade() {
        const Tensor one(DType::Bf16, {1});
        TensorView a{DType::Bf16, {std::int64_t(1) << 33, 1}, {0, 1}, one.view().data};
        TensorView b{DType::Bf16, {1, 64}, {64, 0}, one.view().data};
        QCOMPARE(problem("reference:gemm.bf16", {"gemm", {{"a", a}, {"b", b}}, {}}),
                 "gemm: output \"out\" of shape [8589934592, 64] has more than 2^31 elements");
    }

    void noRowsGiveNoWords() {
        const Tensor a(DType::Bf16, {0, 8});
        const Tensor b(DType::Bf16, {8, 3});
        const auto outputs = run("reference:gemm.bf16", {"gemm", {{"a", a.view()}, {"b", b.view()}}, {}});
        QCOMPARE(outputs->at(0).tensor.shape(), (Shape{0, 3}));
    }

    void everyProductOfABatchIsThatOfItsOwnMatrices_data() {
        QTest::addColumn<QString>("arithmetic");
        QTest::newRow("bf16") << "gemm.bf16";
        QTest::newRow("fp32") << "gemm.fp32";
    }
    void everyProductOfABatchIsThatOfItsOwnMatrices() {
        QFETCH(QString, arithmetic);
        const std::string name = arithmetic.toStdString();
        const std::string generator = name == "gemm.bf16" ? "bf16" : "fp32";
        const auto a = generateInput({.generator = generator, .shape = {3, 5, 40}, .seed = 1});
        const auto b = generateInput({.generator = generator, .shape = {3, 40, 7}, .seed = 2});
        const auto all = run("reference:bmm." + name, {"bmm", {{"a", a->view()}, {"b", b->view()}}, {}});
        QVERIFY(all);
        QCOMPARE(all->at(0).tensor.shape(), (Shape{3, 5, 7}));
        const auto one = [](const TensorView& stack, std::int64_t index) {
            return TensorView{stack.dtype,
                              {stack.shape[1], stack.shape[2]},
                              {stack.strides[1], stack.strides[2]},
                              stack.data + index * stack.strides[0] * std::int64_t(bytesOf(stack.dtype))};
        };
        const auto words = std::as_const(all->at(0).tensor).bytes();
        for (std::int64_t i = 0; i < 3; ++i) {
            const auto alone =
                run("reference:" + name, {"gemm", {{"a", one(a->view(), i)}, {"b", one(b->view(), i)}}, {}});
            QVERIFY(alone);
            const auto expected = std::as_const(alone->at(0).tensor).bytes();
            QVERIFY(std::ranges::equal(words.subspan(std::size_t(i) * expected.size(), expected.size()), expected));
        }
    }

    void batchesThatDoNotFitAreRefused() {
        const Tensor a(DType::Bf16, {2, 4, 8});
        const Tensor b(DType::Bf16, {3, 8, 5});
        const Tensor matrix(DType::Bf16, {8, 5});
        const Tensor bias(DType::Bf16, {5});
        const char* const program = "reference:bmm.gemm.bf16";
        QCOMPARE(problem(program, {"bmm", {{"a", a.view()}, {"b", b.view()}}, {}}),
                 "bmm: \"a\" [2, 4, 8] and \"b\" [3, 8, 5] do not share batches and K");
        QVERIFY(problem(program, {"bmm", {{"a", a.view()}, {"b", matrix.view()}}, {}}).find("\"b\"") !=
                std::string::npos);
        const Tensor two(DType::Bf16, {2, 8, 5});
        QCOMPARE(problem(program, {"bmm", {{"a", a.view()}, {"b", two.view()}, {"bias", bias.view()}}, {}}),
                 "bmm: a bias is not part of the operation");
    }

    void idsOutsideTheVocabularyAreRefused_data() {
        QTest::addColumn<qint64>("id");
        QTest::newRow("negative") << qint64(-1);
        QTest::newRow("the vocabulary itself") << qint64(300);
        QTest::newRow("in the padded tail of the last tile") << qint64(400);
    }
    void idsOutsideTheVocabularyAreRefused() {
        QFETCH(qint64, id);
        Head head;
        head.ids.as<std::int64_t>()[1] = id;
        QCOMPARE(problem("reference:head.v2", head.call()),
                 fmt::format("lm_head: id {} of row 1 is outside the vocabulary of 300", id));
    }

    // A golden file's text is a choice, and would be passed over as one.
    void aTemperatureThatIsNoNumberIsRefused() {
        const Tensor hidden(DType::Bf16, {1, 8}), weight(DType::Bf16, {3, 8});
        OperationCall call{"lm_head", {{"h", hidden.view()}, {"W", weight.view()}}, {}};
        call.choices["temperature"] = "warm";
        QCOMPARE(problem("reference:head.v2", call), "lm_head: temperature is \"warm\", expected a number above zero");
    }

    void temperaturesMustBeAboveZero_data() {
        QTest::addColumn<double>("temperature");
        QTest::addColumn<QString>("text");
        QTest::newRow("zero") << 0.0 << "0";
        QTest::newRow("negative") << -1.0 << "-1";
        QTest::newRow("NaN") << std::numeric_limits<double>::quiet_NaN() << "nan";
    }
    void temperaturesMustBeAboveZero() {
        QFETCH(double, temperature);
        QFETCH(QString, text);
        Head head;
        OperationCall call = head.call();
        call.parameters["temperature"] = temperature;
        QCOMPARE(problem("reference:head.v2", call),
                 fmt::format("lm_head: temperature {} of row 0 is not above zero", text.toStdString()));
    }

    void theTokenIsSelectedFromTheLogitsThatAreKept() {
        Head head;
        OperationCall call = head.call();
        call.parameters["keep_logits"] = 1;
        const auto outputs = run("reference:head.v1", call);
        QCOMPARE(outputs->size(), std::size_t(4));
        QCOMPARE(outputs->at(0).name, "logits");
        for (int row = 0; row < 3; ++row)
            QCOMPARE(outputs->at(3).tensor.as<float>()[row], outputs->at(0).tensor.as<float>()[row * 300 + 7]);
    }

    void everyRowAloneGivesTheWordsOfTheBatch_data() {
        QTest::addColumn<QString>("program");
        for (const auto& program : m_programs)
            if (program->operation() == "lm_head")
                QTest::newRow(program->name().data()) << QString(program->name().data());
    }
    void everyRowAloneGivesTheWordsOfTheBatch() {
        QFETCH(QString, program);
        Head head;
        const auto together = run(program.toStdString(), head.call());
        for (std::int64_t row = 0; row < 3; ++row) {
            OperationCall call = head.call();
            TensorView& h = call.inputs.at("h");
            h.shape[0] = call.inputs.at("ids").shape[0] = 1;
            h.data += row * 40 * 2;
            call.inputs.at("ids").data += row * 8;
            const auto alone = run(program.toStdString(), call);
            for (std::size_t i = 0; i < together->size(); ++i)
                QCOMPARE(alone->at(i).tensor.as<std::uint32_t>()[0], together->at(i).tensor.as<std::uint32_t>()[row]);
        }
    }

    void anOddRowHasNoGateAndUp() {
        const Tensor x(DType::Bf16, {2, 7});
        QCOMPARE(problem("reference:silu_mul.fused", {"silu_mul", {{"x", x.view()}}, {}}),
                 "silu_mul: input \"x\" has rows of 7 elements, expected gate and up of one length");
    }

    void factorsOfAnotherRankAreRefused() {
        const Tensor weight(DType::Bf16, {6, 5});
        const Tensor a(DType::Fp32, {4, 5});
        const Tensor b(DType::Fp32, {6, 3});
        QCOMPARE(problem("reference:lora.fold",
                         {"lora_fold", {{"W", weight.view()}, {"A", a.view()}, {"B", b.view()}}, {{"scaling", 0.5}}}),
                 "lora_fold: input \"A\" has shape [4, 5], expected [3, 5], contiguous");
    }

private:
    struct Head {
        Tensor hidden =
            *generateInput({.generator = "bf16", .shape = {3, 40}, .seed = 41, .exponentLo = 119, .exponentHi = 127});
        Tensor weight =
            *generateInput({.generator = "bf16", .shape = {300, 40}, .seed = 42, .exponentLo = 119, .exponentHi = 124});
        Tensor ids = Tensor(DType::I64, {3});
        Head() {
            for (int row = 0; row < 3; ++row) ids.as<std::int64_t>()[row] = 7;
        }
        [[nodiscard]] OperationCall call() const {
            return {"lm_head", {{"h", hidden.view()}, {"W", weight.view()}, {"ids", ids.view()}}, {}};
        }
    };

    [[nodiscard]] Result<std::vector<NamedTensor>> run(std::string_view program, const OperationCall& call) const {
        return findProgram(m_programs, program)->run(call, {});
    }
    [[nodiscard]] std::string problem(std::string_view program, const OperationCall& call) const {
        const auto outputs = run(program, call);
        return outputs ? "" : outputs.error().message;
    }

    ProgramList m_programs;
};

}  // namespace

QTEST_APPLESS_MAIN(TestProjectionPrograms)
#include "test_projection_programs.moc"
