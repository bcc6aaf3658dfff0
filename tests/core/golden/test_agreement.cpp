// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <set>

#include "core/golden/agreement.h"
#include "core/golden/random_calls.h"
#include "core/programs/reference_programs.h"

using namespace isobit;

namespace {

// The wrapped program, but for one bit of the last word of the first output of every call.
class FlippedProgram final : public Program {
public:
    explicit FlippedProgram(const Program& program) : m_program(program) {}
    [[nodiscard]] std::string_view name() const override { return "test:flipped"; }
    [[nodiscard]] std::string_view operation() const override { return m_program.operation(); }
    [[nodiscard]] std::string_view arithmetic() const override { return m_program.arithmetic(); }
    [[nodiscard]] std::string_view engine() const override { return "test"; }
    [[nodiscard]] int version() const override { return 1; }
    [[nodiscard]] Result<std::vector<NamedTensor>> run(const OperationCall& call,
                                                       const RunOptions& options) const override {
        auto outputs = m_program.run(call, options);
        if (outputs) outputs->front().tensor.bytes().back() ^= std::byte{1};
        return outputs;
    }

private:
    const Program& m_program;
};

class TestAgreement : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { m_references = referencePrograms(**sm90Silicon()); }

    void aDrawIsAFunctionOfItsSeedAndNumber_data() {
        QTest::addColumn<QString>("operation");
        for (const std::string_view operation : randomOperations()) QTest::newRow(operation.data()) << operation.data();
    }
    void aDrawIsAFunctionOfItsSeedAndNumber() {
        QFETCH(QString, operation);
        const std::string name = operation.toStdString();
        std::set<std::string> texts;
        for (std::uint64_t index = 0; index < 20; ++index) {
            const auto once = drawCall(name, 7, index);
            const auto again = drawCall(name, 7, index);
            QVERIFY(once && again);
            QCOMPARE(once->text, again->text);
            for (std::size_t i = 0; i < once->tensors.size(); ++i)
                QVERIFY(std::ranges::equal(std::as_const(once->tensors[i].tensor).bytes(),
                                           std::as_const(again->tensors[i].tensor).bytes()));
            texts.insert(once->text);
        }
        QVERIFY(texts.size() > 15);
        QVERIFY(drawCall(name, 8, 0)->text != drawCall(name, 7, 0)->text);
    }

    void everyDrawnCallRuns() {
        for (const std::string_view operation : randomOperations())
            for (std::uint64_t index = 0; index < 3; ++index) {
                const auto drawn = drawCall(operation, 3, index);
                for (const auto& program : m_references)
                    if (program->operation() == operation &&
                        program->arithmetic().find("fp") == std::string_view::npos) {
                        const auto outputs = program->run(drawn->call, {});
                        QVERIFY2(outputs, outputs ? "" : outputs.error().message.c_str());
                        break;
                    }
            }
    }

    void twoProgramsOfOneArithmeticAgree() {
        ProgramList fused;
        for (auto& program : referencePrograms(**sm90Silicon()))
            if (program->name() == "reference:norm.v2.materialised") fused.push_back(std::move(program));
        const auto agreements = measureAgreement(fused, m_references, {.operation = "rms_norm", .calls = 4});
        QVERIFY(agreements);
        QCOMPARE(agreements->size(), std::size_t(1));
        QCOMPARE(agreements->at(0).model, "reference:norm.v2");
        QCOMPARE(agreements->at(0).calls, std::uint64_t(4));
        QVERIFY(agreements->at(0).words > 0);
        QCOMPARE(agreements->at(0).differing, std::uint64_t(0));
        QCOMPARE(agreements->at(0).failures, std::uint64_t(0));
    }

    void oneFlippedBitIsCountedAndItsCallNamed() {
        ProgramList flipped;
        flipped.push_back(std::make_unique<FlippedProgram>(*findProgram(m_references, "reference:gemm.bf16")));
        const auto agreements = measureAgreement(flipped, m_references, {.operation = "gemm", .calls = 3});
        QVERIFY(agreements);
        QCOMPARE(agreements->at(0).differing, std::uint64_t(3));
        QVERIFY(agreements->at(0).firstProblem.starts_with("call 0 (a ["));
        QVERIFY(agreements->at(0).firstProblem.ends_with("1 words of \"out\" differ"));
    }

    void anOperationWithoutDrawsIsRefused() {
        QCOMPARE(measureAgreement(m_references, m_references, {.operation = "mean"}).error().message,
                 "no calls can be drawn for operation \"mean\"; for attention, bmm, gemm, lm_head, lora_fold, "
                 "rms_norm, rope, silu_mul they "
                 "can");
    }

    void whyNothingCanBeComparedIsSaid() {
        const auto sentence = [&](const ProgramList& programs, const char* filter) {
            AgreementOptions options{.operation = "gemm"};
            options.filter = filter;
            const auto measured = measureAgreement(programs, programs, options);
            return measured ? std::string("measured") : measured.error().message;
        };
        QCOMPARE(sentence({}, ""), std::string("no program of this engine runs operation \"gemm\""));
        QVERIFY(sentence(m_references, "no such name").ends_with("has a name that --program finds"));
        ProgramList lonely;
        lonely.push_back(std::make_unique<FlippedProgram>(*findProgram(m_references, "reference:gemm.bf16")));
        QVERIFY(sentence(lonely, "").starts_with("none of 1 programs for operation \"gemm\" has another program"));
    }

private:
    ProgramList m_references;
};

}  // namespace

QTEST_APPLESS_MAIN(TestAgreement)
#include "test_agreement.moc"
