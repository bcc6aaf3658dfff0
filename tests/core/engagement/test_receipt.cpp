// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/receipts.h"

using namespace isobit;

namespace {

Json schema() { return parseJsonStrictly(receiptSchema(), "schema").value(); }

// What the schema calls an object: its own place in a good receipt.
Json& placeOf(Json& receipt, const std::string& definition) {
    if (definition == "contract") return receipt["contracts"][1];
    if (definition == "table") return receipt["tables"][0];
    if (definition == "cast") return receipt["tables"][0]["transport"][0];
    if (definition == "arrival") return receipt["tables"][0]["arrivals"][0];
    return receipt["weights"][0];
}

bool reads(const Json& document) { return readReceipt(document, "r").has_value(); }

class TestReceipt : public QObject {
    Q_OBJECT
private slots:
    void whatTheEmitterWroteIsRead() {
        const Receipt receipt = receiptOf("trainer_downcast.json");
        QCOMPARE(receipt.side, "trainer");
        QCOMPARE(receipt.contracts.size(), std::size_t(5));
        QCOMPARE(receipt.contracts[1].observed, 12);
        QCOMPARE(receipt.contracts[1].table, "rope");
        QCOMPARE(receipt.tables[0].theta, 1e6);
        QCOMPARE(receipt.tables[0].transport[0].to, "bfloat16");
        QCOMPARE(receipt.tables[0].arrivals[2].tableDtype, "bfloat16");
        QCOMPARE(*findText(receipt.options, "rope_class_b"), "true");
        QCOMPARE(receipt.environment.at("XORL_BI_TRUNK_LINEAR"), "1");
        QCOMPARE(textOf(receipt.topology), "TP1 FSDP1 PP1 CP1 EP1 DP1");
    }

    void theSchemaAndTheReaderNameTheSameRequiredKeys() {
        const Json good = receiptDocument("trainer_downcast.json");
        QVERIFY(reads(good));
        const Json document = schema();
        for (const Json& key : document["required"]) {
            Json receipt = good;
            receipt.erase(key.get<std::string>());
            QVERIFY2(!reads(receipt), key.get<std::string>().c_str());
        }
        for (const char* definition : {"contract", "table", "cast", "arrival", "weight"})
            for (const Json& key : document["$defs"][definition]["required"]) {
                Json receipt = good;
                placeOf(receipt, definition).erase(key.get<std::string>());
                QVERIFY2(!reads(receipt), (definition + ("." + key.get<std::string>())).c_str());
            }
    }

    // A key that the schema has and the reader does not know would be refused, and the other way round.
    void theSchemaAndTheReaderKnowTheSameKeys() {
        const Json document = schema();
        const Json good = receiptDocument("trainer_downcast.json");
        const auto valueFor = [&](const Json& property) -> Json {
            if (property.contains("enum")) return property["enum"][0];
            if (property.contains("const")) return property["const"];
            if (property.contains("$ref")) {
                const std::string name = property["$ref"].get<std::string>().substr(8);
                if (name == "count" || name == "ranks") return 1;
                if (name == "texts") return Json::object();
                return std::string(name == "sha256" ? 64 : 1, 'a');
            }
            const std::string type = property["type"];
            return type == "boolean" ? Json(true) : type == "number" ? Json(1.5) : type == "array" ? Json::array() : Json(type == "object" ? Json::object() : Json("a"));
        };
        for (const auto& [key, property] : document["properties"].items()) {
            Json receipt = good;
            receipt[key] = valueFor(property);
            QVERIFY2(reads(receipt), key.c_str());
        }
        for (const char* definition : {"contract", "table", "cast", "arrival", "weight"})
            for (const auto& [key, property] : document["$defs"][definition]["properties"].items()) {
                Json receipt = good;
                placeOf(receipt, definition)[key] = valueFor(property);
                const auto read = readReceipt(receipt, "r");
                QVERIFY2(read.has_value(), read ? "" : read.error().message.c_str());
                placeOf(receipt, definition)["unknown_key"] = 1;
                QVERIFY(!reads(receipt));
            }
    }

    void brokenReceiptsAreRefusedInOneSentence_data() {
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("other format") << "/format" << "\"isobit.receipt/2\"" << "r: format: \"isobit.receipt/2\" is not \"isobit.receipt/1\"";
        QTest::newRow("negative count") << "/contracts/1/observed" << "-1" << "r: contracts[1].observed is -1, expected a whole number from 0";
        QTest::newRow("count as text") << "/contracts/0/expected" << "\"24\"" << "r: contracts[0].expected is \"24\", expected a whole number";
        QTest::newRow("unknown surface") << "/contracts/0/surface" << "\"gelu\"" << "r: contracts[0].surface is \"gelu\", expected one of attention";
        QTest::newRow("contract twice") << "/contracts/0/name" << "\"gemm\"" << "r: contracts: \"gemm\" is there twice";
        QTest::newRow("no identifier") << "/contracts/0/name" << "\"../gemm\"" << "is not an identifier";
        QTest::newRow("short digest") << "/tables/0/sha256" << "\"abc\"" << "r: tables[0].sha256 is \"abc\", expected 64";
        QTest::newRow("no ranks") << "/topology/tp" << "0" << "r: topology.tp is 0, expected a whole number from 1";
        QTest::newRow("list in texts") << "/environment" << "{\"A\": []}" << "r: environment.A is a list of 0, expected a text";
    }
    void brokenReceiptsAreRefusedInOneSentence() {
        QFETCH(QString, pointer);
        QFETCH(QString, value);
        QFETCH(QString, sentence);
        Json document = receiptDocument("trainer.json");
        document[Json::json_pointer(pointer.toStdString())] = Json::parse(value.toStdString());
        const auto read = readReceipt(document, "r");
        QVERIFY(!read);
        QVERIFY2(read.error().message.find(sentence.toStdString()) != std::string::npos, read.error().message.c_str());
    }

    void theShippedEmitterIsTheOneThatWroteTheExamples() {
        QVERIFY(receiptEmitter().find("isobit.receipt/1") != std::string_view::npos);
        QVERIFY(std::ranges::count(receiptEmitter(), '\n') <= 60);
        QVERIFY(isReceipt(receiptDocument("sampler.json")));
        QVERIFY(!isReceipt(Json::array()));
    }
};

}  // namespace

QTEST_GUILESS_MAIN(TestReceipt)
#include "test_receipt.moc"
