// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <vector>

#include "core/compare/difference_scan.h"
#include "core/compare/map_tally.h"

using namespace isobit;

namespace {

using Words = std::vector<std::uint16_t>;

std::span<const std::byte> bytes(const Words& words) { return std::as_bytes(std::span(words)); }

MapTally tallyOf(const Words& a, const Words& b, DType dtype, const MapQuestion& question = {}, std::size_t stride = 1) {
    MapTally tally;
    addToTally(dtype, bytes(a).data(), bytes(b).data(), a.size() / stride, stride, question, tally);
    return tally;
}

class TestMapTally : public QObject {
    Q_OBJECT
private slots:
    // Around the stretch of 4096 bytes that is skipped at once, 2048 words here.
    void theFirstAndTheLastDifferenceAreFoundAtEveryEdge() {
        for (const std::size_t at : {0, 1, 2047, 2048, 2049, 4095, 4096, 5000}) {
            Words a(5001, 7), b = a;
            b[at] ^= 0x8000;
            QCOMPARE(firstDifferent(2, bytes(a), bytes(b)).value(), at);
            QCOMPARE(lastDifferent(2, bytes(a), bytes(b)).value(), at);
            b[0] ^= 1, b[5000] ^= 1;
            QCOMPARE(firstDifferent(2, bytes(a), bytes(b)).value(), std::size_t(0));
            QCOMPARE(lastDifferent(2, bytes(a), bytes(b)).value(), std::size_t(5000));
        }
        const Words same(5001, 7);
        QVERIFY(!firstDifferent(2, bytes(same), bytes(same)) && !lastDifferent(2, bytes(same), bytes(same)));
        QVERIFY(!firstDifferent(2, {}, {}) && !lastDifferent(2, {}, {}));
    }

    // bf16: 1 against the next word, +0 against -0 (0 ULP, still different), NaN against NaN with another payload.
    void aTileCountsWordsAndTheLargestDistance() {
        const Words a{0x3F80, 0x0000, 0x4000}, b{0x3F81, 0x8000, 0x4000};
        QCOMPARE(tallyOf(a, b, DType::Bf16), (MapTally{3, 2, 1, false}));
        QCOMPARE(tallyOf({0x7FC0}, {0x7FC1}, DType::Bf16), (MapTally{1, 1, 0, true, true}));
        QCOMPARE(tallyOf({0x7FC1}, {0x7FC1}, DType::Bf16), (MapTally{1, 0, 0, false}));
        QCOMPARE(tallyOf({5}, {9}, DType::U16), (MapTally{1, 1, 4, false}));
        QCOMPARE(tallyOf({5}, {9}, DType::Raw16), (MapTally{1, 1, 0, true, true}));
    }

    // The smallest subnormal against its negative, and the largest finite against infinity: 2 and 1 ULP, yet no small change.
    void aChangeOfSignOrClassIsSeenHoweverSmallItsDistance() {
        QCOMPARE(tallyOf({0x0001}, {0x8001}, DType::Bf16), (MapTally{1, 1, 2, false, true}));
        QCOMPARE(tallyOf({0x7F7F}, {0x7F80}, DType::Bf16), (MapTally{1, 1, 1, false, true}));
        QCOMPARE(tallyOf({0x0000}, {0x8001}, DType::Bf16), (MapTally{1, 1, 1, false, false}));
        QCOMPARE(tallyOf({0x7FFF}, {0x8000}, DType::I16), (MapTally{1, 1, 65535, false, false}));
    }

    void aQuestionPicksTheWordAndItsBits() {
        const Words a{0b0001, 0b0010, 0b0011}, b{0b0001, 0b0011, 0b1000};
        QCOMPARE(tallyOf(a, b, DType::U16, {WordSource::Trainer, 1}).marked, std::uint64_t(2));
        QCOMPARE(tallyOf(a, b, DType::U16, {WordSource::Sampler, 1}).marked, std::uint64_t(2));
        QCOMPARE(tallyOf(a, b, DType::U16, {WordSource::Xor, 1}).marked, std::uint64_t(2));
        QCOMPARE(tallyOf(a, b, DType::U16, {WordSource::Xor, 8}).marked, std::uint64_t(1));
    }

    void aStrideSkipsWhatLiesBetween() {
        const Words a{1, 9, 1, 9}, b{1, 0, 2, 0};
        QCOMPARE(tallyOf(a, b, DType::U16, {}, 2), (MapTally{2, 1, 1, false}));
    }

    void bitsArePackedTheLowestFirst() {
        const Words a{1, 0, 1, 1, 0, 0, 0, 0, 1}, b{0, 0, 1, 0, 0, 0, 0, 0, 1};
        std::uint8_t out[2] = {0xFF, 0xFF};
        const auto pack = [&](WordSource source) {
            packBitPlane(DType::U16, bytes(a).data(), bytes(b).data(), a.size(), 1, source, 0, out);
            return out[1] << 8 | out[0];
        };
        QCOMPARE(pack(WordSource::Trainer), 0x10D);
        QCOMPARE(pack(WordSource::Sampler), 0x104);
        QCOMPARE(pack(WordSource::Xor), 0x009);
    }
};

}  // namespace

QTEST_APPLESS_MAIN(TestMapTally)
#include "test_map_tally.moc"
