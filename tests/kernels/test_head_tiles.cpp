// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "kernels/head_launch.h"

using namespace isobit::cuda;

namespace {

constexpr int kMultiprocessors = 132;  // of an NVIDIA H200

class TestHeadTiles : public QObject {
    Q_OBJECT
private slots:
    void theLastTilesAreCutWhereARoundWouldBeNearlyEmpty_data() {
        QTest::addColumn<qint64>("rows");
        QTest::addColumn<qint64>("tiles");
        QTest::addColumn<qint64>("cut");
        // 66 clusters: 30 rounds of 4 x 501 units and 24 units, which are 96 tiles of 64 rows.
        QTest::newRow("few units are left") << qint64(1024) << qint64(501) << qint64(6);
        QTest::newRow("rows of the last unit are missing") << qint64(900) << qint64(501) << qint64(6);
        QTest::newRow("no unit is left") << qint64(1024) << qint64(495) << qint64(0);
        QTest::newRow("what is left fills more than half a round") << qint64(256) << qint64(501) << qint64(0);
        QTest::newRow("not one whole round") << qint64(256) << qint64(10) << qint64(0);
        QTest::newRow("one tile more than a round") << qint64(256) << qint64(67) << qint64(1);
        QTest::newRow("no tile") << qint64(256) << qint64(0) << qint64(0);
    }
    void theLastTilesAreCutWhereARoundWouldBeNearlyEmpty() {
        QFETCH(qint64, rows);
        QFETCH(qint64, tiles);
        QFETCH(qint64, cut);
        QCOMPARE(qint64(headSmallTiles(rows, tiles, kMultiprocessors)), cut);
    }

    void whatIsCutNeedsAtMostATileForEveryMultiprocessor() {
        for (std::int64_t rows = 129; rows <= 4097; rows += 31)
            for (std::int64_t tiles = 1; tiles <= 600; ++tiles) {
                const std::int64_t cut = headSmallTiles(rows, tiles, kMultiprocessors);
                QVERIFY(cut >= 0 && cut < tiles);
                QVERIFY(cut * ((rows + kHeadSmallRows - 1) / kHeadSmallRows) <= kMultiprocessors);
            }
    }
};

}  // namespace

QTEST_APPLESS_MAIN(TestHeadTiles)
#include "test_head_tiles.moc"
