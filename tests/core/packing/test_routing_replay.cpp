// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <fstream>

#include "core/packing/payload_manifest.h"
#include "core/packing/routing_replay.h"

using namespace isobit;

namespace {

namespace fs = std::filesystem;
using Wholes = std::vector<std::int64_t>;

// Tokens numbered from `first`, one layer, two experts: n and n + 100.
RoutingItem itemOf(std::int64_t tokens, std::int32_t first) {
    RoutingItem item{tokens, 1, 2, {}, {}};
    for (std::int32_t i = 0; i < tokens; ++i) {
        item.experts.insert(item.experts.end(), {first + i, first + i + 100});
        item.weights.insert(item.weights.end(), {0.75f, 0.25f});
    }
    return item;
}

std::vector<std::int32_t> firstExperts(const RoutingItem& row) {
    std::vector<std::int32_t> first;
    for (std::size_t i = 0; i < row.experts.size(); i += 2) first.push_back(row.experts[i]);
    return first;
}

void write(const std::string& path, const std::string& text) {
    fs::create_directories(fs::path(path).parent_path());
    std::ofstream(path, std::ios::binary) << text;
}

class Payload {
public:
    Payload() {
        for (int i = 0; i < 3; ++i) write(path("ids/" + std::to_string(i) + ".bin"), std::string(24, static_cast<char>('a' + i)));
        save();
    }
    std::string path(const std::string& name) const { return (folder.path() + "/").toStdString() + name; }
    void save() const { write(path("manifest.json"), manifest.dump()); }
    std::string errorOf() const {
        save();
        const auto items = fetchPayload(reference);
        return items ? "" : items.error().message;
    }
    QTemporaryDir folder;
    Json manifest = Json::parse(R"({"format": "isobit.routing-payload", "version": 2, "kind": "ids", "dtype": "int32", "count": 3, "items":
        [{"file": "ids/0.bin", "shape": [3, 1, 2], "bytes": 24}, {"file": "ids/1.bin", "shape": [3, 1, 2], "bytes": 24},
         {"file": "ids/2.bin", "shape": [3, 1, 2], "bytes": 24}]})");
    PayloadReference reference{path("manifest.json"), "ids", 3, 1, 1};
};

class TestRoutingReplay : public QObject {
    Q_OBJECT
private slots:
    void itemsArePerSampleAndFillersTakeNone() {
        QCOMPARE(routingSlice({2, 3, 1, 1}, 1, 3, 7).value(), (RoutingSlice{2, 4}));
        QCOMPARE(routingSlice({2, 3}, 2, 2, 5).value(), (RoutingSlice{5, 0}));
    }

    // Upstream only warns, and every later sample replays another's experts.
    void aCountThatDoesNotFitIsAnError() {
        QCOMPARE(routingSlice({2, 3}, 0, 1, 4).error().message, "the payload has 4 items and the rows have 5 samples");
    }

    void idsAndWeightsAreCutTogetherAndTheMetadataIsRemoved() {
        Json row{{"batch_id", 0}, {"routing_offset", 1}, {"routing_count", 2}};
        const auto cut = sliceRouting({Json{"a", "b", "c"}, Json{1, 2, 3}}, row, {0, 1}).value();
        QCOMPARE(cut.ids.dump(), R"(["b","c"])");
        QCOMPARE(cut.weights.dump(), "[2,3]");
        QCOMPARE(row.dump(), R"({"batch_id":0})");
        QCOMPARE(sliceRouting({Json{"a", "b"}, nullptr}, row, {1, 1})->ids.dump(), R"(["b"])");
    }

    void payloadsThatAreNotAlignedAreRefused() {
        Json row = Json::object();
        QVERIFY(!sliceRouting({Json{"a", "b"}, Json{1}}, row, {0, 1}));
        QVERIFY(!sliceRouting({Json{"a", nullptr}, nullptr}, row, {0, 1}));
        QVERIFY(!sliceRouting({Json{"a"}, nullptr}, row, {0, 2}));
        QVERIFY(!sliceRouting({Json("a"), nullptr}, row, {0, 0}));
        Json half{{"routing_offset", 1}};
        QVERIFY(!sliceRouting({Json{"a", "b"}, nullptr}, half, {0, 1}));
    }

