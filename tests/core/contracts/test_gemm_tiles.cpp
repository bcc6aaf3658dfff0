// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/contracts/gemm_tiles.h"

using namespace isobit;

namespace {

class TestGemmTiles : public QObject {
    Q_OBJECT
private slots:
    void exactEntriesAnswerByRows() {
        const auto rows = [](std::int64_t m) { return *lookUpTile({DType::Bf16, m, 3840, 15360}); };
        QCOMPARE(rows(16), (GemmTile{16, 64, 1, 20, 4}));
        QCOMPARE(rows(17), (GemmTile{64, 32, 1, 12, 4}));
        QCOMPARE(rows(257), (GemmTile{128, 256, 8, 4, 8}));
        QCOMPARE(rows(8193), (GemmTile{128, 256, 1, 4, 8}));
    }

    void otherShapesTakeTheClassDefault() {
        QCOMPARE(*lookUpTile({DType::Bf16, 16, 1000, 1000}), (GemmTile{16, 128, 1, 5, 4}));
        QCOMPARE(*lookUpTile({DType::Fp32, 256, 1000, 1000}), (GemmTile{16, 128, 1, 4, 4}));
        QCOMPARE(*lookUpTile({DType::Fp16, 16, 3840, 3840}), (GemmTile{128, 256, 8, 3, 8}));  // none: the baseline
    }

    void aClassDefaultThatDoesNotFitFallsToTheBaseline() {
        // 3 stages of 128 x 256 tiles in bf16 with an FP32 tile of the output beside them: 278,528 bytes.
        const GemmShape wide{DType::Bf16, 1024, 1000, 1000, 4};
        QCOMPARE(sharedMemoryOf({128, 256, 8, 3, 8}, wide),
                 std::int64_t(3 * (128 * 64 + 64 * 256) * 2 + 128 * 256 * 4));
        QCOMPARE(*lookUpTile(wide), *baselineTile(DType::Bf16));
        QCOMPARE(*lookUpTile({DType::Bf16, 1024, 1000, 1000, 2}), (GemmTile{128, 256, 8, 3, 8}));
    }

    void anExactEntryIsTakenAsItIs() {
        QCOMPARE(*lookUpTile({DType::Bf16, 1024, 128256, 3840, 4}), (GemmTile{128, 256, 8, 3, 8}));
    }

    void theSwitchIsExactlyZero() {
        QVERIFY(!tableEnabledBy("0"));
        for (const char* other : {"", "1", "false", "no", "00", " 0"}) QVERIFY(tableEnabledBy(other));
        QCOMPARE(*lookUpTile({DType::Bf16, 16, 3840, 3840}, false), *baselineTile(DType::Bf16));
    }

    void aTypeWithoutAPinnedTileIsRefused() {
        QCOMPARE(lookUpTile({DType::Fp8E4M3, 1, 1, 1}).error().message,
                 "float8_e4m3fn has no pinned K tile; bfloat16, float16 and float32 have");
    }

    void aShapeThatRanOutOfResourcesGoesToTheBaselineFromThenOn() {
        TileChooser chooser(true);
        const GemmShape shape{DType::Bf16, 16, 3840, 3840};
        chooser.ranOutOfResources(shape);
        QCOMPARE(*chooser.choose(shape), *baselineTile(DType::Bf16));
        QCOMPARE(*chooser.choose({DType::Bf16, 16, 3840, 3840, 2}), *baselineTile(DType::Bf16));  // the same key
        QCOMPARE(*chooser.choose({DType::Bf16, 16, 3840, 3840, 4}), (GemmTile{16, 64, 8, 12, 4}));
        QCOMPARE(*chooser.choose({DType::Bf16, 15, 3840, 3840}), (GemmTile{16, 64, 8, 12, 4}));
    }
};

}  // namespace

QTEST_APPLESS_MAIN(TestGemmTiles)
#include "test_gemm_tiles.moc"
