// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/packing/pack.h"

using namespace isobit;

namespace {

Sample plain(Integers ids) {
    Sample sample{"s", ids, ids};
    return sample;
}

PackRequest requestOf(std::vector<Sample> samples, std::int64_t limit = 64, std::int64_t multiple = 1) {
    PackRequest request;
    request.limit = limit;
    request.row.multiple = multiple;
    request.samples = std::move(samples);
    return request;
}

PackedRow rowOf(std::vector<Sample> samples, std::int64_t multiple = 1) {
    return packSamples(requestOf(std::move(samples), 64, multiple)).value().rows.at(0);
}

std::string errorOf(const PackRequest& request) {
    const auto batch = packSamples(request);
    return batch ? "" : batch.error().message;
}

class TestPack : public QObject {
    Q_OBJECT
private slots:
    void samplesAreConcatenatedWithAShiftAndRestartingPositions() {
        const PackedRow row = rowOf({plain({1, 2, 3, 4}), plain({5, 6}), plain({7, 8, 9})});
        QCOMPARE(row.ids, (Integers{1, 2, 3, 5, 7, 8}));
        QCOMPARE(row.labels, (Integers{2, 3, 4, 6, 8, 9}));
        QCOMPARE(row.positions, (Integers{0, 1, 2, 0, 0, 1}));
        QCOMPARE(row.sampleLengths, (Integers{3, 1, 2}));
        QCOMPARE(row.cumulative, (Integers{0, 3, 4, 6}));
        QCOMPARE(row.longest, 3);
        QVERIFY(!row.shifted);
    }

    void shiftedTargetsAreLeftAloneAndNeverOverwrittenByLabels() {
        Sample sample{"s", {1, 2, 3}, Integers{20, 30, 40}, Integers{2, 3, 4}};
        sample.weights = {1, 1, 1};
        const PackedRow row = rowOf({sample});
        QCOMPARE(row.ids, (Integers{1, 2, 3}));
        QCOMPARE(row.labels, (Integers{20, 30, 40}));
        QCOMPARE(*row.targets, (Integers{2, 3, 4}));
        QVERIFY(row.shifted);
        const PackedRow fromTargets = rowOf({{"s", {1, 2}, std::nullopt, Integers{2, 3}}});
        QCOMPARE(fromTargets.labels, (Integers{2, 3}));
    }

    void withoutLabelsPackedRowsAreIgnoredAndUnpackedOnesEmpty() {
        QCOMPARE(rowOf({{"s", {1, 2, 3}}}).labels, (Integers{-100, -100}));
        QCOMPARE(rowOf({{"s", {1, 2, 3}}}).ids, (Integers{1, 2}));
        PackRequest request = requestOf({{"s", {1, 2, 3}}});
        request.packed = false;
        const PackedRow row = packSamples(request).value().rows.at(0);
        QCOMPARE(row.ids, (Integers{1, 2, 3}));
        QVERIFY(row.labels.empty());
    }

    void zeroWeightsAndZeroAdvantagesMaskLabelsAndTargets() {
        Sample weighted = plain({1, 2, 3, 4});
        weighted.weights = {1, 0, 1, 1};
        QCOMPARE(rowOf({weighted}).labels, (Integers{-100, 3, 4}));  // the first weight goes with the first label
        QCOMPARE(rowOf({weighted}).fields.at("weights"), (Numbers{0, 1, 1}));
        Sample advantaged{"s", {1, 2, 3}, std::nullopt, Integers{2, 3, 4}};
        advantaged.advantages = {0.5, -0.0, 1e-30};
        const PackedRow row = rowOf({advantaged});
        QCOMPARE(row.labels, (Integers{2, -100, 4}));
        QCOMPARE(*row.targets, (Integers{2, -100, 4}));
    }

    void weightsAreZeroOrOneAndAsManyAsTheIds() {
        Sample sample = plain({1, 2});
        sample.weights = {1, 0.5};
        QCOMPARE(errorOf(requestOf({sample})), "s: a weight is 0.5, expected 0 or 1");
        sample.weights = {1};
        QCOMPARE(errorOf(requestOf({sample})), "s: 1 weights, expected 2 as the ids");
        sample.weights.reset();
        sample.labels = Integers{1};
        QCOMPARE(errorOf(requestOf({sample})), "s: 1 labels, expected 2 as the ids");
    }

