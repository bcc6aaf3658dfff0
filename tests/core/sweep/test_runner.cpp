// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <set>

#include "core/base/atomic_file.h"
#include "core/base/sha256.h"
#include "core/sweep/plan.h"
#include "core/sweep/run_file.h"
#include "core/sweep/runner.h"
#include "tests/support/fake_programs.h"
#include "tests/support/sample_run.h"

using namespace isobit;
using namespace isobit::support;

namespace {

/// The sample plan for two programs, H 64 and 96, M 1, 3, 8, and more rows if asked for.
Plan planFor(const Program& trainer, const Program& sampler, std::vector<std::int64_t> rows = {1, 3, 8}) {
    Plan plan = samplePlan();
    plan.axes[1].values = std::move(rows);
    plan.pairing = {"fakes", referenceTo(trainer), referenceTo(sampler)};
    return plan;
}

/// Flips the lowest bit of column 5 in every row from `edge` rows in company on.
FakeProgram::Fault faultFromRows(std::int64_t edge) {
    return [edge](std::int64_t, std::int64_t column, std::int64_t rows) { return column == 5 && rows >= edge ? 1 : 0; };
}

std::string bytesOf(const Run& run) {
    const auto image = runFileImage(run);
    return image ? sha256Hex(*image) : std::string("no image");
}

const CellResult& cellNamed(const Run& run, const char* id) {
    return *std::find_if(run.cells.begin(), run.cells.end(), [id](const CellResult& cell) { return cell.id == id; });
}

}  // namespace

class TestRunner : public QObject {
    Q_OBJECT
private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void aFaithfulPairIsEqualAndBatchInvariantEverywhere() {
        const FakeProgram trainer("fake:a");
        const FakeProgram sampler("fake:b");
        const auto outcome = runSweep(planFor(trainer, sampler), {&trainer, &sampler}, {});
        QVERIFY(outcome.has_value());
        QVERIFY(!outcome->stopped);
        QCOMPARE(countCells(outcome->run, CellStatus::Equal), 6);
        QVERIFY(isBatchInvariant(outcome->run));
        const CellResult& cell = cellNamed(outcome->run, "h96_m8");
        QCOMPARE(cell.outputs.size(), std::size_t(2));
        QCOMPARE(cell.outputs[0].comparison.elements, std::uint64_t(96 * 8));
        QCOMPARE(cell.inputs[1].seed, std::uint64_t(1000 + 10 * 5 + 1));
        const auto r = generateInput({"bf16", {8, 96}, 1051, 118, 127});
        QCOMPARE(cell.inputs[1].sha256, sha256Hex(r->bytes()));
        QCOMPARE(cell.outputs[1].samplerSha256, sha256Hex(r->bytes()));
    }

    void aDifferentWordIsFoundAndPlaced() {
        const FakeProgram trainer("fake:a");
        const FakeProgram sampler("fake:b", [](std::int64_t row, std::int64_t column, std::int64_t) {
            return row == 2 && column == 7 ? 1 : 0;
        });
        const auto outcome = runSweep(planFor(trainer, sampler), {&trainer, &sampler}, {});
        QCOMPARE(countCells(outcome->run, CellStatus::Different), 4);  // M = 1 has no row 2
        const CellResult& cell = cellNamed(outcome->run, "h64_m3");
        QCOMPARE(cell.outputs[0].comparison.different, std::uint64_t(1));
        QCOMPARE(cell.outputs[0].comparison.first->index, std::uint64_t(2 * 64 + 7));
        QVERIFY(cell.outputs[0].trainerSha256 != cell.outputs[0].samplerSha256);
        QCOMPARE(cell.outputs[1].comparison.different, std::uint64_t(0));
        // Row 2 alone is row 0 of its call, where this program has no fault.
        QCOMPARE(cell.samplerInvariance.rowsViolating, 1);
        QCOMPARE(cell.samplerInvariance.firstRow, 2);
        QCOMPARE(cell.samplerInvariance.output, std::string("out"));
        QVERIFY(cell.trainerInvariance.holds);
        QVERIFY(!isBatchInvariant(outcome->run));
    }

