// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <set>

#include "kernels/own_gemms.h"

using namespace isobit::cuda;

namespace {

// A product whose operands nobody touches.
GemmArguments product(std::int64_t rows, std::int64_t columns, std::int64_t depth) {
    GemmArguments p;
    p.a = p.b = p.out = reinterpret_cast<void*>(std::uintptr_t(1) << 20);
    p.rows = rows;
    p.columns = columns;
    p.depth = depth;
    p.aRowStride = p.bColumnStride = (depth + 7) / 8 * 8;
    p.bDepthStride = 1;
    p.outStride = columns;
    return p;
}

class TestOwnGemms : public QObject {
    Q_OBJECT
private slots:
    void everyKernelHasItsOwnName() {
        std::set<std::string_view> names;
        for (const OwnGemm& own : ownGemms()) {
            QVERIFY(names.insert(own.name).second);
            QCOMPARE(findOwnGemm(own.name)->name, own.name);
        }
        QVERIFY(findOwnGemm("rows17") == nullptr);
    }

    void theKernelFollowsTheNumberOfRows_data() {
        QTest::addColumn<qint64>("rows");
        QTest::addColumn<QString>("name");
        QTest::newRow("one") << qint64(1) << "narrow";
        QTest::newRow("the last of the narrow kernel") << qint64(64) << "narrow";
        QTest::newRow("one more") << qint64(65) << "wide";
        QTest::newRow("many") << qint64(4096) << "wide";
    }
    void theKernelFollowsTheNumberOfRows() {
        QFETCH(qint64, rows);
        QFETCH(QString, name);
        QCOMPARE(suitedGemm(product(rows, 3840, 3840)).name, name.toStdString());
        QCOMPARE(suitedGemm(product(rows, 3, 17)).name, name.toStdString());
    }

    void operandsThatTheCopyEngineCannotAddressGoToTheTiledKernel_data() {
        QTest::addColumn<int>("change");
        for (int change = 0; change < 6; ++change) QTest::addRow("%d", change) << change;
    }
    void operandsThatTheCopyEngineCannotAddressGoToTheTiledKernel() {
        QFETCH(int, change);
        GemmArguments p = product(16, 512, 100);
        switch (change) {
            case 0:
                p.aRowStride = 101;
                break;  // no multiple of 16 bytes
            case 1:
                p.bColumnStride = 1, p.bDepthStride = 512;
                break;  // n contiguous
            case 2:
                p.a = static_cast<const char*>(p.a) + 2;
                break;  // in the middle of 16 bytes
            case 3:
                p.aDepthStride = 2;
                break;
            case 4:
                p.input = GemmInputType::Fp16;
                break;
            default:
                p.batches = 2;
                break;
        }
        QCOMPARE(suitedGemm(p).name, std::string_view("rows16"));
        p.rows = 300;
        QCOMPARE(suitedGemm(p).name, std::string_view("rows128"));
    }

    // Measured on 132 multiprocessors: a round in which most of them idle costs as much as a full one.
    void tilesAreAsLargeAsTheirRoundsAllow_data() {
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("columns");
        QTest::addColumn<int>("tileRows");
        QTest::addColumn<int>("tileColumns");
        QTest::newRow("120 tiles of the largest") << 1024 << 3840 << 128 << 256;
        QTest::newRow("64 of the largest leave half the chip idle") << 1024 << 2048 << 128 << 128;
        QTest::newRow("two rounds of 168 against two of 224") << 1024 << 5376 << 128 << 192;
        QTest::newRow("seven half rounds against four") << 1024 << 14336 << 128 << 128;
        QTest::newRow("few rows in one round") << 256 << 3840 << 64 << 128;
        QTest::newRow("few rows and a narrow weight") << 256 << 2048 << 64 << 64;
    }
    void tilesAreAsLargeAsTheirRoundsAllow() {
        QFETCH(int, rows);
        QFETCH(int, columns);
        const WideTile tile = wideTileFor(rows, columns, 132);
        QTEST(tile.rows, "tileRows");
        QTEST(tile.columns, "tileColumns");
    }

    // N of the contract's weights on 132 multiprocessors: every one has columns, none two blocks, as far as 64 go.
    void blocksAreAsNarrowAsTheMultiprocessorsAllow() {
        QCOMPARE(narrowColumnsFor(2048, 132), 16);
        QCOMPARE(narrowColumnsFor(2112, 132), 16);
        QCOMPARE(narrowColumnsFor(2113, 132), 32);
        QCOMPARE(narrowColumnsFor(3840, 132), 32);
        QCOMPARE(narrowColumnsFor(5376, 132), 48);
        QCOMPARE(narrowColumnsFor(8192, 132), 64);
        QCOMPARE(narrowColumnsFor(30720, 132), 64);
    }
};

}  // namespace

QTEST_APPLESS_MAIN(TestOwnGemms)
#include "test_own_gemms.moc"