    void teacherFieldsEndWithTheContext() {
        Sample sample = plain({1, 2, 3});
        sample.context["teacher_logprobs"] = {-1, -2, -3};
        sample.context["shifted_already"] = {-4, -5};
        const PackedRow row = rowOf({sample}, 4);
        QCOMPARE(row.fields.at("teacher_logprobs"), (Numbers{-1, -2, 0, 0}));
        QCOMPARE(row.fields.at("shifted_already"), (Numbers{-4, -5, 0, 0}));
        sample.context["wrong"] = {1};
        QCOMPARE(errorOf(requestOf({sample})), "s: the teacher field wrong has 1 elements, expected 3 or 2");
    }

    void aRowIsPaddedByOneDocumentThatCounts() {
        Sample sample = plain({1, 2, 3, 4});
        sample.vectors["hidden"] = {{1, 2}, {3, 4}, {5, 6}};
        sample.targets.reset();
        const PackedRow row = rowOf({sample, plain({5, 6})}, 8);
        QCOMPARE(row.ids, (Integers{1, 2, 3, 5, 0, 0, 0, 0}));
        QCOMPARE(row.labels, (Integers{2, 3, 4, 6, -100, -100, -100, -100}));
        QCOMPARE(row.positions, (Integers{0, 1, 2, 0, 0, 1, 2, 3}));
        QCOMPARE(row.cumulative, (Integers{0, 3, 4, 8}));
        QCOMPARE(row.longest, 4);  // the padding is the longest document here
    }

    void vectorsArePaddedWithZeroVectors() {
        Sample sample = plain({1, 2, 3});
        sample.vectors["hidden"] = {{1, 2}, {3, 4}};
        QCOMPARE(rowOf({sample}, 4).vectors.at("hidden"), (std::vector<Numbers>{{1, 2}, {3, 4}, {0, 0}, {0, 0}}));
    }

    void theOfflineCollatorsPaddingPositionsGoRound() {
        PackRequest request = requestOf({plain({1, 2})}, 64, 8);
        request.row.positionCycle = 3;
        QCOMPARE(packSamples(request)->rows[0].positions, (Integers{0, 0, 1, 2, 0, 1, 2, 0}));
    }

    void lengthsAreAttachedOnlyWithoutContextParallelismAndForMoreThanOneSample() {
        QVERIFY(rowOf({plain({1, 2, 3})}, 8).cumulative.empty());
        PackRequest request = requestOf({plain({1, 2, 3}), plain({4, 5})});
        request.row.contextParallel = 2;
        QVERIFY(packSamples(request)->rows[0].cumulative.empty());
    }

    void aFieldOfAnotherLengthIsStoredOnceAndTheLastSampleWins() {
        Sample first = plain({1, 2, 3}), second = plain({4, 5, 6});
        first.fields["tag"] = {1, 2, 3, 4, 5};
        second.fields["tag"] = {9, 9, 9, 9, 9};
        const PackedBatch batch = packSamples(requestOf({first, second})).value();
        QCOMPARE(batch.rows[0].fields.at("tag"), (Numbers{9, 9, 9, 9, 9}));
        QCOMPARE(batch.warnings.size(), std::size_t(2));
    }

    void aFieldThatNotEverySampleHasIsSaid() {
        Sample first = plain({1, 2, 3});
        first.weights = {1, 1, 1};
        const PackedBatch batch = packSamples(requestOf({first, plain({4, 5})}, 64, 8)).value();
        QCOMPARE(batch.warnings, (std::vector<std::string>{"field weights covers 2 of 3 tokens: not every sample of the row has it"}));
    }