    // Public report P009: a product was batch-invariant except where K is a power of two. The widths that hold are named
    // one by one; nothing is claimed of all of them.
    void aWidthThatFollowsTheBatchIsNotHiddenByTheOthers() {
        const FakeProgram trainer("fake:a");
        std::int64_t width = 0;
        FakeProgram sampler("fake:b", [&](std::int64_t, std::int64_t column, std::int64_t rows) {
            return (width & (width - 1)) == 0 && column == 5 && rows >= 3 ? 1 : 0;
        });
        sampler.beforeRun = [&](const OperationCall& call) { width = call.inputs.at("x").shape[1]; };
        const auto outcome = runSweep(planFor(trainer, sampler), {&trainer, &sampler}, {.threads = 1});
        for (const char* id : {"h64_m3", "h64_m8"}) {
            QVERIFY2(!cellNamed(outcome->run, id).samplerInvariance.holds, id);
            QVERIFY2(cellNamed(outcome->run, id).trainerInvariance.holds, id);
        }
        for (const char* id : {"h64_m1", "h96_m1", "h96_m3", "h96_m8"})
            QVERIFY2(cellNamed(outcome->run, id).samplerInvariance.holds, id);
        QVERIFY(!isBatchInvariant(outcome->run));
    }

    void theNumberOfThreadsChangesNoByte() {
        const FakeProgram trainer("fake:a");
        const FakeProgram sampler("fake:b", faultFromRows(3));
        const Plan plan = planFor(trainer, sampler);
        std::set<std::string> files;
        for (const unsigned threads : {1u, 2u, 3u, 4u})
            files.insert(bytesOf(runSweep(plan, {&trainer, &sampler}, {.threads = threads})->run));
        QCOMPARE(files.size(), std::size_t(1));
    }

    void aFailingCellIsVisibleAndTheOthersRun() {
        const FakeProgram trainer("fake:a");
        FakeProgram sampler("fake:b");
        sampler.failsAtRows = 3;
        Plan plan = planFor(trainer, sampler);
        plan.checkBatchInvariance = false;
        const auto outcome = runSweep(plan, {&trainer, &sampler}, {});
        QCOMPARE(countCells(outcome->run, CellStatus::Failed), 2);
        QCOMPARE(countCells(outcome->run, CellStatus::Equal), 4);
        QCOMPARE(cellNamed(outcome->run, "h96_m3").error, std::string("fake:b: no memory on the device for 3 rows"));
        QVERIFY(cellNamed(outcome->run, "h96_m3").outputs.empty());
    }

    void progressIsToldOncePerCellInOrderOfFinishing() {
        const FakeProgram program("fake:a");
        std::vector<std::size_t> counts;
        std::set<std::string> ids;
        SweepOptions options;
        options.threads = 3;
        options.cellFinished = [&](const CellResult& cell, std::size_t finished, std::size_t total) {
            counts.push_back(finished);
            ids.insert(cell.id);
            QCOMPARE(total, std::size_t(6));
        };
        QVERIFY(runSweep(planFor(program, program), {&program, &program}, options).has_value());
        QCOMPARE(counts, (std::vector<std::size_t>{1, 2, 3, 4, 5, 6}));
        QCOMPARE(ids.size(), std::size_t(6));
    }

    void aStopEndsInsideACellAndResumeGivesTheUndisturbedBytes() {
        FakeProgram trainer("fake:a");
        const FakeProgram sampler("fake:b", faultFromRows(3));
        const Plan plan = planFor(trainer, sampler);
        const std::string undisturbed = bytesOf(runSweep(plan, {&trainer, &sampler}, {})->run);

        std::stop_source stop;
        SweepOptions options{.threads = 1, .stop = stop.get_token(), .checkpoint = checkpoint()};
        options.cellFinished = [&](const CellResult&, std::size_t finished, std::size_t) {
            if (finished < 2) return;
            trainer.pauseMs = 60000;  // the third cell would take a minute
            trainer.beforeRun = [&](const OperationCall&) { stop.request_stop(); };
        };
        const auto stopped = runSweep(plan, {&trainer, &sampler}, options);
        QVERIFY(stopped.has_value());
        QVERIFY(stopped->stopped);
        QCOMPARE(countCells(stopped->run, CellStatus::NotRun), 4);

        trainer.pauseMs = 0;
        std::atomic<std::size_t> ran = 0;  // cells run at the same time
        trainer.beforeRun = [&](const OperationCall& call) { ran += call.inputs.at("x").shape[0] > 1 ? 1 : 0; };
        const auto resumed = runSweep(plan, {&trainer, &sampler}, {.checkpoint = checkpoint(), .resume = true});
        QVERIFY(resumed.has_value());
        QCOMPARE(bytesOf(resumed->run), undisturbed);
        QVERIFY(ran < 4);  // the two largest cells came first and were not run again
    }

