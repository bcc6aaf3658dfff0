// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/capture/difference_map.h"
#include "core/capture/element_search.h"
#include "core/compare/comparison.h"
#include "tests/support/tensor_files.h"

using namespace isobit;
using namespace isobit::test;

namespace {

using Words = std::vector<std::uint16_t>;

class TestDifferenceMap : public QObject {
    Q_OBJECT
private slots:
    void nextAndPreviousWalkTheDifferences() {
        Words a(600'000, 3), b = a;
        for (const std::size_t at : {0, 262'143, 262'144, 599'999}) b[at] ^= 1;
        const TensorFile trainer = fileOf({600, 1000}, a), sampler = fileOf({600, 1000}, b);
        const PairWords pair = pairOf(trainer, sampler);
        std::vector<std::int64_t> forward, backward;
        for (std::int64_t from = 0;;) {
            const auto next = *nextDifference(pair, from);
            if (!next) break;
            forward.push_back(std::int64_t(next->index));
            from = forward.back() + 1;
        }
        for (std::int64_t before = pair.elements();;) {
            const auto previous = *previousDifference(pair, before);
            if (!previous) break;
            backward.push_back(before = std::int64_t(previous->index));
        }
        QCOMPARE(forward, (std::vector<std::int64_t>{0, 262'143, 262'144, 599'999}));
        std::ranges::reverse(backward);
        QCOMPARE(backward, forward);
        QCOMPARE(elementAt(pair, 262'144)->sampler, std::uint64_t(2));
        QCOMPARE(elementAt(pair, 1)->ulp.value(), std::uint64_t(0));
        std::stop_source stopped;
        stopped.request_stop();
        QVERIFY(!nextDifference(pair, 0, stopped.get_token()));
    }

    // A tall tensor drawn small: one element in its last row must not be lost between tiles.
    void aTileNeverHidesASingleElement() {
        Words a(40'000 * 8, 0x3F80), b = a;
        b[39'999 * 8 + 5] = 0x3F83;
        const TensorFile trainer = fileOf({40'000, 8}, a), sampler = fileOf({40'000, 8}, b);
        const PairWords pair = pairOf(trainer, sampler);
        const Plane plane = wholePlane(pair.shape());
        const auto map = differenceMap(pair, plane, {0, 0, plane.rows, plane.columns}, 300, 3);
        QVERIFY(map.has_value());
        std::uint64_t elements = 0, marked = 0;
        for (const MapTally& tile : map->tiles) elements += tile.elements, marked += tile.marked;
        QCOMPARE(elements, std::uint64_t(a.size()));
        QCOMPARE(marked, std::uint64_t(1));
        QCOMPARE(map->tile(299, 2), (MapTally{map->tile(299, 2).elements, 1, 3, false}));  // columns 5, 6, 7
    }

    // Public report P017: tile N was stored where tile N + 132 belongs, so tiles of poison and of strangers' words stand in
    // the output. Whole tiles differ and others not at all, and NaN are counted: no rounding does that.
    void tilesThatWereStoredElsewhereAreWholeTiles() {
        Words a(32 * 1024), b;
        for (std::size_t i = 0; i < a.size(); ++i) a[i] = std::uint16_t(0x3F80 + i * 31 % 127);
        b = a;
        for (std::size_t row = 0; row < 32; ++row)
            for (std::size_t column = 0; column < 128; ++column) {
                b[row * 1024 + 256 + column] = 0xFFFF;                                 // never stored
                b[row * 1024 + 512 + column] = std::uint16_t(a[row * 1024 + column] ^ 0x0800);  // a stranger's
            }
        const TensorFile trainer = fileOf({32, 1024}, a), sampler = fileOf({32, 1024}, b);
        const PairWords pair = pairOf(trainer, sampler);
        const auto map = differenceMap(pair, wholePlane(pair.shape()), {0, 0, 32, 1024}, 1, 8);
        for (std::int64_t tile = 0; tile < 8; ++tile) {
            const bool gross = tile == 2 || tile == 4;
            QCOMPARE(map->tile(0, tile).marked, gross ? map->tile(0, tile).elements : 0);
            QCOMPARE(map->tile(0, tile).unordered, tile == 2);
        }
        const Comparison comparison = compareWords(DType::Bf16, std::as_bytes(std::span(a)), std::as_bytes(std::span(b)));
        QCOMPARE(comparison.count(UlpBin::SignOrClass), std::uint64_t(32 * 128));
        QCOMPARE(comparison.count(UlpBin::Larger) + comparison.count(UlpBin::UpTo65536), std::uint64_t(32 * 128));
        QCOMPARE(comparison.count(UlpBin::One), std::uint64_t(0));
    }

    // Every zoom of every rectangle counts what looking at each element counts.
    void everyRectangleAndZoomCountsTheSame() {
        Words a(35 * 13), b;
        for (std::size_t i = 0; i < a.size(); ++i) a[i] = std::uint16_t(i * 977);
        b = a;
        for (std::size_t i = 0; i < b.size(); i += 7) b[i] = std::uint16_t(b[i] + i % 5);
        const TensorFile trainer = fileOf({5, 7, 13}, a), sampler = fileOf({5, 7, 13}, b);
        const PairWords whole = pairOf(trainer, sampler);
        const PairWords columns = pairOf(trainer, sampler, {2, 8});
        for (const PairWords* pair : {&whole, &columns}) {
            const auto compare = [&](const Plane& plane, const PlaneRect& rect) {
                for (const auto& [tileRows, tileColumns] : {std::pair(1, 1), {2, 3}, {int(rect.rows), int(rect.columns)}})
                    compareWithElements(*pair, plane, rect, tileRows, tileColumns);
            };
            compare(wholePlane(pair->shape()), {0, 0, 35, pair->shape()[2]});
            compare(wholePlane(pair->shape()), {3, 1, 20, 4});
            compare(planeOf(pair->shape(), 1, 2, {4, 0, 0}), {0, 0, 7, pair->shape()[2]});
            compare(planeOf(pair->shape(), 0, 1, {0, 0, 3}), {1, 0, 4, 7});
            compare(planeOf(pair->shape(), 2, 0, {0, 6, 0}), {0, 0, pair->shape()[2], 5});
        }
    }

    void aBitImageIsTheBitOfEveryElement() {
        Words a(20 * 37), b;
        for (std::size_t i = 0; i < a.size(); ++i) a[i] = std::uint16_t(i * 40503);
        b = a;
        for (std::size_t i = 0; i < b.size(); i += 3) b[i] ^= 0x0410;
        const TensorFile trainer = fileOf({20, 37}, a), sampler = fileOf({20, 37}, b);
        const PairWords pair = pairOf(trainer, sampler);
        const PlaneRect rect{2, 1, 9, 35};
        const Plane plane = wholePlane(pair.shape());
        for (const WordSource source : {WordSource::Trainer, WordSource::Sampler, WordSource::Xor})
            for (const std::size_t bit : {0, 4, 10, 15}) {
                const auto image = bitImage(pair, plane, rect, source, bit);
                QVERIFY(image.has_value());
                QCOMPARE(image->bytesPerRow, std::int64_t(8));
                for (std::int64_t row = 0; row < rect.rows; ++row)
                    for (std::int64_t column = 0; column < rect.columns; ++column) {
                        const auto i = std::size_t(plane.indexOf(rect.row + row, rect.column + column));
                        const auto expected = wordFrom(source, a[i], b[i]) >> bit & 1;
                        const auto byte = image->bytes[std::size_t(row * image->bytesPerRow + column / 8)];
                        QCOMPARE(std::uint64_t(byte >> column % 8 & 1), expected);
                    }
            }
    }

    void anEmptyTensorHasAnEmptyMap() {
        const TensorFile trainer = fileOf({0, 4}, {}), sampler = fileOf({0, 4}, {});
        const PairWords pair = pairOf(trainer, sampler);
        QCOMPARE(wholePlane(pair.shape()).rows, std::int64_t(0));
        QVERIFY(differenceMap(pair, wholePlane(pair.shape()), {0, 0, 0, 4}, 0, 0)->tiles.empty());
        QVERIFY(bitImage(pair, wholePlane(pair.shape()), {0, 0, 0, 4}, WordSource::Xor, 0)->bytes.empty());
        QVERIFY(!*nextDifference(pair, 0) && !*previousDifference(pair, 0));
    }

private:
    TensorFile fileOf(const Shape& shape, const Words& words) {
        const std::string header = fmt::format(R"({{"t":{{"dtype":"BF16","shape":[{}],"data_offsets":[0,{}]}}}})",
                                               textOf(shape).substr(1, textOf(shape).size() - 2), words.size() * 2);
        const QByteArray name = QByteArray::number(m_files++) + ".safetensors";
        return *openTensorFile(write(m_folder, name.constData(), safetensors(header, bytesOfAll(words))));
    }

    static PairWords pairOf(const TensorFile& trainer, const TensorFile& sampler, const ColumnRange& columns = {}) {
        return *PairWords::of(trainer, sampler, {"t", MatchKind::Exact, 0, 0, {{}, {}, columns}, {{}, {}, columns}, ""});
    }

    static void compareWithElements(const PairWords& pair, const Plane& plane, const PlaneRect& rect, int tileRows,
                                    int tileColumns) {
        const auto map = differenceMap(pair, plane, rect, tileRows, tileColumns);
        QVERIFY(map.has_value());
        std::vector<MapTally> expected(std::size_t(tileRows * tileColumns));
        for (int row = 0; row < tileRows; ++row)
            for (int column = 0; column < tileColumns; ++column) {
                MapTally& tally = expected[std::size_t(row * tileColumns + column)];
                for (auto r = rect.rows * row / tileRows; r < rect.rows * (row + 1) / tileRows; ++r)
                    for (auto c = rect.columns * column / tileColumns; c < rect.columns * (column + 1) / tileColumns; ++c) {
                        const auto element = *elementAt(pair, plane.indexOf(rect.row + r, rect.column + c));
                        ++tally.elements;
                        if (element.trainer == element.sampler) continue;
                        ++tally.marked;
                        tally.maxUlp = std::max(tally.maxUlp, element.ulp.value_or(0));
                        tally.unordered |= !element.ulp;
                        tally.signOrClass |= ulpBinOf(pair.dtype(), element.trainer, element.sampler) == UlpBin::SignOrClass;
                    }
            }
        QCOMPARE(map->tiles, expected);
    }

    QTemporaryDir m_folder;
    int m_files = 0;
};

}  // namespace

QTEST_APPLESS_MAIN(TestDifferenceMap)
#include "test_difference_map.moc"
