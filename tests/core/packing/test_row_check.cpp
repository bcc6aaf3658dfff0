// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <functional>
#include <set>

#include "core/packing/pack.h"
#include "core/packing/row_batching.h"
#include "core/packing/row_check.h"
#include "core/tensors/number_lists.h"

using namespace isobit;

namespace {

using Change = std::function<void(Json&)>;

// Two rows of 8: samples of 3 and 1 tokens after the shift, and one of 4.
Json packed() {
    PackRequest request;
    request.limit = 6;
    request.row.multiple = 8;
    for (const Integers& ids : {Integers{1, 2, 3, 4}, Integers{5, 6}, Integers{7, 8, 9, 10, 11}}) request.samples.push_back({"s", ids, ids});
    return toJson(packSamples(request).value(), 6);
}

std::string rulesOf(const FoundBatch& batch) {
    std::set<std::string> rules;
    for (const PackingFinding& finding : checkRows(batch)) rules.insert(finding.rule);
    std::string text;
    for (const std::string& rule : rules) text += (text.empty() ? "" : " ") + rule;
    return text;
}

TensorFile captureOf(const Integers& ids, const Integers& positions, const Integers& lengths) {
    TensorFile file("capture", "test");
    const auto add = [&](const char* name, const Integers& values) {
        TensorInfo info;
        info.name = name;
        (void)addIntegers(file, info, values);
    };
    add("step0.token_ids", ids);
    add("step0.positions", positions);
    add("cu_seqlens", lengths);
    return file;
}

class TestRowCheck : public QObject {
    Q_OBJECT
private slots:
    void eachBrokenRuleIsNamed_data() {
        QTest::addColumn<Change>("change");
        QTest::addColumn<QString>("rules");
        const auto row = [](const char* name, Change change, const char* rules) { QTest::newRow(name) << change << rules; };
        row("as it was packed", [](Json&) {}, "");
        row("too few labels", [](Json& d) { d["rows"][0]["labels"][0].erase(0); }, "lengths.equal");
        row("too few of a field", [](Json& d) { d["rows"][0]["old_logprobs"] = Json::array({{1, 2}}); }, "lengths.equal");
        row("positions that do not restart", [](Json& d) { d["rows"][0]["position_ids"][0][3] = 3; }, "lengths.cumulative samples.boundary");
        row("positions that jump", [](Json& d) { d["rows"][0]["position_ids"][0][2] = 5; }, "positions.restart");
        row("positions that begin late", [](Json& d) { d["rows"][1]["position_ids"][0] = {1, 2, 3, 4, 0, 1, 2, 3}; }, "positions.start samples.boundary");
        row("merged documents", [](Json& d) { d["rows"][0]["cumulative_lengths"] = {0, 4, 8}; }, "lengths.cumulative");
        row("padding not counted", [](Json& d) { d["rows"][0]["longest"] = 3; }, "lengths.longest");
        row("above the limit", [](Json& d) { d["limit"] = 3; }, "rows.limit");
        row("a sample length too many", [](Json& d) { d["rows"][0]["sample_lengths"].push_back(1); }, "samples.count");
        row("sample lengths beyond the row", [](Json& d) { d["limit"] = 99; d["rows"][0]["sample_lengths"] = {3, 9}; }, "samples.length");
        row("a sample twice", [](Json& d) { d["order"] = {0, 1, 1}; }, "samples.once");
        row("a sample lost", [](Json& d) { d["order"] = {0, 1}; }, "samples.once");
        row("nothing to learn", [](Json& d) { for (auto& r : d["rows"]) for (auto& l : r["labels"][0]) l = -100; }, "labels.none");
        row("routing items as many as samples", [](Json& d) { d["routing_items"] = 3; }, "");
        row("routing items as many as rows", [](Json& d) { d["routing_items"] = 2; }, "routing.count");
        row("no row", [](Json& d) { d["rows"] = Json::array(); d.erase("order"); }, "rows.none");
        row("an empty row", [](Json& d) { d["rows"][1] = {{"input_ids", Json::array({Json::array()})}}; }, "rows.empty");
    }
    void eachBrokenRuleIsNamed() {
        QFETCH(Change, change);
        QFETCH(QString, rules);
        Json document = packed();
        change(document);
        const auto batch = readPackedBatch(document, "d");
        QVERIFY2(batch.has_value(), batch ? "" : batch.error().message.c_str());
        QCOMPARE(rulesOf(*batch), rules.toStdString());
    }

    void mergedRowsKeepTheRules() {
        Json document = packed();
        document["rows"] = batchRows({document["rows"][0], document["rows"][1]}, 2);
        document.erase("order");
        document["limit"] = 99;
        QCOMPARE(rulesOf(readPackedBatch(document, "d").value()), "");
        document["rows"][0]["provenance"]["spans"][1] = {4, 20};
        QCOMPARE(rulesOf(readPackedBatch(document, "d").value()), "provenance.span");
        document = packed();
        document["rows"][0]["provenance"] = 1;
        QVERIFY(!readPackedBatch(document, "d"));
    }

    void aBrokenDocumentIsOneSentence() {
        Json document = packed();
        document["rows"][0]["input_ids"] = {1, 2};
        QCOMPARE(readPackedBatch(document, "d").error().message, "d: rows[0].input_ids: is a list of 2, expected one row [[...]]");
        document = packed();
        document["rows"][0]["labels"][0][0] = "x";
        QVERIFY(readPackedBatch(document, "d").error().message.find("d: rows[0].labels: holds something else") == 0);
    }

    void aCaptureIsCheckedByItsTensors() {
        QCOMPARE(rulesOf(rowsOfCapture(captureOf({1, 2, 3, 4}, {0, 1, 0, 1}, {0, 2, 4})).value()), "");
        QCOMPARE(rulesOf(rowsOfCapture(captureOf({1, 2, 3, 4}, {0, 1, 0, 1}, {0, 4})).value()), "lengths.cumulative");
        QCOMPARE(rulesOf(rowsOfCapture(captureOf({1, 2, 3}, {0, 1}, {0, 2})).value()), "lengths.equal");
        QVERIFY(!rowsOfCapture(TensorFile("empty", "test")));
    }
};

}  // namespace

QTEST_GUILESS_MAIN(TestRowCheck)
#include "test_row_check.moc"
