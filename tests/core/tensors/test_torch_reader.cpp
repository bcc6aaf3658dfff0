// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0

// Archives as torch.save writes them, with pickles written opcode by opcode (protocol 2).
#include "tests/support/zip_files.h"

using namespace isobit;
using namespace isobit::test;

namespace {

std::string text(const std::string& value) { return "X" + little(value.size(), 4) + value; }
std::string global(const std::string& module, const std::string& name) { return "c" + module + "\n" + name + "\n"; }
std::string integer(std::int64_t value) { return "\x8a\x08" + little(std::uint64_t(value), 8); }
std::string tuple(const std::vector<std::int64_t>& values) {
    std::string items = "(";
    for (const std::int64_t value : values) items += integer(value);
    return items + "t";
}

std::string storage(const std::string& type, const std::string& key, std::int64_t elements) {
    return "(" + text("storage") + global("torch", type) + text(key) + text("cpu") + integer(elements) + "tQ";
}

// torch._utils._rebuild_tensor_v2(storage, offset, size, stride, requires_grad, hooks)
std::string tensor(const std::string& where, std::int64_t offset, const std::vector<std::int64_t>& size,
                   const std::vector<std::int64_t>& stride) {
    return global("torch._utils", "_rebuild_tensor_v2") + "(" + where + integer(offset) + tuple(size) + tuple(stride) +
           "\x89" + global("collections", "OrderedDict") + ")RtR";
}

std::string pickleOf(const std::string& value) { return "\x80\x02" + value + "."; }

std::string archive(const std::string& pickle, const std::string& data, const std::string& order = "little") {
    std::vector<Member> members{{"m/data.pkl", pickle}, {"m/data/0", data}};
    if (!order.empty()) members.push_back({"m/byteorder", order});
    return zip(members);
}

const std::string kFour = bytesOfAll<float>({0.0f, 1.0f, 2.0f, 3.0f});

}  // namespace

class TestTorchReader : public QObject {
    Q_OBJECT
private slots:
    void stridesAndSharedStoragesAreHonoured() {
        const QTemporaryDir folder;
        const std::string pickle = pickleOf("}(" + text("rows") + tensor(storage("FloatStorage", "0", 4), 0, {2, 2}, {2, 1}) +
                                            text("columns") + tensor(storage("FloatStorage", "0", 4), 0, {2, 2}, {1, 2}) +
                                            text("last") + tensor(storage("FloatStorage", "0", 4), 3, {}, {}) + text("again") +
                                            tensor(storage("FloatStorage", "0", 4), 1, {3}, {0}) + "u");
        const auto file = openTensorFile(write(folder, "t", archive(pickle, kFour)));
        QVERIFY(file.has_value());
        QCOMPARE(file->format(), std::string("torch"));
        QCOMPARE(wordsOf(*file, "rows"), std::string("00000000 3f800000 40000000 40400000"));
        QCOMPARE(wordsOf(*file, "columns"), std::string("00000000 40000000 3f800000 40400000"));
        QCOMPARE(wordsOf(*file, "last"), std::string("40400000"));
        QCOMPARE(wordsOf(*file, "again"), std::string("3f800000 3f800000 3f800000"));
    }

    void containersNumbersAndTextsAreShownByTheirPath() {
        const QTemporaryDir folder;
        const std::string pickle = pickleOf(
            "}(" + text("value") + tensor(storage("FloatStorage", "0", 4), 0, {4}, {1}) + text("meta") + "}(" + text("step") +
            integer(7) + text("name") + text("q_proj") + text("ok") + "\x88" + text("none") + "N" + "u" + text("ids") + "](" +
            integer(5) + integer(-6) + "e" + text("logprobs") + "](G\xbf\xe0" + std::string(6, '\0') + "e" + "u");
        const auto file = openTensorFile(write(folder, "t", archive(pickle, kFour)));
        QVERIFY2(file.has_value(), file ? "" : file.error().message.c_str());
        QCOMPARE(wordsOf(*file, "ids"), std::string("0000000000000005 fffffffffffffffa"));
        QCOMPARE(wordsOf(*file, "logprobs"), std::string("bf000000"));
        const TextPairs expected{{"byteorder", "little"}, {"meta.step", "7"}, {"meta.name", "q_proj"}, {"meta.ok", "True"},
                                 {"meta.none", "None"}};
        QVERIFY(file->metadata() == expected);
    }

    void aMissingByteOrderIsAssumedAndSaid() {
        const QTemporaryDir folder;
        const std::string pickle = pickleOf(tensor(storage("FloatStorage", "0", 4), 0, {4}, {1}));
        const auto file = openTensorFile(write(folder, "t", archive(pickle, kFour, "")));
        QVERIFY(file.has_value());
        VERIFY_CONTAINS(file->metadata()[0].second, "little (assumed");
        VERIFY_CONTAINS(problemOf(write(folder, "u", archive(pickle, kFour, "middle"))), "byteorder \"middle\"");
    }