    void aTornLastLineIsForgottenAndTheBytesAreTheSame() {
        const FakeProgram trainer("fake:a");
        const FakeProgram sampler("fake:b", faultFromRows(3));
        const Plan plan = planFor(trainer, sampler);
        const std::string undisturbed = bytesOf(runSweep(plan, {&trainer, &sampler}, {.checkpoint = checkpoint()})->run);
        const std::string whole = *readTextFile(checkpoint());
        for (std::size_t size = 0; size <= whole.size(); size += 1 + whole.size() / 40) {
            std::ofstream(checkpoint(), std::ios::trunc | std::ios::binary) << whole.substr(0, size);
            const auto resumed = runSweep(plan, {&trainer, &sampler}, {.checkpoint = checkpoint(), .resume = true});
            QVERIFY2(resumed.has_value(), resumed ? "" : resumed.error().message.c_str());
            QCOMPARE(bytesOf(resumed->run), undisturbed);
        }
    }

    void aDamagedLineIsNotBelieved() {
        const FakeProgram trainer("fake:a");
        const FakeProgram sampler("fake:b", faultFromRows(3));
        const Plan plan = planFor(trainer, sampler);
        const std::string undisturbed = bytesOf(runSweep(plan, {&trainer, &sampler}, {.checkpoint = checkpoint()})->run);
        std::string text = *readTextFile(checkpoint());
        const std::string count = "\"sampler_above\":";
        const std::size_t digit = text.find(count) + count.size();
        text[digit] = text[digit] == '7' ? '8' : '7';
        std::ofstream(checkpoint(), std::ios::trunc | std::ios::binary) << text;
        const auto resumed = runSweep(plan, {&trainer, &sampler}, {.checkpoint = checkpoint(), .resume = true});
        QVERIFY(resumed.has_value());
        QCOMPARE(bytesOf(resumed->run), undisturbed);
    }

    void aCheckpointWithoutResumeIsStartedAnew() {
        const FakeProgram program("fake:a");
        std::ofstream(checkpoint()) << "anything\n";
        QVERIFY(runSweep(planFor(program, program), {&program, &program}, {.checkpoint = checkpoint()}).has_value());
        QVERIFY(readTextFile(checkpoint())->find("isobit.partial/1") != std::string::npos);
    }

    void aForeignCheckpointIsRefusedAndKept() {
        const FakeProgram one("fake:a");
        const FakeProgram two("fake:a", {}, 2);  // its version is a part of the plan
        QVERIFY(runSweep(planFor(one, one), {&one, &one}, {.checkpoint = checkpoint()}).has_value());
        const std::string before = *readTextFile(checkpoint());
        const auto other = runSweep(planFor(two, two), {&two, &two}, {.checkpoint = checkpoint(), .resume = true});
        QVERIFY(!other);
        QCOMPARE(other.error().message,
                 checkpoint() + ": the checkpoint of another plan; remove it or start without --resume");
        QCOMPARE(*readTextFile(checkpoint()), before);

        std::ofstream(checkpoint(), std::ios::trunc) << "some notes\nof mine\n";
        const auto foreign = runSweep(planFor(one, one), {&one, &one}, {.checkpoint = checkpoint(), .resume = true});
        QCOMPARE(foreign.error().message, checkpoint() + ": no checkpoint of a sweep: line 1 does not fit its digest");
        QCOMPARE(*readTextFile(checkpoint()), std::string("some notes\nof mine\n"));
    }

    void aCheckpointThatCannotBeWrittenIsOneSentence() {
        const FakeProgram program("fake:a");
        const std::string path = checkpoint() + "/none/run.partial";
        const auto outcome = runSweep(planFor(program, program), {&program, &program}, {.checkpoint = path});
        QVERIFY(!outcome);
        QCOMPARE(outcome.error().message, path + ": cannot be created: No such file or directory");
        // Not a plain file: refused, and above all not deleted.
        const std::string fifo = checkpoint();
        QCOMPARE(::mkfifo(fifo.c_str(), 0600), 0);
        QCOMPARE(runSweep(planFor(program, program), {&program, &program}, {.checkpoint = fifo}).error().message, fifo + ": is not a regular file");
        QVERIFY(QFile::exists(QString::fromStdString(fifo)));
    }

