// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>
#include <unistd.h>

#include "core/tensors/dump_name.h"
#include "tests/support/zip_files.h"

using namespace isobit;
using namespace isobit::test;

namespace {

std::string one(const char* value) { return npy("'|u1'", "(1,)", value); }

std::vector<std::string> namesOf(const TensorFile& file) {
    std::vector<std::string> names;
    for (const TensorInfo& info : file.tensors()) names.push_back(info.name);
    return names;
}

}  // namespace

class TestFolderReader : public QObject {
    Q_OBJECT
private slots:
    void theSglangDumpersNamesAreRead() {
        const DumpName name = parseDumpName("forward_pass_id=1___rank=0___name=layers.0.q_proj___dump_index=7");
        QCOMPARE(name.tensor, std::string("layers.0.q_proj"));
        const TextPairs expected{{"forward_pass_id", "1"}, {"rank", "0"}, {"dump_index", "7"}};
        QVERIFY(name.tags == expected);
    }

    void countersAmongWordsAreRead() {
        const DumpName name = parseDumpName("step3_rank_12_layers.0.q_proj");
        QCOMPARE(name.tensor, std::string("layers.0.q_proj"));
        QVERIFY(name.tags == (TextPairs{{"step", "3"}, {"rank", "12"}}));
        QCOMPARE(parseDumpName("stepwise_output").tensor, std::string("stepwise_output"));
        QCOMPARE(parseDumpName("rank0").tensor, std::string("rank0"));
        QCOMPARE(parseDumpName("a=b").tensor, std::string("a=b"));
    }

    void namesAreInNaturalOrder() {
        QVERIFY(naturallyBefore("layers.2", "layers.10"));
        QVERIFY(!naturallyBefore("layers.10", "layers.2"));
        QVERIFY(naturallyBefore("a", "a1"));
        QVERIFY(!naturallyBefore("a", "a"));
        QVERIFY(naturallyBefore("x01", "x1") != naturallyBefore("x1", "x01"));
    }

    void aDumpFolderIsOneListInTheDumpersOrder() {
        const QTemporaryDir folder;
        write(folder, "rank=0___name=second___dump_index=10.npy", one("b"));
        write(folder, "rank=0___name=first___dump_index=9.npy", one("a"));
        write(folder, "config.json", "{\n \"a\": 1\n}\n");
        write(folder, "notes", "not a tensor");
        write(folder, ".hidden", "not a tensor");
        QDir(folder.path()).mkdir("inner");
        QCOMPARE(mkfifo(folder.filePath("fifo").toStdString().c_str(), 0600), 0);
        QCOMPARE(symlink("/etc/hostname", folder.filePath("link").toStdString().c_str()), 0);
        const auto file = openTensorFile(folder.path().toStdString());
        QVERIFY2(file.has_value(), file ? "" : file.error().message.c_str());
        QCOMPARE(file->format(), std::string("folder"));
        QCOMPARE(namesOf(*file), (std::vector<std::string>{"first", "second"}));
        QCOMPARE(wordsOf(*file, "first"), std::string("61"));
        QCOMPARE(file->tensors()[0].file, std::string("rank=0___name=first___dump_index=9.npy"));
        QCOMPARE(file->ignored().size(), std::size_t(5));
    }

    void namesThatOccurTwiceAreToldApartByWhatDiffers() {
        const QTemporaryDir folder;
        write(folder, "step=1___rank=0___name=q.npy", one("a"));
        write(folder, "step=2___rank=0___name=q.npy", one("b"));
        write(folder, "step=2___rank=0___name=k.npy", one("c"));
        const auto file = openTensorFile(folder.path().toStdString());
        QVERIFY(file.has_value());
        QCOMPARE(namesOf(*file), (std::vector<std::string>{"q[step=1]", "k", "q[step=2]"}));
    }

    void filesOfSeveralTensorsKeepTheirNamesAndClashesShowTheFile() {
        const QTemporaryDir folder;
        const std::string a = R"({"w":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"x":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})";
        const std::string b = R"({"w":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"y":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})";
        write(folder, "a.safetensors", safetensors(a, "12"));
        write(folder, "b.safetensors", safetensors(b, "34"));
        const auto file = openTensorFile(folder.path().toStdString());
        QVERIFY(file.has_value());
        QCOMPARE(namesOf(*file), (std::vector<std::string>{"a/w", "x", "b/w", "y"}));
    }