    void unknownObjectsAreOpaqueAndNothingIsCalled() {
        const QTemporaryDir folder;
        const std::string pickle = pickleOf("}(" + text("w") + tensor(storage("FloatStorage", "0", 4), 0, {4}, {1}) + text("cfg") +
                                            global("mymodule", "Config") + ")\x81}(" + text("a") + integer(1) + "ubu");
        const auto file = openTensorFile(write(folder, "t", archive(pickle, kFour)));
        QVERIFY2(file.has_value(), file ? "" : file.error().message.c_str());
        QCOMPARE(file->tensors().size(), std::size_t(1));
        QCOMPARE(file->ignored().size(), std::size_t(1));
        VERIFY_CONTAINS(file->ignored()[0], "an object of mymodule.Config, which is not interpreted");
    }

    void aPickleThatWouldRunSomethingIsRefused_data() {
        QTest::addColumn<QString>("module");
        QTest::addColumn<QString>("name");
        for (const auto& [module, name] : std::vector<std::pair<const char*, const char*>>{
                 {"os", "system"}, {"posix", "system"}, {"subprocess", "Popen"}, {"builtins", "eval"}, {"builtins", "exec"},
                 {"builtins", "getattr"}, {"builtins", "__import__"}, {"__builtin__", "eval"}, {"importlib", "import_module"},
                 {"os.path", "join"}, {"pickle", "loads"}, {"sys", "exit"}, {"shutil", "rmtree"}, {"socket", "socket"}})
            QTest::addRow("%s.%s", module, name) << module << name;
    }
    void aPickleThatWouldRunSomethingIsRefused() {
        QFETCH(QString, module);
        QFETCH(QString, name);
        const QTemporaryDir folder;
        const std::string marker = folder.filePath("ran").toStdString();
        const std::string callee = global(module.toStdString(), name.toStdString());
        for (const std::string& made :
             {callee, text(module.toStdString()) + text(name.toStdString()) + "\x93"}) {
            const std::string pickle = pickleOf(made + "(" + text("touch " + marker) + "tR");
            VERIFY_CONTAINS(problemOf(write(folder, "t", archive(pickle, kFour))),
                            (module + "." + name + ", which no tensor file needs: refused, nothing was run").toStdString());
        }
        QVERIFY(!QFile::exists(QString::fromStdString(marker)));
    }

    void badTensorsAreRefusedInOneSentence_data() {
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QString>("part");
        const auto row = [](const char* name, const std::string& value, const char* part) {
            QTest::newRow(name) << QByteArray::fromStdString(value) << part;
        };
        const std::string good = storage("FloatStorage", "0", 4);
        row("past the storage", tensor(good, 1, {4}, {1}), "reaches element 4 of a storage of 4 elements");
        row("stride past it", tensor(good, 0, {2}, {4}), "reaches element 4 of a storage of 4 elements");
        row("negative offset", tensor(good, -1, {4}, {1}), "its storage offset -1 is negative");
        row("negative size", tensor(good, 0, {-4}, {1}), "size -4 in shape [-4] is negative");
        row("negative stride", tensor(good, 3, {4}, {-1}), "stride -1 in strides [-1] is negative");
        row("overflow", tensor(good, 0, {1LL << 40, 1LL << 40}, {0, 0}), "overflows 63 bits");
        row("stride overflow", tensor(good, 0, {3, 3}, {1LL << 62, 1LL << 62}), "overflows 63 bits");
        row("huge by stride 0", tensor(good, 0, {1LL << 40}, {0}), "declares 4398046511104 bytes in a storage of 16");
        row("ranks differ", tensor(good, 0, {2, 2}, {1}), "has 2 dimensions, strides [1] have 1");
        row("storage size", tensor(storage("FloatStorage", "0", 5), 0, {4}, {1}), "needs 20 bytes, \"m/data/0\" has 16");
        row("negative storage", tensor(storage("FloatStorage", "0", -4), 0, {0}, {1}), "is negative");
        row("no such storage", tensor(storage("FloatStorage", "../1", 4), 0, {4}, {1}), "\"m/data/../1\" is not in the archive");
        row("unknown storage", tensor(storage("EvilStorage", "0", 4), 0, {4}, {1}), "storage type torch.EvilStorage is not known");
        row("no storage", tensor("N", 0, {4}, {1}), "its storage is no reference into the archive");
        row("two of one name", "}(" + text("a") + tensor(good, 0, {4}, {1}) + text("a") + tensor(good, 0, {4}, {1}) + "u",
            "duplicate tensor \"a\"");
    }
    void badTensorsAreRefusedInOneSentence() {
        QFETCH(QByteArray, value);
        QFETCH(QString, part);
        const QTemporaryDir folder;
        VERIFY_CONTAINS(problemOf(write(folder, "t", archive(pickleOf(value.toStdString()), kFour))), part.toStdString());
    }

