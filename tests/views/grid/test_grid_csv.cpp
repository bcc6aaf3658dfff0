// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "tests/support/timed_run.h"
#include "views/grid/grid_csv.h"

using namespace isobit;
using namespace isobit::views;

class TestGridCsv : public QObject {
    Q_OBJECT
private slots:
    void thereIsOneLineACellAndOutput() {
        const QList<QByteArray> lines = gridCsv(support::sampleRun()).trimmed().split('\n');
        QCOMPARE(lines.size(), qsizetype(1 + 4 * 2 + 2));
        QVERIFY(lines[0].startsWith("H,M,status,output,elements,different,max_ulp,worst,"));
        QVERIFY(lines[3].startsWith("64,3,different,out,192,2,1,1,"));
        QVERIFY(lines[4].startsWith("64,3,different,residual_out,192,0,0,equal,"));
        QCOMPARE(lines[9].trimmed(), QByteArray("96,3,failed,,,,,,,"));
        for (const QByteArray& line : lines) QCOMPARE(line.count(','), qsizetype(9));
    }

    void timesHaveAColumnASeries() {
        const QList<QByteArray> lines = gridCsv(support::timedRun()).trimmed().split('\n');
        QVERIFY(lines[0].trimmed().endsWith(",sampler_sha256,fused_us,split_us,cluster_us"));
        QVERIFY(lines[3].trimmed().endsWith(",2,4,2.5"));
        for (const QByteArray& line : lines) QCOMPARE(line.count(','), qsizetype(12));
    }
};

QTEST_APPLESS_MAIN(TestGridCsv)
#include "test_grid_csv.moc"
