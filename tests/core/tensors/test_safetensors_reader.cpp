// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/tensors/json_members.h"
#include "tests/support/tensor_files.h"

using namespace isobit;
using namespace isobit::test;

class TestSafetensorsReader : public QObject {
    Q_OBJECT
private slots:
    void everyTypeOfTheFormatIsListed() {
        const QTemporaryDir folder;
        for (const auto& [name, bits] : std::vector<std::pair<std::string, int>>{
                 {"BOOL", 8}, {"U8", 8}, {"I8", 8}, {"F8_E4M3", 8}, {"F8_E5M2", 8}, {"F8_E8M0", 8}, {"F8_E4M3FNUZ", 8},
                 {"F8_E5M2FNUZ", 8}, {"F4", 4}, {"F6_E2M3", 6}, {"F6_E3M2", 6}, {"U16", 16}, {"I16", 16}, {"F16", 16},
                 {"BF16", 16}, {"U32", 32}, {"I32", 32}, {"F32", 32}, {"C64", 64}, {"U64", 64}, {"I64", 64}, {"F64", 64}}) {
            const int bytes = 8 * bits / 8;
            const std::string header = fmt::format(
                R"({{"t":{{"dtype":"{}","shape":[2,4],"data_offsets":[0,{}]}}}})", name, bytes);
            const auto file = openTensorFile(write(folder, "f", safetensors(header, std::string(bytes, '\x01'))));
            QVERIFY2(file.has_value(), name.c_str());
            QCOMPARE(file->tensors()[0].storedType, name);
            QCOMPARE(file->tensors()[0].byteCount, std::uint64_t(bytes));
            QVERIFY(file->tensors()[0].storedShape == (Shape{2, 4}));
        }
    }

    void complexNumbersAreTwoWords() {
        const QTemporaryDir folder;
        const std::string path = write(folder, "f", safetensors(R"({"c":{"dtype":"C64","shape":[1],"data_offsets":[0,8]}})",
                                                                bytesOfAll<float>({1.0f, -2.0f})));
        QCOMPARE(wordsOf(path, "c"), std::string("3f800000 c0000000"));
    }