    void aDamagedDumpEndsTheWholeAndAnEmptyFolderIsAnError() {
        const QTemporaryDir folder;
        VERIFY_CONTAINS(problemOf(folder.path().toStdString()), "none of its 0 files holds a tensor");
        write(folder, "good.npy", one("a"));
        write(folder, "bad.npy", npy("'|u1'", "(2,)", "a"));
        VERIFY_CONTAINS(problemOf(folder.path().toStdString()), "bad.npy: offset");
    }

    // A Hugging Face cache: snapshots/REVISION holds links into blobs.
    void aCacheOfLinksOpensOnlyIntoTheFolderThatWasAllowed() {
        const QTemporaryDir folder;
        const std::string root = QDir(folder.path()).canonicalPath().toStdString();
        QDir(folder.path()).mkpath("blobs");
        QDir(folder.path()).mkpath("elsewhere");
        QDir(folder.path()).mkpath("snapshots/r");
        const std::string snapshot = root + "/snapshots/r";
        write(folder, "blobs/aa", safetensors(R"({"w":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})", "a"));
        write(folder, "elsewhere/b", safetensors(R"({"x":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})", "b"));
        write(folder, "blobs/index", R"({"weight_map":{"w":"1.safetensors"}})");
        QCOMPARE(symlink("../../blobs/aa", (snapshot + "/1.safetensors").c_str()), 0);
        VERIFY_CONTAINS(problemOf(snapshot), "none of its 1 files holds a tensor; the first: ");
        VERIFY_CONTAINS(problemOf(snapshot), "1.safetensors: is a symbolic link, which is followed only into a folder");
        OpenOptions allowed;
        allowed.linkRoot = root + "/blobs";
        QCOMPARE(wordsOf(snapshot, "w", allowed), std::string("61"));
        QCOMPARE(symlink("../../blobs/index", (snapshot + "/model.safetensors.index.json").c_str()), 0);
        VERIFY_CONTAINS(problemOf(snapshot), "model.safetensors.index.json: is a symbolic link, which is followed only");
        VERIFY_CONTAINS(problemOf(snapshot + "/model.safetensors.index.json"), "1.safetensors: is a symbolic link");
        QCOMPARE(wordsOf(snapshot, "w", allowed), std::string("61"));
        QCOMPARE(wordsOf(snapshot + "/model.safetensors.index.json", "w", allowed), std::string("61"));

        QCOMPARE(unlink((snapshot + "/1.safetensors").c_str()), 0);
        QCOMPARE(symlink("../../elsewhere/b", (snapshot + "/1.safetensors").c_str()), 0);
        VERIFY_CONTAINS(problemOf(snapshot, allowed), "is a symbolic link to " + root + "/elsewhere/b, expected one that leads below");
        allowed.linkRoot = root + "/blob";  // a folder's name is no prefix of another's
        VERIFY_CONTAINS(problemOf(snapshot, allowed), "cannot be resolved");
        QDir(folder.path()).mkpath("else");
        allowed.linkRoot = root + "/else";
        VERIFY_CONTAINS(problemOf(snapshot, allowed), "expected one that leads below");
        allowed.inputRoot = root;
        VERIFY_CONTAINS(problemOf(snapshot, allowed), "under an input root");
    }

    void recordsOfNumbersBecomeColumnsAndLists() {
        const QTemporaryDir folder;
        const std::string path = write(folder, "r.jsonl", "{\"token\":5,\"logprob\":-0.5,\"text\":\"a\"}\n\n"
                                                          "{\"token\":6,\"logprob\":-0.25,\"text\":\"b\",\"extra\":1}\n");
        const auto file = openTensorFile(path);
        QVERIFY2(file.has_value(), file ? "" : file.error().message.c_str());
        QCOMPARE(file->format(), std::string("jsonl"));
        QCOMPARE(wordsOf(*file, "token"), std::string("0000000000000005 0000000000000006"));
        QCOMPARE(wordsOf(*file, "logprob"), std::string("bf000000 be800000"));
        QCOMPARE(file->ignored().size(), std::size_t(2));

        const std::string lists = write(folder, "l.jsonl", "{\"id\":\"r1\",\"out\":{\"ids\":[1,2],\"logprobs\":[-0.1,-0.2]}}\n");
        const auto single = openTensorFile(lists);
        QVERIFY(single.has_value());
        QVERIFY(single->tensors()[*single->find("out.logprobs")].dtype == DType::Fp64);  // -0.1 is no fp32 value
        QCOMPARE(single->metadata()[0].second, std::string("r1"));
        const auto several = openTensorFile(write(folder, "s.jsonl", "{\"ids\":[1]}\n{\"ids\":[2,3]}\n"));
        QCOMPARE(wordsOf(*several, "1.ids"), std::string("0000000000000002 0000000000000003"));
    }

