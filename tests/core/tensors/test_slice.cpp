// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/tensors/checked.h"
#include "core/tensors/slice.h"
#include "tests/support/tensor_files.h"

using namespace isobit;
using namespace isobit::test;

class TestSlice : public QObject {
    Q_OBJECT
private slots:
    void itemsSelectABox() {
        const auto slice = parseSlice("0,:,3:7", {2, 4, 8});
        QVERIFY(slice.has_value());
        QVERIFY(slice->begin == (Shape{0, 0, 3}) && slice->end == (Shape{1, 4, 7}));
        QCOMPARE(slice->elements(), std::int64_t(16));
        QVERIFY(slice->indexOf(5) == (Shape{0, 1, 4}));
        QCOMPARE(rowMajorPosition({1, 2, 3}, {2, 4, 8}), std::int64_t(51));
    }

    void shortAndNegativeItemsAreUnderstood() {
        QVERIFY(parseSlice("", {2, 3})->end == (Shape{2, 3}));
        QVERIFY(parseSlice("-1", {2, 3})->begin == (Shape{1, 0}));
        QVERIFY(parseSlice(":-1", {4})->end == (Shape{3}));
        QCOMPARE(parseSlice("", {})->elements(), std::int64_t(1));
        QCOMPARE(parseSlice(":", {0})->elements(), std::int64_t(0));
    }

    void whatSelectsNothingOrLiesOutsideIsRefused() {
        for (const char* bad : {"2", "-3", "1:1", "1:0", "0:3", "x", "0,0", ",", "0,", "1:2:3", "99999999999999999999"})
            QVERIFY2(!parseSlice(bad, {2}), bad);
    }

    void sizesAreMultipliedWithCare() {
        QCOMPARE(checkedElements({0, 5}).value(), std::int64_t(0));
        QVERIFY(!checkedElements({0, std::int64_t(1) << 40, std::int64_t(1) << 40}));
        QVERIFY(!checkedElements({-1}));
        QCOMPARE(checkedBytes({3}, 8).value(), std::uint64_t(24));
        QVERIFY(!checkedBytes({INT64_MAX}, 2));
        QCOMPARE(checkedReach({2, 3}, {3, 1}).value(), std::int64_t(6));
        QCOMPARE(checkedReach({2, 0}, {INT64_MAX, INT64_MAX}).value(), std::int64_t(0));
        QVERIFY(!checkedReach({2, 2}, {INT64_MAX, 1}));
        QVERIFY(!checkedReach({2}, {-1}));
        QVERIFY(!checkedReach({2}, {1, 1}));
    }

    // Every range of a tensor with gaps and swapped dimensions against an element-by-element walk.
    void readsOfAnyRangeFollowTheStrides() {
        TensorFile file("memory", "test");
        std::vector<std::byte> bytes(100);
        for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = std::byte(i);
        TensorInfo info;
        info.name = "t";
        info.dtype = DType::U8;
        info.shape = {3, 2, 4};
        info.strides = {2, 50, 10};
        QVERIFY(file.add(info, std::make_shared<OwnedStorage>(bytes), 5, bytes.size()).has_value());
        std::vector<int> expected;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 2; ++j)
                for (int k = 0; k < 4; ++k) expected.push_back(5 + 2 * i + 50 * j + 10 * k);
        for (std::int64_t first = 0; first <= 24; ++first) {
            for (std::int64_t count = 0; count <= 24 - first; ++count) {
                std::vector<std::byte> out(static_cast<std::size_t>(count));
                QVERIFY(file.read(0, first, out).has_value());
                for (std::int64_t i = 0; i < count; ++i) QCOMPARE(int(out[i]), expected[first + i]);
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestSlice)
#include "test_slice.moc"
