// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/sample_run.h"
#include "views/navigator/recents_model.h"

using namespace isobit;
using namespace isobit::views;

class TestRecentsModel : public QObject {
    Q_OBJECT
private slots:
    void runsAreKeptNewestFirstWithTheirVerdict() {
        const auto run = std::make_shared<const Run>(support::sampleRun());
        const QString settings = m_folder.filePath("kept.ini");
        const QString first = touch("first.h5");
        const QString second = touch("second.h5");
        {
            QSettings store(settings, QSettings::IniFormat);
            RecentsModel model(store, "runs");
            QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
            model.add(first, run);
            model.add(second, run);
            model.add(first, run);
            QCOMPARE(model.rowCount(), 2);
        }
        QSettings store(settings, QSettings::IniFormat);
        const RecentsModel model(store, "runs");
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.index(0).data(KeyRole).toString(), first);
        QCOMPARE(model.index(0).data(TitleRole).toString(), QString("sample"));
        QCOMPARE(model.index(0).data(BadgeRole).toString(), QString("≠"));
        QVERIFY(model.index(0).data(DetailRole).toString().contains("3 of 6 cells equal"));
    }

    void aFileThatIsGoneStaysListedAsMissing() {
        QSettings store(m_folder.filePath("missing.ini"), QSettings::IniFormat);
        RecentsModel model(store, "runs");
        const QString path = touch("gone.h5");
        model.add(path, std::make_shared<const Run>(support::sampleRun()));
        QVERIFY(!model.index(0).data(MissingRole).toBool());
        QVERIFY(QFile::remove(path));
        model.refresh();
        QVERIFY(model.index(0).data(MissingRole).toBool());
        QVERIFY(model.index(0).data(DetailRole).toString().contains("missing"));
        model.remove(path);
        QCOMPARE(model.rowCount(), 0);
    }

    void receiptsAreKeptWithTheirVerdict() {
        QSettings store(m_folder.filePath("receipts.ini"), QSettings::IniFormat);
        RecentsModel model(store, "receipts");
        const std::string folder = ISOBIT_SOURCE_DIR "/tests/data/engagement/";
        for (const auto& [trainer, badge] : {std::pair{"trainer.json", "═"}, {"trainer_downcast.json", "≠"}}) {
            const auto joined = readEngagement({folder + trainer, folder + "sampler.json"});
            QVERIFY(joined && *joined);
            model.add((*joined)->paths, *joined);
            QCOMPARE(model.index(0).data(BadgeRole).toString(), QString::fromUtf8(badge));
            QVERIFY(!model.index(0).data(MissingRole).toBool());
        }
        const auto alone = readEngagement({folder + "trainer.json"});
        model.add((*alone)->paths, *alone);
        QCOMPARE(model.index(0).data(BadgeRole).toString(), QString("…"));
        QVERIFY(model.index(0).data(DetailRole).toString().endsWith("ONE SIDE"));
        QCOMPARE(model.rowCount(), 3);
    }

    void aPairIsMissingAsSoonAsOneOfItsFilesIs() {
        QSettings store(m_folder.filePath("pairs.ini"), QSettings::IniFormat);
        const QStringList paths{touch("trainer.npz"), touch("sampler.npz")};
        {
            RecentsModel model(store, "captures");
            Capture capture;
            capture.trainer = TensorFile(paths[0].toStdString(), "npz");
            capture.sampler = TensorFile(paths[1].toStdString(), "npz");
            model.add(paths, std::make_shared<const Capture>(capture));
        }
        QVERIFY(QFile::remove(paths[1]));
        const RecentsModel model(store, "captures");
        QCOMPARE(pathsOf(model.index(0).data(KeyRole).toString()), paths);
        QVERIFY(model.index(0).data(MissingRole).toBool());
        QCOMPARE(RecentsModel(store, "runs").rowCount(), 0);
    }

    void theListDoesNotGrowWithoutEnd() {
        QSettings store(m_folder.filePath("many.ini"), QSettings::IniFormat);
        RecentsModel model(store, "runs");
        const auto run = std::make_shared<const Run>(support::sampleRun());
        for (int file = 0; file < 100; ++file) model.add(QString("/nowhere/%1.h5").arg(file), run);
        QVERIFY(model.rowCount() <= 24);
        QCOMPARE(model.index(0).data(KeyRole).toString(), QString("/nowhere/99.h5"));
    }

    void daysAreNamedAsPeopleNameThem() {
        const QDateTime now(QDate(2026, 3, 1), QTime(9, 0));
        QCOMPARE(dayText(now.addSecs(-3600), now), QString("today 08:00"));
        QCOMPARE(dayText(now.addSecs(-10 * 3600), now), QString("yesterday 23:00"));
        QCOMPARE(dayText(now.addDays(-2), now), QString("2026-02-27"));
    }

private:
    QString touch(const QString& name) {
        QFile file(m_folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly)) qFatal("no temporary file");
        return file.fileName();
    }
    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestRecentsModel)
#include "test_recents_model.moc"
