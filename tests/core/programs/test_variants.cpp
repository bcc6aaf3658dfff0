// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/programs/input_generator.h"
#include "core/programs/reference_programs.h"

using namespace isobit;

namespace {

// Public case P002: "RMSNorm is batch-invariant" is a claim about one kernel; the same heuristic lived on in its
// siblings. Every program is judged by its own name, alone against in company, over the edge of 256 rows.
class TestVariants : public QObject {
    Q_OBJECT
private slots:
    void aPassOfOneVariantSaysNothingOfTheOthers_data() {
        QTest::addColumn<QString>("program");
        QTest::addColumn<bool>("invariant");
        QTest::newRow("fused add, pinned") << "reference:norm.v2" << true;
        QTest::newRow("plain, pinned") << "reference:norm.v2.materialised" << true;
        QTest::newRow("fused add, heuristic") << "reference:norm.block_reduce" << false;
        QTest::newRow("plain, heuristic") << "reference:norm.block_reduce.materialised" << false;
    }
    void aPassOfOneVariantSaysNothingOfTheOthers() {
        QFETCH(QString, program);
        QFETCH(bool, invariant);
        const auto input = [](std::uint64_t seed, Shape shape, int lo, int hi) {
            return *generateInput(
                {.generator = "bf16", .shape = std::move(shape), .seed = seed, .exponentLo = lo, .exponentHi = hi});
        };
        // One row in about 800 shows the change of thread count at this width.
        const Tensor x = input(1, {4096, 2048}, 118, 127);
        const Tensor r = input(2, {4096, 2048}, 118, 127);
        const Tensor w = input(3, {2048}, 126, 128);
        const OperationCall call{"rms_norm", {{"x", x.view()}, {"r", r.view()}, {"w", w.view()}}, {{"epsilon", 1e-6}}};
        const ProgramList programs = referencePrograms(**sm90Silicon());
        const Program* const judged = findProgram(programs, program.toStdString());
        QVERIFY(judged != nullptr);
        const auto together = judged->run(call, {});
        const auto alone = judged->runRowsAlone(call, {});
        QVERIFY(together && alone);
        QCOMPARE(std::ranges::equal(std::as_const(together->at(0).tensor).bytes(),
                                    std::as_const(alone->at(0).tensor).bytes()),
                 invariant);
    }
};

}  // namespace

QTEST_APPLESS_MAIN(TestVariants)
#include "test_variants.moc"