    void badPicklesAreRefusedInOneSentence_data() {
        QTest::addColumn<QByteArray>("pickle");
        QTest::addColumn<QString>("part");
        const auto row = [](const char* name, const std::string& pickle, const char* part) {
            QTest::newRow(name) << QByteArray::fromStdString(pickle) << part;
        };
        row("empty", "", "pickle offset 0: ends without STOP");
        row("cut", "\x80\x02X" + little(100, 4) + "abc", "ends inside an opcode");
        row("text of 2^64 bytes", "\x80\x04\x8d" + little(UINT64_MAX, 8), "ends inside an opcode");
        row("underflow", "\x80\x02R.", "takes more from its stack than is there");
        row("below a mark", "\x80\x02]((a.", "takes more from its stack than is there");
        row("no mark", "\x80\x02t.", "has no MARK");
        row("no memo", "\x80\x02h\x07.", "refers to memo 7, which is not there");
        row("odd dictionary", "\x80\x02}(Nu.", "a dictionary key without a value");
        row("extension", "\x80\x02\x82\x01.", "opcode 0x82, which torch never writes");
        row("buffer", "\x80\x05\x97.", "opcode 0x97, which torch never writes");
        row("after STOP", "\x80\x02N.N", "has 1 bytes after STOP");
        row("two values", "\x80\x02NN.", "other than one value on its stack");
        row("a bomb of marks", "\x80\x02" + std::string(5'000'000, '('), "holds more than 4000000 places");
        row("a bomb of copies", "\x80\x02N" + std::string(5'000'000, '2'), "holds more than 4000000 places");
        row("a bomb of values", "\x80\x02" + std::string(2'500'000, '}'), "makes more than 2000000 values");
        row("append to None", "\x80\x02N]a.", "appends to what is no list");
    }
    void badPicklesAreRefusedInOneSentence() {
        QFETCH(QByteArray, pickle);
        QFETCH(QString, part);
        const QTemporaryDir folder;
        VERIFY_CONTAINS(problemOf(write(folder, "t", archive(pickle.toStdString(), kFour))), part.toStdString());
    }

    void aListThatHoldsItselfEnds() {
        const QTemporaryDir folder;
        const auto file = openTensorFile(write(folder, "t", archive("\x80\x02]q" + std::string(1, '\0') + "h" + std::string(1, '\0') + "a.", kFour)));
        QVERIFY(file.has_value());
        VERIFY_CONTAINS(file->ignored()[0], "nested deeper than 64 levels");
    }

    // Each list holds the one before twice: 2^40 places out of a few bytes.
    void listsThatDoubleEndWithASentence() {
        const QTemporaryDir folder;
        std::string pickle = "\x80\x02]q" + std::string(1, '\0');
        for (int i = 0; i < 40; ++i) {
            const std::string before(1, char(i));
            pickle += "](h" + before + "h" + before + "eq" + std::string(1, char(i + 1));
        }
        // The stack is emptied but for the last list.
        pickle = "\x80\x02(" + pickle.substr(2) + "1h" + std::string(1, char(40)) + ".";
        VERIFY_CONTAINS(problemOf(write(folder, "t", archive(pickle, kFour))), "puts its objects into more than 200000 further places");
    }

    // A memo lets a file name one text in a million places; only containers can grow beyond the file.
    void oneTextInManyPlacesIsNoBomb() {
        const QTemporaryDir folder;
        std::string pickle = "\x80\x02](" + text("cpu") + "q" + std::string(1, '\0');
        for (int i = 0; i < 300'000; ++i) pickle += "h" + std::string(1, '\0');
        const auto file = openTensorFile(write(folder, "t", archive(pickle + "e.", kFour)));
        QVERIFY2(file.has_value(), file ? "" : file.error().message.c_str());
        QCOMPARE(file->metadata()[1].second, std::string("cpu"));
    }

    void twoPicklesInOneArchiveAreRefused() {
        const QTemporaryDir folder;
        const std::string path = write(folder, "t", zip({{"a/data.pkl", "\x80\x02N."}, {"b/data.pkl", "\x80\x02N."}}));
        VERIFY_CONTAINS(problemOf(path), "two pickles");
    }
};

QTEST_APPLESS_MAIN(TestTorchReader)
#include "test_torch_reader.moc"