    void edgesAreBisectedToNeighbouringRowsAndNameTheirOutputs() {
        const FakeProgram program("fake:block", faultFromRows(37));
        Plan plan = planFor(program, program, {1, 5, 1000});
        plan.pairing.trainer.rowsAlone = true;
        plan.findEdges = true;
        const auto outcome = runSweep(plan, {&program, &program}, {});
        QVERIFY(outcome.has_value());
        QCOMPARE(outcome->run.edges.size(), std::size_t(2));  // one a width
        for (const Edge& edge : outcome->run.edges) {
            QCOMPARE(edge.axis, std::string("M"));
            QCOMPARE(edge.below, 36);
            QCOMPARE(edge.above, 37);
            QCOMPARE(edge.outputs, std::vector<std::string>{"out"});
            QCOMPARE(edge.unchangedOutputs, std::vector<std::string>{"residual_out"});
            QVERIFY(edge.statusBelow == CellStatus::Equal && edge.statusAbove == CellStatus::Different);
        }
        QCOMPARE(outcome->run.edges[0].at.at("H"), 64);
        QCOMPARE(outcome->run.edges[1].at.at("H"), 96);
        QVERIFY(cellNamed(outcome->run, "h64_m5").samplerInvariance.holds);
        QCOMPARE(cellNamed(outcome->run, "h64_m1000").samplerInvariance.rowsViolating, 1000);
        QVERIFY(cellNamed(outcome->run, "h64_m1000").trainerInvariance.holds);  // its rows never have company
    }

    // 20 rows in calls of 1, 8 and 20: the fault shows in whole calls alone, and 20 is no multiple of 8.
    void aFixedNumberOfRowsIsCalledInLaunches() {
        const FakeProgram trainer("fake:a");
        const FakeProgram sampler("fake:b", [](std::int64_t row, std::int64_t column, std::int64_t rows) {
            return rows == 8 && row == 7 && column == 3 ? 1 : 0;
        });
        Plan plan = planFor(trainer, sampler, {1, 8, 20, 21});
        plan.inputs[0].shape[0] = plan.inputs[1].shape[0] = "20";
        const auto outcome = runSweep(plan, {&trainer, &sampler}, {});
        QVERIFY(outcome.has_value());
        QVERIFY(cellNamed(outcome->run, "h64_m1").status == CellStatus::Equal);
        QVERIFY(cellNamed(outcome->run, "h64_m20").status == CellStatus::Equal);
        const CellResult& cell = cellNamed(outcome->run, "h64_m8");
        QCOMPARE(cell.outputs[0].shape, (Shape{20, 64}));
        // Calls begin at rows 0, 8 and 12; row 7 of the last is row 19. Row 15 belongs to the second and the third.
        QVERIFY(cell.outputs[0].comparison.first->index == 7 * 64 + 3);
        QVERIFY(cell.outputs[0].comparison.listed.back().index == 19 * 64 + 3);
        QCOMPARE(cellNamed(outcome->run, "h64_m21").error, std::string("21 rows in a call, the inputs have 20"));
    }

    void timesAreKeptOnlyWhenAskedForAndBesideTheBits() {
        const FakeProgram program("fake:a");
        const Plan plan = planFor(program, program);
        const auto plain = runSweep(plan, {&program, &program}, {});
        QVERIFY(!plain->run.measurement);
        const auto timed = runSweep(plan, {&program, &program}, {.timed = true});
        QCOMPARE(timed->run.measurement->samples.size(), std::size_t(12));
        const auto bits = contentDigests(plain->run);
        const auto measured = contentDigests(timed->run);
        for (std::size_t i = 0; i < bits.size(); ++i) QCOMPARE(measured[i].sha256, bits[i].sha256);
    }

    void whatThePlanDoesNotNameIsRefused() {
        const FakeProgram program("fake:a");
        const FakeProgram other("fake:b");
        const Plan plan = planFor(program, program);
        QCOMPARE(runSweep(plan, {&program, nullptr}, {}).error().message,
                 std::string("the sampler's program fake:a is not available here"));
        QVERIFY(runSweep(plan, {&program, &other}, {}).error().message.starts_with("the sampler's program is fake:b"));
    }

private:
    [[nodiscard]] std::string checkpoint() const { return m_folder->filePath("run.h5.partial").toStdString(); }
    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_APPLESS_MAIN(TestRunner)
#include "test_runner.moc"
