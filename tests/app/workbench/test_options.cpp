// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "app/workbench/options.h"

using namespace isobit::workbench;
using isobit::views::Appearance;

class TestOptions : public QObject {
    Q_OBJECT
private slots:
    void aFileAloneIsOpened() {
        const auto options = readOptions({"run.h5"});
        QVERIFY(options.has_value());
        QCOMPARE(options->file, QString("run.h5"));
        QCOMPARE(options->size, QSize(1280, 800));
        QVERIFY(!options->theme);
    }

    void twoFilesAreTrainerAndSampler() {
        const auto options = readOptions({"a.npz", "--view", "walk", "b.npz"});
        QVERIFY(options.has_value());
        QCOMPARE(options->file, QString("a.npz"));
        QCOMPARE(options->other, QString("b.npz"));
        QCOMPARE(options->view, QString("walk"));
    }

    void optionsTakeTheirValueEitherWay() {
        const auto options = readOptions({"--screenshot", "a.png", "--size=1000x640", "--theme", "dark", "--view=timing", "--overlay", "b.json", "run.h5"});
        QVERIFY(options.has_value());
        QCOMPARE(options->screenshot, QString("a.png"));
        QCOMPARE(options->size, QSize(1000, 640));
        QVERIFY(options->theme == Appearance::Mode::Dark);
        QCOMPARE(options->view, QString("timing"));
        QCOMPARE(options->overlay, QString("b.json"));
        QCOMPARE(options->file, QString("run.h5"));
    }

    void aComparisonIsChosenAsTheCommandTakesIt() {
        const auto options = readOptions({"a.npz", "b.npz", "--order", "layers", "--row=2", "--sampler-row", "0", "--graph", "llama-like"});
        QVERIFY(options.has_value());
        QVERIFY((options->choices == isobit::CaptureChoices{"llama-like", "layers", {}, 2, 0}));
    }

    void whatCannotBeIsOneSentence_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("size") << QStringList{"--size", "big"} << "--size big: expected WIDTHxHEIGHT, as 1280x800";
        QTest::newRow("theme") << QStringList{"--theme=red"} << "--theme red: expected light or dark";
        QTest::newRow("unknown") << QStringList{"--frob", "1"} << "--frob: unknown option, see isobit-workbench --help";
        QTest::newRow("row") << QStringList{"--row", "-1"} << "--row -1: expected the number of a row, from 0 on";
        QTest::newRow("no value") << QStringList{"--screenshot"} << "--screenshot: a value is missing";
        QTest::newRow("three files") << QStringList{"a", "b", "c"} << "c: at most two files can be compared";
    }
    void whatCannotBeIsOneSentence() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, sentence);
        const auto options = readOptions(arguments);
        QVERIFY(!options.has_value());
        QCOMPARE(QString::fromStdString(options.error().message), sentence);
    }
};

QTEST_GUILESS_MAIN(TestOptions)
#include "test_options.moc"