    // As Python's json and the engines write them: NaN, Infinity, and null for the first token of a prompt.
    void numbersThatJsonDoesNotKnowKeepTheirPlace() {
        const QTemporaryDir folder;
        const auto file = openTensorFile(write(folder, "r.jsonl", "{\"lp\":null,\"t\":1,\"s\":null,\"why\":\"NaN\"}\n"
                                                                  "{\"lp\":-0.5,\"t\":2,\"s\":null,\"why\":\"NaN\"}\n"
                                                                  "{\"lp\": NaN,\"t\":3,\"s\":null,\"why\":\"NaN\"}\n"
                                                                  "{\"lp\":-Infinity,\"t\":4,\"s\":null,\"why\":\"NaN\"}\n"));
        QVERIFY2(file.has_value(), file ? "" : file.error().message.c_str());
        QCOMPARE(wordsOf(*file, "lp"), std::string("7fffffff bf000000 7fc00000 ff800000"));
        QCOMPARE(file->tensors()[*file->find("lp")].note,
                 std::string("1 null, shown as a NaN that no arithmetic makes; 1 NaN, whose sign and payload a text does not keep"));
        QCOMPARE(file->metadata(), (TextPairs{{"why", "NaN"}}));
        QCOMPARE(file->ignored(), std::vector<std::string>{"\"s\": null, where it is no text"});
        const auto lists = openTensorFile(write(folder, "l", "{\"lp\":[null,-0.5,Infinity],\"none\":[null]}\n"));
        QVERIFY2(lists.has_value(), lists ? "" : lists.error().message.c_str());
        QCOMPARE(wordsOf(*lists, "lp"), std::string("7fffffff bf000000 7f800000"));
        VERIFY_CONTAINS(problemOf(write(folder, "x", "{\"a\":1}\n{\"a\":NaNs}\n")), "line 2 at offset 8: is not JSON at byte");
        VERIFY_CONTAINS(problemOf(write(folder, "y", "{\"a\":1}\n{\"a\":-NaN}\n")), "line 2 at offset 8: is not JSON at byte");
        VERIFY_CONTAINS(problemOf(write(folder, "z", "{\"a\":1}\n{\"a\":1e999}\n")), "line 2 at offset 8");
        // A text that only looks like what the reader puts in a NaN's place is a text.
        const auto text = openTensorFile(write(folder, "t", "{\"a\":1,\"b\":\"\\u0000NaN\"}\n"));
        QVERIFY2(text.has_value(), text ? "" : text.error().message.c_str());
        QVERIFY(!text->find("b"));
    }

    void badRecordsNameTheirLine() {
        const QTemporaryDir folder;
        VERIFY_CONTAINS(problemOf(write(folder, "r", "{\"a\":1}\n{\"a\":1,\"a\":2}\n")), "line 2 at offset 8: duplicate key \"a\"");
        VERIFY_CONTAINS(problemOf(write(folder, "r", "{\"a\":1,\"a\":2}\n{\"a\":1}\n")), "line 1 at offset 0: duplicate key \"a\"");
        VERIFY_CONTAINS(problemOf(write(folder, "r", "{\"a\\n\":1,\"a\\n\":2}\n")), "duplicate key \"a\\n\"");  // no line feed
        VERIFY_CONTAINS(problemOf(write(folder, "r", "{\"a\":1}\n[1]\n")), "line 2 at offset 8: is no JSON object");
        VERIFY_CONTAINS(problemOf(write(folder, "r", "{\"a\":1}\n{\"a\":nan}\n")), "line 2 at offset 8: is not JSON at byte");
        VERIFY_CONTAINS(problemOf(write(folder, "r", "{\"a.b\":1,\"a\":{\"b\":2}}\n")), "two values for \"a.b\"");
    }
};

QTEST_APPLESS_MAIN(TestFolderReader)
#include "test_folder_reader.moc"
