// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTemporaryDir>
#include <QTest>

#include "core/base/atomic_file.h"
#include "core/contracts/gemm_admission.h"

using namespace isobit;

namespace {

// Shape and fields of an entry of resources/records/gemm_admission_h200.json, and an own kernel's.
const std::string kTable = R"({
 "format": "isobit.gemm-admission/1", "gpu": "NVIDIA H200", "driver": "13.0",
 "library": {"name": "cublasLt", "version": 130100},
 "entries": [
  {"M": 64, "N": 3840, "K": 3840, "words_sha256": "0dcbb26805f9130635a2f5869e55f1f2471bbeae67c1a145d425e7ec1e019676",
   "tried": 90, "admitted": 78, "default_us": 8.3,
   "fastest": {"name": "cublasLt", "us": 8.25, "algorithm": {"id": 66, "tile": 13, "stages": 35, "split_k": 1,
     "reduction": 0, "swizzle": 0, "custom": 3, "inner": 0, "cluster": 7, "workspace": 0,
     "words": ["0000000d00000042", "0000000100000023", "0000000000000000", "0007000000000003", "0001fc3400000001",
               "0000000e0000000e", "00000044000e000e", "0000000000000000"]}, "rows_kept": [1, 17, 64]}},
  {"M": 8, "N": 3840, "K": 3840, "words_sha256": "0dcbb26805f9130635a2f5869e55f1f2471bbeae67c1a145d425e7ec1e019676",
   "tried": 90, "admitted": 2, "default_us": 8.0, "fastest": {"name": "narrow", "us": 9.5}}
 ]})";