    void unpackedModeGivesARowASampleAndWarnsOfTheShift() {
        PackRequest request = requestOf({plain({1, 2, 3}), {"t", {4, 5}, std::nullopt, Integers{5, 6}}});
        request.samples[0].positions = Integers{7, 8, 9};
        request.packed = false;
        const PackedBatch batch = packSamples(request).value();
        QCOMPARE(batch.rows.size(), std::size_t(2));
        QCOMPARE(batch.rows[0].labels, (Integers{2, 3}));
        QCOMPARE(batch.rows[0].positions, (Integers{7, 8}));
        QCOMPARE(batch.rows[1].labels, (Integers{5, 6}));
        QCOMPARE(batch.warnings, (std::vector<std::string>{"s: labels were shifted in unpacked mode"}));
    }

    void nothingInIsNothingOut() {
        const PackedBatch batch = packSamples(requestOf({})).value();
        QVERIFY(batch.rows.empty() && batch.warnings.empty());
    }

    void whatIsTooLongIsRefusedSkippedOrCut() {
        PackRequest request = requestOf({plain({1, 2, 3, 4}), plain({5, 6})}, 3);
        QCOMPARE(errorOf(request), "s: has 4 tokens, expected at most 3");
        request.oversized = Oversized::Skip;
        QCOMPARE(packSamples(request)->order, (std::vector<std::size_t>{1}));
        request.oversized = Oversized::Truncate;
        request.samples[0].weights = {1, 1, 0, 1};
        request.samples[0].fields["short"] = {1, 2};
        const PackedBatch cut = packSamples(request).value();
        QCOMPARE(cut.rows[0].ids, (Integers{1, 2}));
        QCOMPARE(cut.rows[0].labels, (Integers{2, -100}));
        request.oversized = Oversized::Skip;
        request.samples = {plain({1, 2, 3, 4}), {"empty", {}}};
        QCOMPARE(errorOf(request), "no sample is left to pack: s has 4 tokens, more than 3; empty has no ids");
    }

    void paddingBeyondAnyMachineIsRefusedBeforeItIsMade() {
        PackRequest request = requestOf({}, 3);
        request.packed = false;
        request.samples.assign(9, plain({1, 2}));
        request.row.multiple = 1 << 20;
        QCOMPARE(errorOf(request), "the padded rows hold more than 8388608 numbers, at 1 a token and multiples of 1048576");
        request.samples.resize(1);
        request.samples[0].vectors["v"] = {Numbers(64), Numbers(64)};
        QCOMPARE(errorOf(request), "the padded rows hold more than 8388608 numbers, at 65 a token and multiples of 1048576");
        request.row.multiple = 128;
        QVERIFY(packSamples(request).has_value());
    }

    void samplesWithoutIdsAreDroppedWithAWarning() {
        const PackedBatch batch = packSamples(requestOf({{"empty", {}}, plain({1, 2})})).value();
        QCOMPARE(batch.order, (std::vector<std::size_t>{1}));
        QCOMPARE(batch.warnings, (std::vector<std::string>{"empty: has no ids, dropped"}));
    }

    void theOrderNamesTheOriginalOfEverySample() {
        PackRequest request = requestOf({plain({1, 2, 3, 4}), plain({5, 6}), plain({7, 8, 9})}, 6);
        request.strategy = BinStrategy::BestFit;
        QCOMPARE(packSamples(request)->order, (std::vector<std::size_t>{0, 1, 2}));
        request.limit = 5;
        QCOMPARE(packSamples(request)->order, (std::vector<std::size_t>{0, 1, 2}));
        request.samples = {plain({1, 2}), plain({3, 4, 5, 6}), plain({7, 8, 9})};
        QCOMPARE(packSamples(request)->order, (std::vector<std::size_t>{1, 0, 2}));
    }

    void teacherSequencesKeepTheirOwnPositionsAndTwoViewsOfTheCache() {
        Sample first = plain({1, 2, 3}), second = plain({4, 5, 6});
        first.teacher = TeacherSequence{{1, 2, 3}, {0, 2}, {10, 12}, 10};
        second.teacher = TeacherSequence{{4, 5}, {1}, {21, 20}, std::nullopt};
        const PackedBatch batch = packSamples(requestOf({first, second})).value();
        const PackedRow& row = batch.rows[0];
        QCOMPARE(row.teacherIds, (Integers{1, 2, 3, 4, 5}));
        QCOMPARE(row.teacherPositions, (Integers{0, 1, 2, 0, 1}));
        QCOMPARE(row.keptIndices, (Integers{0, 2, 4}));
        QCOMPARE(row.globalCache, (Integers{10, 12, 21, 20}));
        QCOMPARE(row.localCache, (Integers{0, 2, 3, 2}));
        QVERIFY(batch.warnings.at(0).find("no cache base is given") != std::string::npos);
        first.teacher->base = 11;  // an index below the base is at the start
        QCOMPARE(packSamples(requestOf({first}))->rows[0].localCache, (Integers{0, 1}));
    }