    void badHeadersAreRefusedInOneSentence_data() {
        QTest::addColumn<QString>("header");
        QTest::addColumn<QString>("part");
        const auto row = [](const char* name, const char* header, const char* part) { QTest::newRow(name) << header << part; };
        row("overlap", R"({"a":{"dtype":"U8","shape":[3],"data_offsets":[0,3]},"b":{"dtype":"U8","shape":[2],"data_offsets":[2,4]}})", "an overlap");
        row("twice the same bytes", R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"b":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}})", "an overlap");
        row("backwards", R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[4,0]}})", "run backwards");
        row("negative size", R"({"a":{"dtype":"U8","shape":[-2,-2],"data_offsets":[0,4]}})", "is negative");
        row("fraction", R"({"a":{"dtype":"U8","shape":[4.0],"data_offsets":[0,4]}})", "not an integer of 63 bits");
        row("over 63 bits", R"({"a":{"dtype":"U8","shape":[9223372036854775808,0],"data_offsets":[0,4]}})", "not an integer of 63 bits");
        row("overflow beside a zero", R"({"a":{"dtype":"U8","shape":[0,4294967296,4294967296],"data_offsets":[0,0]}})", "overflows");
        row("overflow in bits", R"({"a":{"dtype":"F64","shape":[2305843009213693952],"data_offsets":[0,0]}})", "overflows");
        row("unknown type", R"({"a":{"dtype":"F17","shape":[4],"data_offsets":[0,4]}})", "dtype \"F17\" is not one of the format's");
        row("odd F4", R"({"a":{"dtype":"F4","shape":[7],"data_offsets":[0,4]}})", "7 values of 4 bits are not whole bytes");
        row("no shape", R"({"a":{"dtype":"U8","data_offsets":[0,4]}})", "has no \"shape\"");
        row("no offsets", R"({"a":{"dtype":"U8","shape":[4]}})", "has no \"data_offsets\"");
        row("three offsets", R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4,4]}})", "has no \"data_offsets\"");
        row("extra key", R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4],"x":1}})", "has the key \"x\"");
        row("tensor no object", R"({"a":[0,4]})", "is not an object");
        row("NUL in a name", R"({"a\u0000b":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}})", "has a NUL");
        row("shape [1] without bytes", R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,0]}})", "needs 1 bytes");
        row("metadata list", R"({"__metadata__":[]})", "__metadata__ is not an object");
        row("null metadata value", R"({"__metadata__":{"k":null}})", "__metadata__ key \"k\"");
        row("not JSON", R"({"a":})", "is not JSON at byte");
    }
    void badHeadersAreRefusedInOneSentence() {
        QFETCH(QString, header);
        QFETCH(QString, part);
        const QTemporaryDir folder;
        const std::string problem = problemOf(write(folder, "bad", safetensors(header.toStdString(), std::string(4, '\0'))));
        VERIFY_CONTAINS(problem, part.toStdString());
        VERIFY_CONTAINS(problem, "/bad: ");
    }

    // Public report P055.
    void metadataMayBeNull() {
        const QTemporaryDir folder;
        const std::string header = R"({"__metadata__":null,"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})";
        QCOMPARE(wordsOf(write(folder, "f", safetensors(header, "x")), "a"), std::string("78"));
    }

    // Public report P097: what a failed merge leaves of a pointer.
    void aPointerWithConflictMarkersIsNamed() {
        const QTemporaryDir folder;
        VERIFY_CONTAINS(problemOf(write(folder, "f", "<<<<<<< HEAD\nversion https://git-lfs.github.com/spec/v1\noid sha256:0\n")),
                        "conflict markers");
    }

    // A document of the JSON library would take half a minute for as many keys.
    void aHundredThousandTensorsAreListedInTheirOrder() {
        const QTemporaryDir folder;
        constexpr int kTensors = 100'000;
        std::string header = "{";
        std::string map;
        for (int i = kTensors; i-- > 0;) {
            header += fmt::format(R"("t{}":{{"dtype":"U8","shape":[1],"data_offsets":[{},{}]}}{})", i, i, i + 1, i == 0 ? "}" : ",");
            map += fmt::format(R"("t{}":"a.safetensors"{})", i, i == 0 ? "" : ",");
        }
        const std::string path = write(folder, "a.safetensors", safetensors(header, std::string(kTensors, 'x')));
        const std::string index = write(folder, "a.index.json", R"({"weight_map":{)" + map + "}}");
        for (const std::string& name : {path, index}) {
            const auto file = openTensorFile(name);
            QVERIFY2(file.has_value(), file ? "" : file.error().message.c_str());
            QCOMPARE(file->tensors().size(), std::size_t(kTensors));
            QCOMPARE(file->tensors()[0].name, std::string("t99999"));
        }
    }

    void membersAreSplitByTheirBracketsAndQuotes() {
        const auto members = membersOf(" {\"a\" : [1,{\"b\":\"}\"}] , \"\\u0062\\\"\":\"x,\\\"}\" ,\"c\":-1.5e3} ", "text");
        QVERIFY2(members.has_value(), members ? "" : members.error().message.c_str());
        QCOMPARE(members->size(), std::size_t(3));
        QCOMPARE(std::string((*members)[0].value), std::string("[1,{\"b\":\"}\"}]"));
        QCOMPARE((*members)[1].key, std::string("b\""));
        QCOMPARE(std::string((*members)[2].value), std::string("-1.5e3"));
        QVERIFY(membersOf("{}", "text")->empty());
        for (const char* bad : {"", "{", "}", "{,}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{\"a\":1}x", "{a:1}", "{\"a\":1",
                                "{\"a\":\"x", "{\"a\\", "{\"a\":1]}", "[1]", "{\"\\x\":1}"})
            QVERIFY2(!membersOf(bad, "text"), bad);
        VERIFY_CONTAINS(membersOf("{\"a\":1,\"\\u0061\":2}", "text").error().message, "offset 7: duplicate key \"a\"");
    }

    void aHugeRankIsRefused() {
        const QTemporaryDir folder;
        std::string shape = "1";
        for (int i = 0; i < 300; ++i) shape += ",1";
        const std::string header = R"({"a":{"dtype":"U8","shape":[)" + shape + R"(],"data_offsets":[0,1]}})";
        VERIFY_CONTAINS(problemOf(write(folder, "f", safetensors(header, "x"))), "too many dimensions (301)");
    }

    void tensorsKeepTheOrderOfTheHeader() {
        const QTemporaryDir folder;
        const std::string header = R"({"z":{"dtype":"U8","shape":[1],"data_offsets":[1,2]},)"
                                   R"("a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})";
        const auto file = openTensorFile(write(folder, "f", safetensors(header, "xy")));
        QVERIFY(file.has_value());
        QCOMPARE(file->tensors()[0].name, std::string("z"));
        QCOMPARE(wordsOf(*file, "z"), std::string("79"));
    }

    void aShardedSetIsOneListAndItsShardsStayBelowTheIndex() {
        const QTemporaryDir folder;
        write(folder, "one.safetensors", safetensors(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})", "x"));
        write(folder, "two.safetensors",
              safetensors(R"({"b":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"c":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})", "yz"));
        const std::string index = write(folder, "model.safetensors.index.json",
                                        R"({"metadata":{"total_size":3},"weight_map":{"b":"two.safetensors","a":"one.safetensors"}})");
        const auto set = openTensorFile(index);
        QVERIFY(set.has_value());
        QCOMPARE(set->format(), std::string("safetensors set"));
        QCOMPARE(set->tensors()[0].name, std::string("b"));
        QCOMPARE(set->tensors()[0].file, std::string("two.safetensors"));
        QCOMPARE(wordsOf(*set, "a"), std::string("78"));
        QCOMPARE(set->ignored(), std::vector<std::string>{"\"c\" in two.safetensors: not in the index"});
        const auto byFolder = openTensorFile(folder.path().toStdString());
        QVERIFY(byFolder.has_value());
        QCOMPARE(byFolder->format(), std::string("safetensors set"));

        for (const auto& [map, part] : std::vector<std::pair<std::string, std::string>>{
                 {R"({"a":"../one.safetensors"})", "has \"..\""},
                 {R"({"a":"/etc/hostname"})", "is not relative"},
                 {R"({"a":"none.safetensors"})", "No such file"},
                 {R"({"missing":"one.safetensors"})", "is not in \"one.safetensors\", where the index puts it"},
                 {R"({"a":"model.safetensors.index.json"})", "as a shard, which is not a safetensors file"},
                 {R"({"a":1})", "is not a file name"}}) {
            const std::string bad = write(folder, "model.safetensors.index.json", R"({"weight_map":)" + map + "}");
            VERIFY_CONTAINS(problemOf(bad), part);
        }
    }
};

QTEST_APPLESS_MAIN(TestSafetensorsReader)
#include "test_safetensors_reader.moc"
