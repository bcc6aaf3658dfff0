// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QTemporaryDir>

#include "core/engagement/qualification.h"
#include "tests/support/receipts.h"
#include "views/engagement/engagement_model.h"
#include "views/engagement/shown_engagement.h"

using namespace isobit;
using namespace isobit::views;

namespace {

std::string example(const std::string& name) { return std::string(ISOBIT_SOURCE_DIR) + "/tests/data/engagement/" + name; }

EngagementPtr read(const std::vector<std::string>& paths) { return readEngagement(paths).value(); }

QString cell(const QAbstractItemModel& model, int row, int column) { return model.index(row, column).data().toString(); }

class TestEngagementModel : public QObject {
    Q_OBJECT
private slots:
    void contractsAreRowsWithCountsAndStateOfBothSides() {
        EngagementModel model;
        const QAbstractItemModelTester tester(&model);
        model.setEngagement(read({example("trainer_downcast.json"), example("sampler.json")}));
        QCOMPARE(model.rowCount(), 5);
        QCOMPARE(cell(model, 1, EngagementModel::Mark), "!");
        QCOMPARE(cell(model, 1, EngagementModel::Contract), "rope.class_b");
        QCOMPARE(cell(model, 1, EngagementModel::TrainerCounts), "12 of 12");
        QCOMPARE(cell(model, 1, EngagementModel::TrainerState), "! damaged");
        QCOMPARE(cell(model, 1, EngagementModel::SamplerState), "═ engaged");
        QCOMPARE(cell(model, 0, EngagementModel::Mark), "═");
        QCOMPARE(model.brokenRow(-1, 1), 1);
        QCOMPARE(model.brokenRow(1, 1), -1);
        QCOMPARE(model.index(1, 0).data(Qt::AccessibleDescriptionRole).toString(), "rope.class_b: trainer 12 of 12, damaged; sampler 12 of 12, engaged");
        model.setEngagement(nullptr);
        QCOMPARE(model.rowCount(), 0);
    }

    void brokenRulesAreListedWithTheirSentence() {
        FindingsModel model;
        const QAbstractItemModelTester tester(&model);
        model.setEngagement(read({example("trainer_downcast.json"), example("sampler.json")}));
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(cell(model, 0, FindingsModel::Rule), "! table.downcast");
        QVERIFY(cell(model, 0, FindingsModel::Sentence).contains("the counts are perfect (12 of 12)"));
        QCOMPARE(model.subjectAt(0), "rope.class_b");
        QCOMPARE(model.subjectAt(7), "");
    }

    void theWayOfATableSaysFromWhereItIsHarmed() {
        const EngagementPtr shown = read({example("trainer_downcast.json"), example("sampler.json")});
        const auto way = tableWay(shown->report->trainer, "rope.class_b");
        QCOMPARE(way.size(), std::size_t(4));  // builder, two layers, cast and two layers
        QCOMPARE(way[0].what, "default table, built on cpu");
        QVERIFY(way[0].detail.startsWith("4096 × 128, "));
        QCOMPARE(way[1].what, "layers.0 … layers.1");  // before the cast, which it did not go through
        QCOMPARE(way[2].detail, "float32 → bfloat16");
        QVERIFY(!way[0].harmed && !way[1].harmed && way[2].harmed && way[3].harmed);
        QCOMPARE(way[3].detail, "bfloat16, 6 calls");
        QVERIFY(tableWay(shown->report->trainer, "gemm").empty());
        for (const TableStation& station : tableWay(shown->report->sampler, "rope.class_b")) QVERIFY(!station.harmed);
    }

    void titlesAndVerdictsSayWhatIsOpen() {
        const EngagementPtr pair = read({example("trainer.json"), example("sampler.json")});
        QCOMPARE(titleOf(*pair), "example-trainer 1f0c9d2 · example-server 77ab310");
        QCOMPARE(verdictOf(*pair), "ENGAGED");
        QCOMPARE(agreementText(*pair->report), "weights same (4 compared)  ·  arithmetic same");
        QCOMPARE(verdictOf(*read({example("sampler.json")})), "ONE SIDE");
        QCOMPARE(verdictOf(*read({example("trainer_downcast.json")})), "NOT ENGAGED: 1 rule broken");
    }

    void filesAreToldByTheirContent() {
        QCOMPARE(read({example("pipeline.json")}), EngagementPtr());
        QCOMPARE(read({example("trainer.json"), example("pipeline.json")}), EngagementPtr());
        QCOMPARE(read({example("missing.json")}), EngagementPtr());
        const QTemporaryDir folder;
        const std::string path = folder.filePath("a.json").toStdString();
        QVERIFY(writeTextAtomically(path, R"({"format": "isobit.receipt/1", "side": "critic"})"));
        const auto refused = readEngagement({path});
        QVERIFY(!refused);
        QVERIFY(refused.error().message.find("side is \"critic\", expected one of trainer, sampler") != std::string::npos);
    }

    void aQualificationShowsItsSteps() {
        const auto report = checkEngagement(receiptOf("trainer.json"), receiptOf("sampler.json")).value();
        const QTemporaryDir folder;
        const std::string path = folder.filePath("q.json").toStdString();
        QVERIFY(writeTextAtomically(path, toJson(qualify(report, {{-1, -2}, {-1, -3}, ""}, "t")).dump(1)));
        const EngagementPtr shown = read({path});
        StepsModel model;
        const QAbstractItemModelTester tester(&model);
        model.setEngagement(shown);
        QCOMPARE(model.rowCount(), 4);
        QCOMPARE(cell(model, 0, StepsModel::State), "✓ holds");
        QCOMPARE(cell(model, 2, StepsModel::State), "✗ fails");
        QCOMPARE(cell(model, 3, StepsModel::State), "– not reached");
        QCOMPARE(verdictOf(*shown), "NOT QUALIFIED");
    }
};

}  // namespace

QTEST_GUILESS_MAIN(TestEngagementModel)
#include "test_engagement_model.moc"
