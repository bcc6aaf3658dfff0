// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/packing/row_batching.h"

using namespace isobit;

namespace {

Json row(const std::string& text) { return parseJsonStrictly(text, "row").value(); }

Json rowOf(int id, std::size_t tokens, const char* request = "r") {
    Json document{{"batch_id", id}, {"request_id", request}, {"sample_count", 1}, {"shifted", true}};
    Integers ids(tokens, id), positions;
    for (std::size_t i = 0; i < tokens; ++i) positions.push_back(static_cast<std::int64_t>(i));
    document["input_ids"] = Json::array({ids});
    document["labels"] = Json::array({ids});
    document["position_ids"] = Json::array({positions});
    document["sample_lengths"] = Json::array({tokens});
    return document;
}

class TestRowBatching : public QObject {
    Q_OBJECT
private slots:
    void theSizeIsAWholeNumberFromOne() {
        QCOMPARE(rowBatchSize(nullptr, 4).value(), 4);
        QCOMPARE(rowBatchSize(2, 4).value(), 2);
        for (const Json& bad : {Json(true), Json(0), Json(-1), Json(2.0), Json("2")}) QVERIFY2(!rowBatchSize(bad, 4), bad.dump().c_str());
    }

    void aSizeOfOneOrASingleRowLeavesRowsUntouched() {
        const std::vector<Json> rows{rowOf(7, 2), rowOf(8, 3)};
        QVERIFY(batchRows(rows, 1) == rows);
        QVERIFY(batchRows({rowOf(7, 2)}, 4) == std::vector<Json>{rowOf(7, 2)});
    }

    void rowsAreMergedAndRememberWhereTheyCameFrom() {
        const std::vector<Json> rows = batchRows({rowOf(7, 2, "a"), rowOf(8, 3, "b"), rowOf(9, 1, "c")}, 2);
        QCOMPARE(rows.size(), std::size_t(2));
        QCOMPARE(rows[0]["input_ids"].dump(), "[[7,7,8,8,8]]");
        QCOMPARE(rows[0]["cumulative_lengths"].dump(), "[0,2,5]");
        QCOMPARE(rows[0]["longest"].get<int>(), 3);
        QCOMPARE(rows[0]["sample_count"].get<int>(), 2);
        QCOMPARE(rows[0]["sample_lengths"].dump(), "[2,3]");
        QCOMPARE(rows[0]["request_id"].get<std::string>(), "a");
        QCOMPARE(rows[0]["batch_id"].get<int>(), 0);
        QCOMPARE(rows[0]["provenance"].dump(),
                 R"({"batch_ids":[7,8],"request_ids":["a","b"],"sample_counts":[1,1],"spans":[[0,2],[2,5]],"group_size":2})");
        QCOMPARE(rows[1]["provenance"].dump(), R"({"batch_ids":[9],"request_ids":["c"],"sample_counts":[1],"spans":[[0,1]],"group_size":1})");
        QCOMPARE(rows[1]["batch_id"].get<int>(), 1);
    }

    void rowsOfDifferentScalarsAreNotMergedButGetProvenanceAndNewIds() {
        Json hot = rowOf(7, 2), cold = rowOf(8, 2);
        hot["temperature"] = 1.0;
        cold["temperature"] = 0.7;
        const std::vector<Json> rows = batchRows({hot, cold}, 2);
        QCOMPARE(rows.size(), std::size_t(2));
        for (int i = 0; i < 2; ++i) {
            QCOMPARE(rows[static_cast<std::size_t>(i)]["batch_id"].get<int>(), i);
            QCOMPARE(rows[static_cast<std::size_t>(i)]["provenance"]["group_size"].get<int>(), 1);
        }
    }

    void onlyTheFirstOfAGroupGoesAloneAndTheNextIsTriedAgain() {
        Json odd = rowOf(1, 2);
        odd["extra"] = Json::array({Integers{1, 2}});
        QCOMPARE(batchRows({odd, rowOf(2, 2), rowOf(3, 2)}, 2).size(), std::size_t(2));
    }

    void whatIsNoSingleRowNorAScalarCannotBeMerged() {
        QVERIFY(isMergeable(rowOf(1, 2)));
        Json nested = rowOf(1, 2);
        nested["image"] = Json::object();
        QVERIFY(!isMergeable(nested));
        Json twoRows = rowOf(1, 2);
        twoRows["labels"] = Json::array({Integers{1, 2}, Integers{1, 2}});
        QVERIFY(!isMergeable(twoRows));
        Json shorter = rowOf(1, 2);
        shorter["labels"] = Json::array({Integers{1}});
        QVERIFY(!isMergeable(shorter));
        const std::vector<Json> rows = batchRows({nested, rowOf(2, 2)}, 2);
        QCOMPARE(rows[0]["provenance"]["spans"].size(), std::size_t(0));
    }

    void aShiftedFlagIsTheAndOfAll() {
        Json other = rowOf(2, 2);
        other["shifted"] = false;
        QVERIFY(!batchRows({rowOf(1, 2), other}, 2)[0]["shifted"].get<bool>());
        QVERIFY(batchRows({rowOf(1, 2), rowOf(2, 2)}, 2)[0]["shifted"].get<bool>());
    }

    void provenanceIsCarriedOnWithItsSpansMovedAndMalformedOnesSkipped() {
        Json second = rowOf(2, 4);
        second["provenance"] = row(R"({"batch_ids": [5, 6], "request_ids": ["x", "y"], "sample_counts": [1, 2], "spans": [[0, 1], [3, 1], "z", [1, 4]]})");
        const Json merged = batchRows({rowOf(1, 2), second}, 2)[0];
        QCOMPARE(merged["provenance"]["spans"].dump(), "[[0,2],[2,3],[3,6]]");
        QCOMPARE(merged["provenance"]["batch_ids"].dump(), "[1,5,6]");
        QCOMPARE(merged["provenance"]["group_size"].get<int>(), 3);
    }

    void requestIdsBecomeTexts() {
        Json numbered = rowOf(1, 2);
        numbered["request_id"] = 12;
        QCOMPARE(batchRows({numbered, rowOf(2, 2)}, 2)[0]["provenance"]["request_ids"].dump(), R"(["12","r"])");
    }
};

}  // namespace

QTEST_GUILESS_MAIN(TestRowBatching)
#include "test_row_batching.moc"