    void samplesFollowEachOtherAndTheRestIsFiller() {
        const RoutingItem row = rowRouting({itemOf(2, 10), itemOf(1, 20)}, {{2, 1, 2}, 1, 0, 5, 1, 2}).value();
        QCOMPARE(firstExperts(row), (std::vector<std::int32_t>{10, 11, 20, 0, 0}));
        QCOMPARE(row.experts[7], 1);  // fillers take experts 0 ... topk - 1
        QCOMPARE(row.weights[0], 0.75f);
        QCOMPARE(row.weights[6], 0.5f);
        QCOMPARE(rowRouting({itemOf(4, 10)}, {{4}, 1, 0, 2, 1, 2})->tokens, 2);  // too much is cut off
    }

    void aRingTakesTwoMirroredChunksOfEveryDocument() {
        QCOMPARE(zigZag({8}, 2, 0).value(), (Wholes{0, 1, 6, 7}));
        QCOMPARE(zigZag({8}, 2, 1).value(), (Wholes{2, 3, 4, 5}));
        QCOMPARE(zigZag({4, 8}, 2, 0).value(), (Wholes{0, 3, 4, 5, 10, 11}));
        QCOMPARE(zigZag({3}, 1, 0).value(), (Wholes{0, 1, 2}));
        QCOMPARE(zigZag({6}, 2, 0).error().message, "a document of 6 tokens does not divide into 4 chunks of a ring of 2");
        QCOMPARE(firstExperts(rowRouting({itemOf(6, 10)}, {{8}, 2, 0, 4, 1, 2}).value()), (std::vector<std::int32_t>{10, 11, 0, 0}));
    }

    void itemsOfAnotherShapeAreRefused() {
        QVERIFY(!rowRouting({itemOf(2, 1)}, {{2}, 1, 0, 2, 1, 4}));
        RoutingItem torn = itemOf(2, 1);
        torn.experts.pop_back();
        QVERIFY(!rowRouting({torn}, {{2}, 1, 0, 2, 1, 2}));
        torn = itemOf(2, 1);
        torn.weights.pop_back();
        QVERIFY(!rowRouting({torn}, {{2}, 1, 0, 2, 1, 2}));
        QVERIFY(!rowRouting({}, {{2}, 1, 0, 2, 0, 2}));
    }

    void topkComesFromTheNestedConfigFirst() {
        QCOMPARE(topkOf(Json{{"num_experts_per_tok", 4}, {"text_config", {{"num_experts_per_tok", 8}}}}), std::optional<std::int64_t>(8));
        QCOMPARE(topkOf(Json{{"num_experts_per_tok", 4}, {"text_config", Json::object()}}), std::optional<std::int64_t>(4));
        QVERIFY(!topkOf(Json{{"num_experts_per_tok", "8"}}));
        QCOMPARE(shapeOf(std::vector<std::int32_t>(24), 3, 1, 8)->topk, 8);
        QCOMPARE(shapeOf(std::vector<std::int32_t>(24), 3, 1, 2)->topk, 8);  // 2 does not fit, 8 does
        QCOMPARE(shapeOf(std::vector<std::int32_t>(48), 3, 1, std::nullopt)->topk, 16);
        QVERIFY(!shapeOf(std::vector<std::int32_t>(21), 3, 1, std::nullopt));
    }

    void onlyTheWantedItemsAreRead() {
        const Payload payload;
        fs::remove(payload.path("ids/0.bin"));
        const auto items = fetchPayload(payload.reference);
        QVERIFY2(items.has_value(), items ? "" : items.error().message.c_str());
        QCOMPARE(items->size(), std::size_t(1));
        QCOMPARE(items->front().bytes, std::string(24, 'b'));
        QCOMPARE(items->front().shape, (Wholes{3, 1, 2}));
    }

