// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/zip_files.h"

using namespace isobit;
using namespace isobit::test;

class TestNpyReader : public QObject {
    Q_OBJECT
private slots:
    void elementTypesAreThoseOfTheirDescr_data() {
        QTest::addColumn<QString>("descr");
        QTest::addColumn<int>("bytes");
        QTest::addColumn<QString>("dtype");
        const auto row = [](const char* descr, int bytes, const char* dtype) { QTest::newRow(descr) << descr << bytes << dtype; };
        row("'<f2'", 2, "float16");
        row("'<f4'", 4, "float32");
        row("'>f8'", 8, "float64");
        row("'|i1'", 1, "int8");
        row("'<u2'", 2, "uint16");
        row("'=i4'", 4, "int32");
        row("'<i8'", 8, "int64");
        row("'|b1'", 1, "bool");
        row("'|V2'", 2, "raw16");
        row("'<c8'", 8, "float32");
        row("'bfloat16'", 2, "bfloat16");
    }
    void elementTypesAreThoseOfTheirDescr() {
        QFETCH(QString, descr);
        QFETCH(int, bytes);
        QFETCH(QString, dtype);
        const QTemporaryDir folder;
        const auto file = openTensorFile(write(folder, "a", npy(descr.toStdString(), "(2,)", std::string(2 * bytes, '\1'))));
        QVERIFY(file.has_value());
        QCOMPARE(QString::fromStdString(std::string(nameOf(file->tensors()[0].dtype))), dtype);
        QCOMPARE(file->tensors()[0].byteCount, std::uint64_t(2 * bytes));
    }

    void bigEndianFortranAndStructuredOrdersAllGiveTheLogicalOrder() {
        const QTemporaryDir folder;
        // [[1, 2], [3, 4]] by columns, big-endian.
        QCOMPARE(wordsOf(write(folder, "a", npy("'>i2'", "(2, 2)", std::string("\0\1\0\3\0\2\0\4", 8), true)), "array"),
                 std::string("0001 0002 0003 0004"));
        const std::string records("\0\1\x80\x3f\0\2\x00\x40", 8);
        const std::string path = write(folder, "b", npy("[('n', '>i2'), ('v', '<u2')]", "(2,)", records));
        QCOMPARE(wordsOf(path, "n"), std::string("0001 0002"));
        QCOMPARE(wordsOf(path, "v"), std::string("3f80 4000"));
    }

    void emptyAndScalarArraysAreLegal() {
        const QTemporaryDir folder;
        QCOMPARE(wordsOf(write(folder, "a", npy("'<f4'", "(3, 0, 2)", "")), "array"), std::string());
        QCOMPARE(wordsOf(write(folder, "b", npy("'<f4'", "()", std::string("\0\0\0\x80", 4))), "array"), std::string("80000000"));
        QCOMPARE(wordsOf(write(folder, "c", npy("[('n', '>i2'), ('v', '>i2')]", "(0,)", "")), "v"), std::string());
    }

    void badHeadersAreRefusedInOneSentence_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("part");
        const auto row = [](const char* name, const std::string& bytes, const char* part) {
            QTest::newRow(name) << QByteArray::fromStdString(bytes) << part;
        };
        const std::string magic = "\x93NUMPY";
        row("version 4", magic + std::string("\4\0", 2) + little(2, 2) + "{}", "npy version 4.0, expected 1.0, 2.0 or 3.0");
        row("header past the end", magic + std::string("\1\0", 2) + little(100, 2) + "{}", "npy header of 100 bytes, but only 2 follow");
        row("header of 4 GB", magic + std::string("\2\0", 2) + little(0xFFFFFFFF, 4) + "{}", "npy header of 4294967295 bytes, expected at most");
        const auto header = [&](const std::string& text) { return magic + std::string("\1\0", 2) + little(text.size(), 2) + text; };
        row("no shape", header("{'descr': '<f4', 'fortran_order': True}"), "header has no 'shape'");
        row("a key twice", header("{'descr': '<f4', 'descr': '<f4'}"), "header key 'descr' occurs twice");
        row("overflow", npy("'<f8'", "(4611686018427387904, 4)", ""), "overflows 63 bits");
        row("over 63 bits", npy("'<f8'", "(9223372036854775808,)", ""), "expected an integer of 63 bits");
        row("trailing bytes", npy("'<f4'", "(1,)", "abcdefgh"), "needs 4 data bytes, the file has 8 (trailing bytes)");
        row("nested type", npy("[('a', [('b', '<f4')])]", "(1,)", "abcd"), "nested type");
        row("field twice", npy("[('a', '<f4'), ('a', '<f4')]", "(1,)", "abcdabcd"), "field 'a' occurs twice");
        row("unknown kind", npy("'<U4'", "(1,)", "abcd"), "descr '<U4' is not a supported element type");
        row("empty descr", npy("''", "(1,)", "abcd"), "descr '' is not a supported element type");
        row("code for a value", npy("__import__('os')", "(1,)", "abcd"), "expected a quoted text");
    }
    void badHeadersAreRefusedInOneSentence() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, part);
        const QTemporaryDir folder;
        VERIFY_CONTAINS(problemOf(write(folder, "bad", bytes.toStdString())), part.toStdString());
    }

    void aHeaderlessArrayIsReadAsTheUserSays() {
        const QTemporaryDir folder;
        const std::string path = write(folder, "raw", std::string("xx\x3f\x80\x40\x00\x40\x40", 8));
        OpenOptions options;
        options.raw = RawLayout{DType::Bf16, {3}, 2, true};
        QCOMPARE(wordsOf(path, "array", options), std::string("3f80 4000 4040"));
        options.raw = RawLayout{DType::Bf16, {}, 2, false};
        QCOMPARE(wordsOf(path, "array", options), std::string("803f 0040 4040"));
        options.raw = RawLayout{DType::Bf16, {4}, 2, false};
        VERIFY_CONTAINS(problemOf(path, options), "needs 8 bytes, the file has 6 there");
        options.raw = RawLayout{DType::Bf16, {}, 9, false};
        VERIFY_CONTAINS(problemOf(path, options), "offset 9 is past the end");
        options.raw = RawLayout{DType::Fp64, {1 << 30, 1 << 30, 1 << 30}, 0, false};
        VERIFY_CONTAINS(problemOf(path, options), "overflows");
    }

    void whatIsNoFormatSaysHowToGoOn() {
        const QTemporaryDir folder;
        VERIFY_CONTAINS(problemOf(write(folder, "x", "random text")), "72 61 6e 64 6f 6d 20 74 begins no known format");
        VERIFY_CONTAINS(problemOf(write(folder, "x", "\x80\x02]q.")), "a bare pickle");
        VERIFY_CONTAINS(problemOf(write(folder, "x", "\x1f\x8b\x08")), "gzip data");
    }
};

QTEST_APPLESS_MAIN(TestNpyReader)
#include "test_npy_reader.moc"
