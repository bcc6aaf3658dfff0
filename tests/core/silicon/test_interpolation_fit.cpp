// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <cstring>
#include <vector>

#include "core/silicon/interpolation_fit.h"
#include "core/silicon/silicon_table.h"
#include "core/silicon/sm90_mufu.h"

using namespace isobit;

namespace {

const sm90::Tables& tables() { return embeddedSm90Table()->tables; }

std::vector<std::uint32_t> reciprocals() {
    std::vector<std::uint32_t> words(1u << 23);
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = sm90::mufuRcp(tables(), 0x3f800000u + std::uint32_t(i));
    return words;
}

}  // namespace

class TestInterpolationFit : public QObject {
    Q_OBJECT
private slots:
    // The words that the table gives determine the table: nothing of it is arbitrary.
    void theReciprocalTableIsFoundAgainFromItsWords() {
        sm90::Segment segments[128];
        std::int32_t bias = 0;
        const Result<void> fitted = sm90::fitInterpolator(sm90::kRcpShape, reciprocals(), segments, bias);
        QVERIFY2(fitted.has_value(), fitted ? "" : fitted.error().message.c_str());
        QCOMPARE(bias, tables().rcpBias);
        QCOMPARE(std::memcmp(segments, tables().rcp, sizeof segments), 0);
    }

    void theLogarithmTableIsFoundAgainFromItsWords() {
        std::vector<std::uint32_t> words(1u << 23);
        for (std::size_t i = 0; i < words.size(); ++i)
            words[i] = sm90::mufuLg2(tables(), 0x3f800000u + std::uint32_t(i));
        sm90::Segment segments[64];
        std::int32_t bias = 0;
        const Result<void> fitted = sm90::fitInterpolator(sm90::kLg2Shape, words, segments, bias);
        QVERIFY2(fitted.has_value(), fitted ? "" : fitted.error().message.c_str());
        QCOMPARE(bias, tables().lg2Bias);
        QCOMPARE(std::memcmp(segments, tables().lg2, sizeof segments), 0);
    }

    void oneWordOffByTwoIsNoticed() {
        std::vector<std::uint32_t> words = reciprocals();
        words[5u << 16 | 1234u] += 2;
        sm90::Segment segments[128];
        std::int32_t bias = 0;
        const Result<void> fitted = sm90::fitInterpolator(sm90::kRcpShape, words, segments, bias);
        QVERIFY(!fitted);
        QCOMPARE(fitted.error().message, std::string("rcp: no parabola in integers gives the words of segment 5"));
    }

    void theSquarerNeverFormsItsLowColumns() {
        QCOMPARE(sm90::truncatedSquare(0), 0u);
        QCOMPARE(sm90::truncatedSquare(1023), 0u);            // 1023^2 = 2^20 - 2^11 + 1, all of it in low columns
        QCOMPARE(sm90::truncatedSquare(1024), 2u);            // 2^20 is in the kept ones
        QCOMPARE(sm90::truncatedSquare(1u << 16), 1u << 13);  // 2^32
        QVERIFY(sm90::truncatedSquare(0x1ffff) < 1u << 15);   // the exact square is just below 2^34
    }
};

QTEST_APPLESS_MAIN(TestInterpolationFit)
#include "test_interpolation_fit.moc"
