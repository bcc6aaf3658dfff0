// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/compare/comparison_json.h"

#include <QTest>

#include "core/compare/comparison_text.h"

using namespace isobit;

namespace {

Comparison fourWords() {
    static const std::uint16_t trainer[] = {0x3F80, 0x4000, 0x7FC1, 0x8000};
    static const std::uint16_t sampler[] = {0x3F80, 0x4001, 0x3F80, 0x0000};
    return compareWords(DType::Bf16, std::as_bytes(std::span(trainer)), std::as_bytes(std::span(sampler)));
}

}  // namespace

class TestComparisonJson : public QObject {
    Q_OBJECT

private slots:
    void everyDocumentedKeyIsThere() {
        const Json json = toJson(fourWords());
        for (const char* key : {"verdict", "dtype", "elements", "different", "max_ulp", "first", "largest",
                                "ulp_histogram", "flips_per_bit", "classes", "sampler_above", "sampler_below", "bias",
                                "listed", "trainer_sha256", "sampler_sha256"})
            QVERIFY2(json.contains(key), key);
        QCOMPARE(json["ulp_histogram"].size(), kUlpBins);
        QCOMPARE(json["flips_per_bit"].size(), 16u);
        QCOMPARE(json["listed"].size(), 3u);
        QVERIFY(json["trainer_sha256"].is_null());
    }

    void wordsAreHexadecimalAndValuesReadBack() {
        const Json json = toJson(fourWords());
        QCOMPARE(json["verdict"].get<std::string>(), std::string("different"));
        QCOMPARE(json["max_ulp"].get<int>(), 1);
        QCOMPARE(json["first"]["trainer"].get<std::string>(), std::string("4000"));
        QCOMPARE(json["first"]["sampler_value"].get<std::string>(), std::string("2.02"));
        QCOMPARE(json["first"]["ulp"].get<int>(), 1);
        QCOMPARE(json["largest"]["index"].get<int>(), 2);
        QVERIFY(json["largest"]["ulp"].is_null());
        QVERIFY(json["largest"]["absolute"].is_null());
        QCOMPARE(json["classes"]["sign_of_zero"].get<int>(), 1);
        QCOMPARE(json["ulp_histogram"][1]["bin"].get<std::string>(), std::string("sign_of_zero"));
    }

    void equalArraysHaveNeitherFirstNorLargest() {
        const std::uint16_t word = 0x3F80;
        const auto bytes = std::as_bytes(std::span(&word, 1));
        const Json json = toJson(compareWords(DType::Bf16, bytes, bytes));
        QCOMPARE(json["verdict"].get<std::string>(), std::string("equal"));
        QVERIFY(json["first"].is_null());
        QVERIFY(json["largest"].is_null());
    }

    void aStoppedComparisonIsCalledIncomplete() {
        Comparison comparison;
        comparison.complete = false;
        QCOMPARE(toJson(comparison)["verdict"].get<std::string>(), std::string("incomplete"));
        QVERIFY(verdictLine(comparison).starts_with("incomplete"));
    }

    void theTextShowsPlacesWordsAndCounts() {
        const std::int64_t shape[] = {2, 2};
        const std::string text = textOf(fourWords(), shape);
        for (const char* part :
             {"different: 3 of 4 words (75%)", "element 1 = [0, 1], 1 ULP", "0 10000000 0000001  2.02",
              "a NaN has no distance", "nan(0x7fc1)", "+0 against -0", "sign of zero 1"})
            QVERIFY2(text.find(part) != std::string::npos, qPrintable(QString::fromStdString(text)));
    }
};

QTEST_APPLESS_MAIN(TestComparisonJson)
#include "test_comparison_json.moc"