std::string with(const std::string& from, const std::string& to) {
    std::string text = kTable;
    const auto at = text.find(from);
    Q_ASSERT(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

QString problemOf(const std::string& text) {
    const auto table = parseGemmAdmission(text, "t.json");
    return table ? QString("no problem") : QString::fromStdString(table.error().message);
}

class TestGemmAdmission : public QObject {
    Q_OBJECT
private slots:
    void aTableGivesItsEntriesBack() {
        const auto table = parseGemmAdmission(kTable, "t.json");
        QVERIFY(table);
        QCOMPARE(table->libraryVersion, 130100u);
        const AdmittedGemm& entry = table->entries.at(0);
        QCOMPARE(entry.algorithm->words[3], 0x0007000000000003u);
        QCOMPARE(entry.algorithm->tile, 13);
        QCOMPARE(entry.us, 8.25);
        QVERIFY(!table->entries.at(1).algorithm);
    }

    void onlyTheExactShapeHasAnEntry() {
        const auto table = parseGemmAdmission(kTable, "t.json");
        QVERIFY(table);
        QCOMPARE(table->find(64, 3840, 3840)->realisation, "cublasLt");
        QCOMPARE(table->find(8, 3840, 3840)->realisation, "narrow");
        QVERIFY(table->find(17, 3840, 3840) == nullptr);  // the algorithm kept its words there, at whatever speed
        QVERIFY(table->find(64, 3840, 3841) == nullptr);
        QVERIFY(table->find(64, 3841, 3840) == nullptr);
    }

    void anotherChipOrVersionIsRefusedInOneSentence() {
        const auto table = parseGemmAdmission(kTable, "t.json");
        QVERIFY(table);
        QVERIFY(requireSameMachine(*table, "NVIDIA H200", 130100));
        const auto version = requireSameMachine(*table, "NVIDIA H200", 130200);
        QCOMPARE(QString::fromStdString(version.error().message),
                 "t.json was admitted for cublasLt 130100, this is 130200: not used; `isobit admit gemm --table FILE "
                 "--readmit` admits its shapes again");
        const auto chip = requireSameMachine(*table, "NVIDIA H100 80GB HBM3", 130100);
        QVERIFY(chip.error().message.starts_with("t.json was admitted on NVIDIA H200, this is NVIDIA H100 80GB HBM3"));
        auto other = *table;
        other.library = "rocblas";
        QVERIFY(requireSameMachine(other, "NVIDIA H200", 130100).error().message.find("rocblas") != std::string::npos);
    }

    void brokenTablesAreRefusedInOneSentence_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("problem");
        QTest::newRow("cut short") << " ]}"
                                   << ""
                                   << "t.json";
        QTest::newRow("format") << "admission/1"
                                << "admission/9"
                                << "format \"isobit.gemm-admission/9\"";
        QTest::newRow("unknown key") << "\"tried\": 90"
                                     << "\"trust\": 90"
                                     << "entry 0: key \"trust\" is not known";
        QTest::newRow("unknown key of an algorithm") << "\"id\": 66"
                                                     << "\"id\": 66, \"x\": 1"
                                                     << "entry 0: key \"x\" is not known";
        QTest::newRow("an own kernel with an algorithm") << "\"us\": 9.5"
                                                         << "\"us\": 9.5, \"algorithm\": {}"
                                                         << "entry 1: key \"algorithm\" is not known";
        QTest::newRow("no version") << "\"version\": 130100"
                                    << "\"version\": \"13\""
                                    << "\"version\" is \"13\"";
        QTest::newRow("hostile size")
            << "\"M\": 64"
            << "\"M\": 9223372036854775807"
            << "entry 0: \"M\" is 9223372036854775807, expected a whole number from 1 to 1048576";
        QTest::newRow("a size beyond 63 bits") << "\"N\": 3840"
                                               << "\"N\": 18446744073709551615"
                                               << "\"N\" is 18446744";
        QTest::newRow("zero size") << "\"K\": 3840"
                                   << "\"K\": 0"
                                   << "entry 0: \"K\" is 0";
        QTest::newRow("hostile workspace") << "\"workspace\": 0"
                                           << "\"workspace\": 1099511627776"
                                           << "\"workspace\" is";
        QTest::newRow("split K") << "\"split_k\": 1"
                                 << "\"split_k\": 4"
                                 << "with 4 ranges of K is not the contract's";
        QTest::newRow("short word") << "0000000d00000042"
                                    << "d00000042"
                                    << "16 digits of base 16";
        QTest::newRow("missing word") << "\"0000000d00000042\", "
                                      << ""
                                      << "expected 8 words";
        QTest::newRow("digest") << "0dcbb268"
                                << "0dcbb26x"
                                << "\"words_sha256\"";
        QTest::newRow("twice") << "\"M\": 8,"
                               << "\"M\": 64,"
                               << "entry 1: M 64, N 3840, K 3840 is there twice";
        QTest::newRow("no entries") << "\"entries\": ["
                                    << "\"entries\": 7, \"e\": ["
                                    << "\"e\" is not known";
        QTest::newRow("time") << "\"us\": 9.5"
                              << "\"us\": -1"
                              << "\"us\" is -1, expected microseconds";
    }

    void brokenTablesAreRefusedInOneSentence() {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, problem);
        const QString found = problemOf(with(from.toStdString(), to.toStdString()));
        QVERIFY2(found.startsWith("t.json") && found.contains(problem), qPrintable(found));
        QVERIFY2(!found.contains('\n'), qPrintable(found));
    }

    void theRecordOfTheProjectIsReadable() {
        const auto table = readGemmAdmission(ISOBIT_SOURCE_DIR "/resources/records/gemm_admission_h200.json");
        QVERIFY2(table, table ? "" : table.error().message.c_str());
        QCOMPARE(table->gpu, "NVIDIA H200");
        QVERIFY(table->find(256, 3840, 15360) != nullptr);
    }

    void aFileIsReadByItsPathAndAMissingOneIsNamed() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("table.json").toStdString();
        QVERIFY(readGemmAdmission(path).error().message.find("table.json") != std::string::npos);
        QVERIFY(writeTextAtomically(path, kTable));
        const auto table = readGemmAdmission(path);
        QVERIFY(table);
        QCOMPARE(table->source, path);
    }
};

}  // namespace

QTEST_APPLESS_MAIN(TestGemmAdmission)
#include "test_gemm_admission.moc"