    void outputsAreCutAtTheZerosOfThePositions() {
        const Integers positions{0, 1, 2, 0, 1, 0, 1, 2};
        QCOMPARE(unpackOutput(positions, {1, 2, 3, 4, 5, 6, 7, 8}, 2).samples, (std::vector<Numbers>{{1, 2, 3}, {4, 5}}));
        QCOMPARE(unpackOutput(positions, {1, 2, 3, 4, 5}, 2).samples, (std::vector<Numbers>{{1, 2, 3}, {4, 5}}));
        QCOMPARE(unpackOutput(positions, {1, 2, 3}, 2).samples, (std::vector<Numbers>{{1, 2}, {3}}));  // one shorter each
        const UnpackedOutput odd = unpackOutput(positions, {1, 2, 3, 4}, 2);
        QCOMPARE(odd.samples, (std::vector<Numbers>{{1, 2, 3}, {4}}));
        QCOMPARE(odd.warning, "4 values for 5 tokens of 2 samples: sliced as they are");
    }

    void aDescriptionMayNestItsFieldsAndTheTopWins() {
        const Json document = parseJsonStrictly(
            R"({"format": "isobit.packing/1", "limit": 8, "multiple": 4, "samples": [{"model_input": {"input_ids": [1, 2, 3]},
                "loss_inputs": {"labels": [1, 2, 3], "advantages": [1, 1, 1]}, "advantages": [1, 0, 1], "old_logprobs": [-1, -2, -3]}]})", "d").value();
        const PackedBatch batch = packSamples(readPackRequest(document, "d").value()).value();
        QCOMPARE(batch.rows[0].labels, (Integers{-100, 3, -100, -100}));
        QCOMPARE(toJson(batch, 8)["rows"][0]["advantages"].dump(), "[[0.0,1.0,0.0,0.0]]");
    }

    void aBrokenDescriptionIsOneSentence_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("format") << R"({"format": "isobit.packed/1", "limit": 8, "samples": []})" << "d: format is \"isobit.packed/1\", expected one of isobit.packing/1";
        QTest::newRow("limit") << R"({"format": "isobit.packing/1", "limit": 0, "samples": []})" << "d: limit is 0, expected a whole number from 1 to 1073741824";
        QTest::newRow("samples") << R"({"format": "isobit.packing/1", "limit": 8})" << "d: samples: is missing or no list of samples";
        QTest::newRow("ids") << R"({"format": "isobit.packing/1", "limit": 8, "samples": [{"input_ids": [1, -2]}]})" << "d: samples[0]: input_ids[1] is -2, expected a whole number from 0 to 9007199254740991";
        QTest::newRow("text field") << R"({"format": "isobit.packing/1", "limit": 8, "samples": [{"input_ids": [1], "x": "y"}]})" << "d: samples[0]: x is \"y\", expected a list";
        QTest::newRow("kept") << R"({"format": "isobit.packing/1", "limit": 8, "samples": [{"input_ids": [1], "teacher": {"ids": [1], "kept": [1]}}]})" << "d: samples[0]: teacher.kept: index 1 lies outside 1 teacher ids";
    }
    void aBrokenDescriptionIsOneSentence() {
        QFETCH(QString, text);
        QFETCH(QString, sentence);
        const auto request = readPackRequest(parseJsonStrictly(text.toStdString(), "d").value(), "d");
        QVERIFY(!request);
        QCOMPARE(request.error().message, sentence.toStdString());
    }
};

}  // namespace

QTEST_GUILESS_MAIN(TestPack)
#include "test_pack.moc"