    void aManifestThatBreaksARuleIsRefused_data() {
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<QString>("value");
        QTest::newRow("format") << "/format" << "\"pickle\"";
        QTest::newRow("version") << "/version" << "1";
        QTest::newRow("kind") << "/kind" << "\"weights\"";
        QTest::newRow("dtype") << "/dtype" << "\"float32\"";
        QTest::newRow("count") << "/count" << "2";
        QTest::newRow("items") << "/items" << "[]";
        QTest::newRow("two sizes") << "/items/1/shape" << "[3, 2]";
        QTest::newRow("negative size") << "/items/1/shape" << "[3, -1, 2]";
        QTest::newRow("overflow") << "/items/1/shape" << "[9007199254740991, 9007199254740991, 2]";
        QTest::newRow("bytes") << "/items/1/bytes" << "20";
        QTest::newRow("another folder") << "/items/1/file" << "\"weights/1.bin\"";
        QTest::newRow("below the folder") << "/items/1/file" << "\"ids/a/1.bin\"";
        QTest::newRow("out of the folder") << "/items/1/file" << "\"ids/..\"";
        QTest::newRow("an unknown key") << "/more" << "1";
    }
    void aManifestThatBreaksARuleIsRefused() {
        QFETCH(QString, pointer);
        QFETCH(QString, value);
        Payload payload;
        payload.manifest[Json::json_pointer(pointer.toStdString())] = Json::parse(value.toStdString());
        const std::string error = payload.errorOf();
        QVERIFY2(error.find("manifest.json") != std::string::npos || error.find("ids/..") != std::string::npos, error.c_str());
    }

    void linksOtherSizesAndOtherNamesAreRefused() {
        Payload payload;
        write(payload.path("ids/1.bin"), "short");
        QVERIFY(payload.errorOf().find("5 bytes on disk, expected 24") != std::string::npos);
        fs::remove(payload.path("ids/1.bin"));
        fs::create_symlink(payload.path("ids/0.bin"), payload.path("ids/1.bin"));
        QVERIFY(payload.errorOf().find("symbolic link") != std::string::npos);
        payload.reference.offset = 3;
        QVERIFY(payload.errorOf().find("items 3 to 4 are wanted of 3") != std::string::npos);
        payload.reference = {payload.path("other.json"), "ids", 3, 0, 1};
        QVERIFY(payload.errorOf().find("no absolute path of a file named manifest.json") != std::string::npos);
        payload.reference = {"manifest.json", "ids", 3, 0, 1};
        QVERIFY(!payload.errorOf().empty());
        const Payload linked;
        fs::create_directory(payload.path("linked"));
        fs::create_symlink(linked.path("manifest.json"), payload.path("linked/manifest.json"));
        payload.reference = {payload.path("linked/manifest.json"), "ids", 3, 0, 1};
        QVERIFY(payload.errorOf().find("symbolic link") != std::string::npos);
    }

    void serialisedObjectsAreNeverRead() {
        for (const char* old : {R"("gASVCg==")", R"({"pickle": "gASVCg=="})", R"({"payload": "x", "manifest": "/a/manifest.json"})"})
            QVERIFY2(readPayloadReference(Json::parse(old), "row").error().message.find("could run code") != std::string::npos, old);
        const auto reference = readPayloadReference(Json::parse(R"({"manifest": "/a/manifest.json", "kind": "ids", "count": 2})"), "row").value();
        QCOMPARE(reference.wanted, 2);
        QVERIFY(!readPayloadReference(Json::parse(R"({"manifest": "/a/manifest.json", "kind": "code", "count": 2})"), "row"));
    }
};

}  // namespace

QTEST_GUILESS_MAIN(TestRoutingReplay)
#include "test_routing_replay.moc"
