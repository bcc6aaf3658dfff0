// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <functional>

#include "tests/support/zip_files.h"

using namespace isobit;
using namespace isobit::test;

namespace {

Member array(const std::string& name = "a.npy") { return {name, npy("'|u1'", "(3,)", "xyz")}; }

Member with(Member member, const std::function<void(Member&)>& change) {
    change(member);
    return member;
}

}  // namespace

class TestZipArchive : public QObject {
    Q_OBJECT
private slots:
    void storedAndDeflatedMembersGiveTheSameWords() {
        const QTemporaryDir folder;
        const Member stored = array();
        const Member packed{"b.npy", deflated(stored.data), "b.npy", 8, 0, std::uint32_t(stored.data.size()), stored.crc};
        const std::string path = write(folder, "z", zip({stored, packed}));
        QCOMPARE(wordsOf(path, "a"), std::string("78 79 7a"));
        QCOMPARE(wordsOf(path, "b"), std::string("78 79 7a"));
    }

    void otherMembersAndStrayBytesAreNamedAsIgnored() {
        const QTemporaryDir folder;
        const auto file = openTensorFile(write(folder, "z", zip({array(), {"note.txt", "hello"}}, "")));
        QVERIFY(file.has_value());
        QCOMPARE(file->ignored(), std::vector<std::string>{"member \"note.txt\": not an npy array"});
    }

    void badArchivesAreRefusedInOneSentence_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("part");
        const auto row = [](const char* name, const std::string& bytes, const char* part) {
            QTest::newRow(name) << QByteArray::fromStdString(bytes) << part;
        };
        row("a member twice", zip({array(), array()}), "duplicate member \"a.npy\"");
        row("dots", zip({array("../a.npy")}), "the member name \"../a.npy\" has \"..\"");
        row("absolute", zip({array("/a.npy")}), "is absolute");
        row("NUL", zip({array(std::string("a\0.npy", 6))}), "has a NUL");
        row("backslash", zip({array("..\\a.npy")}), "has a backslash");
        row("no name", zip({array("")}), "the member name \"\" is empty");
        row("encrypted", zip({with(array(), [](Member& m) { m.flags = 1; })}), "is encrypted");
        row("method", zip({with(array(), [](Member& m) { m.method = 93; })}), "compression method 93");
        row("other local name", zip({with(array(), [](Member& m) { m.localName = "b.npy"; })}), "the local header names \"b.npy\"");
        row("stored size", zip({with(array(), [](Member& m) { m.declared = 7; })}), "but declares 7");
        row("checksum", zip({with(array(), [](Member& m) { m.crc ^= 1; })}), "its bytes are damaged");
        row("bomb", zip({{"a.npy", std::string(100, '\0'), "a.npy", 8, 0, 0x7fffffff}}), "more than deflate can give");
        row("not deflate", zip({{"a.npy", std::string(100, '\xff'), "a.npy", 8, 0, 200}}), "are not deflate data");
        row("unpacks to more", zip({with(array(), [](Member& m) { m.data = deflated(m.data); m.method = 8; m.declared -= 1; })}),
            "unpacks to more than");
        row("unpacks to less", zip({with(array(), [](Member& m) { m.data = deflated(m.data); m.method = 8; m.declared += 1; })}),
            "declared");
        row("bytes after the stream", zip({with(array(), [](Member& m) { m.data = deflated(m.data) + "xx"; m.method = 8; })}),
            "has 2 packed bytes after its end");
        row("bytes after the end", zip({array()}) + "x", "no zip end record");
        std::string far = zip({array()});
        far[far.size() - 6] = '\x7f';  // the directory's offset
        row("directory elsewhere", far, "does not end where the end records begin");
        std::string more = zip({array()});
        more[more.size() - 12] = more[more.size() - 14] = 9;  // entries
        row("more entries", more, "zip directory");
    }
    void badArchivesAreRefusedInOneSentence() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, part);
        const QTemporaryDir folder;
        const auto file = openTensorFile(write(folder, "bad", bytes.toStdString()));
        const std::string problem = file ? wordsOf(*file, "a") : file.error().message;
        VERIFY_CONTAINS(problem, part.toStdString());
    }

    // Two entries for one range of bytes: the quoting trick of overlapping zip bombs.
    void membersInsideEachOtherAreRefused() {
        const QTemporaryDir folder;
        const Member inner = array("b.npy");
        const std::string local = "PK\x03\x04" + little(20, 2) + little(0, 8) + little(inner.crc, 4) +
                                  little(inner.data.size(), 4) + little(inner.data.size(), 4) + little(5, 2) + little(0, 2) +
                                  inner.name + inner.data;
        std::string bytes = zip({{"a.npy", local}, inner});
        const auto second = bytes.rfind("PK\x01\x02");
        bytes.replace(second + 42, 4, little(35, 4));  // into the first member's data
        VERIFY_CONTAINS(problemOf(write(folder, "z", bytes)), "(an overlap)");
    }

    void aBadChecksumIsAcceptedOnlyWhenAsked() {
        const QTemporaryDir folder;
        OpenOptions options;
        options.checksums = false;
        const std::string path = write(folder, "z", zip({with(array(), [](Member& m) { m.crc ^= 1; })}));
        QCOMPARE(wordsOf(path, "a", options), std::string("78 79 7a"));
    }

    void aLargePackedMemberMustFitTheLimit() {
        const QTemporaryDir folder;
        const std::string plain = npy("'|u1'", "(100000,)", std::string(100000, 'x'));
        const Member packed{"b.npy", deflated(plain), "b.npy", 8, 0, std::uint32_t(plain.size()),
                            std::uint32_t(crc32(0, reinterpret_cast<const Bytef*>(plain.data()), uInt(plain.size())))};
        OpenOptions options;
        options.unpackLimit = 1000;
        const std::string path = write(folder, "z", zip({packed}));
        QVERIFY(problemOf(path).empty());
        VERIFY_CONTAINS(problemOf(path, options), "expected at most 1000: unpack the archive first");
    }

    void aZipOfOtherThingsIsNoTensorFile() {
        const QTemporaryDir folder;
        VERIFY_CONTAINS(problemOf(write(folder, "z", zip({{"readme", "x"}}))), "without a data.pkl (torch) or an npy array (npz)");
    }
};

QTEST_APPLESS_MAIN(TestZipArchive)
#include "test_zip_archive.moc"
