// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <cstring>

#include "core/base/atomic_file.h"
#include "core/silicon/silicon_table.h"

using namespace isobit;

namespace {

const SiliconProvenance kProvenance{"a GPU", "a driver", "a toolkit", "a digest"};

std::vector<std::byte> embeddedFile() {
    const SiliconTable& table = *embeddedSm90Table();
    return packSiliconTable(table.tables, table.provenance);
}

std::string refusal(const std::vector<std::byte>& file) {
    const Result<SiliconTable> table = parseSiliconTable(file, "FILE");
    return table ? "accepted" : table.error().message;
}

}  // namespace

class TestSiliconTable : public QObject {
    Q_OBJECT
private slots:
    void theEmbeddedTableSaysWhereItWasMeasured() {
        QVERIFY2(embeddedSm90Table().has_value(), "the table in the program cannot be read");
        QCOMPARE(embeddedSm90Table()->provenance.gpu, std::string("NVIDIA H200"));
        QCOMPARE(embeddedSm90Table()->fileSha256.size(), std::size_t(64));
    }

    // What the tree claims about the table is about this table: every check of the kept report, and none with a
    // mismatch.
    void theKeptReportIsAboutTheEmbeddedTable() {
        const std::string path = ISOBIT_SOURCE_DIR "/resources/silicon/sm_90.verify.json";
        const Result<std::string> text = readTextFile(path);
        QVERIFY(text.has_value());
        const Result<Json> report = parseJsonStrictly(*text, path);
        QVERIFY(report.has_value());
        QCOMPARE((*report)["table_sha256"].get<std::string>(), embeddedSm90Table()->fileSha256);
        QCOMPARE((*report)["provenance"]["source_sha256"].get<std::string>(),
                 embeddedSm90Table()->provenance.sourceSha256);
        QCOMPARE((*report)["mismatches"].get<int>(), 0);
        int functions = 0;
        for (const Json& check : (*report)["checks"]) {
            QCOMPARE(check["mismatches"].get<int>(), 0);
            QVERIFY(check["inputs"].get<std::uint64_t>() >= (std::uint64_t(1) << 30));
            functions += check["inputs"].get<std::uint64_t>() == (std::uint64_t(1) << 32) ? 1 : 0;
        }
        QCOMPARE(functions, 14);  // seven functions, subnormals kept and flushed, on all their operands
    }

    void aPackedTableComesBackWhole() {
        sm90::Tables tables{};
        tables.rcp[0] = {67108864, -131068, 2026};
        tables.lg2[63] = {-1, 2, -3};
        tables.lg2Bias = 53568;
        const Result<SiliconTable> read = parseSiliconTable(packSiliconTable(tables, kProvenance), "FILE");
        QVERIFY(read.has_value());
        QCOMPARE(std::memcmp(&read->tables, &tables, sizeof tables), 0);
        QCOMPARE(read->provenance.driver, kProvenance.driver);
    }

    void packingTheEmbeddedTableGivesItsOwnFile() {
        const Result<SiliconTable> again = parseSiliconTable(embeddedFile(), "FILE");
        QVERIFY(again.has_value());
        QCOMPARE(again->header.dump(), embeddedSm90Table()->header.dump());
    }

    void everyTruncationIsRefused() {
        const std::vector<std::byte> file = embeddedFile();
        for (std::size_t size = 0; size < file.size(); ++size) {
            const std::vector<std::byte> cut(file.begin(), file.begin() + std::ptrdiff_t(size));
            if (parseSiliconTable(cut, "FILE")) QFAIL(qPrintable(QString("%1 bytes were accepted").arg(size)));
        }
    }

    void aFlippedBitAnywhereIsRefusedOrLeavesTheTablesAlone() {
        const std::vector<std::byte> file = embeddedFile();
        for (std::size_t at = 0; at < file.size(); ++at) {
            std::vector<std::byte> damaged = file;
            damaged[at] ^= std::byte{1};
            const Result<SiliconTable> read = parseSiliconTable(damaged, "FILE");
            if (read && std::memcmp(&read->tables, &embeddedSm90Table()->tables, sizeof read->tables) != 0)
                QFAIL(qPrintable(QString("a flip at byte %1 changed the tables").arg(at)));
        }
    }

    void bytesAfterTheFileAreRefused() {
        std::vector<std::byte> file = embeddedFile();
        file.push_back(std::byte{0});
        QVERIFY(refusal(file).find("its lengths at offset 16 say") != std::string::npos);
    }

    void aForeignFileIsRefusedByItsFirstBytes() {
        std::vector<std::byte> file = embeddedFile();
        file[0] = std::byte{'I'};
        QVERIFY(refusal(file).find("does not begin with \"isobit.silicon/1\"") != std::string::npos);
    }

    void hugeLengthsAreRefusedBeforeMemoryIsTaken() {
        std::vector<std::byte> file = embeddedFile();
        for (std::size_t i = 16; i < 24; ++i) file[i] = std::byte{0xff};
        QVERIFY(refusal(file).find("its lengths") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestSiliconTable)
#include "test_silicon_table.moc"
