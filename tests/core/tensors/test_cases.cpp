// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0

// Every handed file and its right answer (public reports P048 to P074 and P097).
#include "tests/support/tensor_files.h"

using namespace isobit;
using namespace isobit::test;

class TestCases : public QObject {
    Q_OBJECT
private slots:
    void filesThatMustBeRefusedSayWhy_data() {
        QTest::addColumn<QString>("part");
        const std::vector<std::pair<const char*, const char*>> rows{
            {"st_header_132MB.safetensors", "header length 132095296 is over the format's limit of 100000000, and the file has 16 bytes"},
            {"st_duplicate_key.safetensors", "duplicate key \"w\""},
            {"st_hole.safetensors", "data bytes 4 to 8 belong to no tensor (a hole"},
            {"st_shape_overflow_to_zero.safetensors", "[4294967296, 4294967296] overflows"},
            {"st_f64_shape_vs_range.safetensors", "F64 [4] needs 32 bytes, data_offsets 0 to 16 hold 16"},
            {"st_1000x1000_in_4_bytes.safetensors", "needs 4000000 bytes, data_offsets 0 to 4 hold 4"},
            {"st_metadata_int.safetensors", "__metadata__ key \"step\""},
            {"st_trailing_bytes.safetensors", "4 trailing bytes belong to no tensor"},
            {"st_truncated.safetensors", "end past the 12 data bytes in the file (truncated)"},
            {"lfs_pointer.safetensors", "a Git LFS pointer, not the data: oid sha256:4d7a"},
            {"npy_object_pickle.npy", "object array, which holds a pickle: never unpickled"},
            {"npy_truncated.npy", "needs 32 data bytes, the file has 24 (truncated)"},
            {"npy_negative_dim.npy", "size -1 in shape [-1, -4] is negative"},
            {"npz_claims_4TB.npz", "needs 4398046511104 data bytes, the file has 16"},
            {"npz_bad_crc.npz", "its bytes are damaged"},
            {"pt_view_past_storage.pt", "reaches element 5 of a storage of 4 elements"},
            {"h5_superblock_only.h5", "ends at 2048, it has 48 bytes (truncated)"},
            {"h5_crlf_damaged.h5", "not HDF5: the signature lost its carriage return"},
        };
        for (const auto& [file, part] : rows) QTest::newRow(file) << part;
    }
    void filesThatMustBeRefusedSayWhy() {
        QFETCH(QString, part);
        const std::string problem = problemOf(caseFile(QTest::currentDataTag()));
        VERIFY_CONTAINS(problem, part.toStdString());
        VERIFY_CONTAINS(problem, QTest::currentDataTag());
        QVERIFY(problem.find('\n') == std::string::npos);
    }

    void theLfsPointersSizeAndOidAreNamed() {
        VERIFY_CONTAINS(problemOf(caseFile("lfs_pointer.safetensors")), "7516192768 bytes expected");
    }

    void wordsAreThoseOfTheFile_data() {
        QTest::addColumn<QString>("tensor");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* file, const char* tensor, const char* words) {
            QTest::addRow("%s %s", file, tensor) << tensor << words;
        };
        const char* oneToSix = "3f800000 40000000 40400000 40800000 40a00000 40c00000";
        const char* zeroToFive = "00000000 3f800000 40000000 40400000 40800000 40a00000";
        row("st_metadata_empty.safetensors", "w", "3fc00000");
        row("st_empty_and_scalar.safetensors", "scaled_fp8", "");
        row("st_empty_and_scalar.safetensors", "s", "80000000");
        row("st_empty_and_scalar.safetensors", "e", "");
        row("st_misaligned.safetensors", "flag", "01 02 03");
        row("st_misaligned.safetensors", "w", "3f800000 c0200000");
        row("st_misaligned.safetensors", "d", "01a56e1fc2f8f359");  // 1e-300
        row("st_f4_and_e8m0.safetensors", "w", "00 01 02 03 04 05 06 07");
        row("st_f4_and_e8m0.safetensors", "s", "7e 7f 80");
        row("st_corder_a.safetensors", "w", zeroToFive);
        row("npy_fortran.npy", "array", zeroToFive);
        row("npy_v2_long_header.npy", "array", "3f800000 40000000 40400000");
        row("npy_v3_structured_utf8.npy", "échelle", "3f800000 80000000");
        row("npy_v3_structured_utf8.npy", "n", "00000007 fffffff9");
        row("npy_bf16_as_V2.npy", "array", "0000 3f80 4000 4040");
        row("npy_f8_descr_f1.npy", "array", "3c 3e 7c");
        row("npy_big_endian.npy", "array", oneToSix);
        row("npz_zip64_extra.npz", "a", "3f800000 40000000");
        row("npz_zip64_extra.npz", "b", "40400000 40800000 40a00000");
        row("npz_deflated.npz", "a", "3f800000 40000000");
        row("npz_deflated.npz", "b", "40400000 40800000 40a00000");
        row("pt_plain.pt", "w", zeroToFive);
        row("pt_big_endian.pt", "w", "3f800000 40000000 40400000 40800000");
    }
    void wordsAreThoseOfTheFile() {
        QFETCH(QString, tensor);
        QFETCH(QString, words);
        const std::string file = QString(QTest::currentDataTag()).section(' ', 0, 0).toStdString();
        QCOMPARE(QString::fromStdString(wordsOf(caseFile(file.c_str()), tensor.toStdString())), words);
    }

    void rawWordsGetAMeaningOnlyWhenAsked() {
        const auto plain = openTensorFile(caseFile("npy_bf16_as_V2.npy"));
        QVERIFY(plain && plain->tensors()[0].dtype == DType::Raw16);
        const auto asked = openTensorFile(caseFile("npy_bf16_as_V2.npy"), {.raw = {}, .as = DType::Bf16, .inputRoot = {}});
        QVERIFY(asked && asked->tensors()[0].dtype == DType::Bf16);
        const auto f8 = openTensorFile(caseFile("npy_f8_descr_f1.npy"));
        QVERIFY(f8 && f8->tensors()[0].dtype == DType::Raw8);
        VERIFY_CONTAINS(f8->tensors()[0].note, "'<f1'");
    }

    void packedTypesKeepTheShapeThatTheFileGives() {
        const auto file = openTensorFile(caseFile("st_f4_and_e8m0.safetensors"));
        QVERIFY(file.has_value());
        QVERIFY(file->tensors()[0].storedShape == (Shape{2, 8}));
        QVERIFY(file->tensors()[0].shape == (Shape{2, 4}));
        QCOMPARE(file->tensors()[0].byteCount, std::uint64_t(8));
    }

    void aTruncatedFileOfAnyFormatIsAnErrorAndNoCrash() {
        const QTemporaryDir folder;
        for (const char* name : {"st_misaligned.safetensors", "npy_v2_long_header.npy", "npz_deflated.npz", "pt_plain.pt"}) {
            QFile whole(QString::fromStdString(caseFile(name)));
            QVERIFY(whole.open(QIODevice::ReadOnly));
            const std::string bytes = whole.readAll().toStdString();
            for (std::size_t size = 0; size < bytes.size(); ++size) {
                const std::string path = write(folder, name, std::string_view(bytes).substr(0, size));
                QVERIFY2(!problemOf(path).empty(), qPrintable(QString("%1 cut to %2 bytes").arg(name).arg(size)));
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestCases)
#include "test_cases.moc"
