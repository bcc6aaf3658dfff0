// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <filesystem>

#include "core/base/sha256.h"
#include "core/programs/reference_programs.h"
#include "core/silicon/silicon.h"
#include "evidence/rerun.h"
#include "evidence/test_key.h"
#include "evidence/verify_session.h"
#include "tests/support/evidence_repository.h"

using namespace isobit;
using namespace isobit::evidence;
using namespace isobit::evidence::test;

namespace {

// The digest gate. Whoever changes a record must change its digests here, and the other way round: neither alone passes.
struct Frozen {
    const char* folder;
    const char* engine;
    const char* manifestSha256;
    const char* signatureSha256;
    const char* runSha256;
};
constexpr Frozen kRecords[] = {
    {"rmsnorm-72/cpu-model", "modelled", "1f7c39b63d7125393e4f4c5186373fb2e5c4580b07265f453ba021ec68de6491",
     "1a416fa640c69141cd74aa0023ace733ba855c369a4aabf5a6870a2202e54035",
     "200530a57a955c466509e3eca2d68028a9d908d50ab1cba9767ed336fa9e3e07"},
    {"rmsnorm-72/h200", "measured", "e6c2aeae472ad4a55978d3b1ed31d0cc969a5ad08197c6697ea901e4cb9838c3",
     "7fd0eb0100238b2415b0ff69eb2641a80692a26072baa6ccdd1be5d6521026df",
     "42a55d448b06f6c1ab2b0e62fa98ddff87e5b2145268af8aa3b14bc352a864b1"},
    // Supersedes the one above: another plan for a few wide rows, which no cell of this grid has.
    {"rmsnorm-72/h200-2", "measured", "a74175968467a950a0d91f4fbdf4b9ae4e4b2d37eedc04b4a07f6424fc57a9dd",
     "ed5feaa501ba10fe25b00fe7daf7c98787bb4332856e13535a238bcaf29151e6",
     "fa2b006ac972755595e4acc36ddffbea1e7e2c133e35c2927f05ca992e98feda"},
};
// SHA-256 of the lines "cell output trainer sampler" of all 72 cells: one number for every word of the grid, the same
// from the CPU model and from the device.
constexpr const char* kWordsSha256 = "50f906613b87c06c473b51af08ae309c0835cd2484ddc655b316634ee2c1ccb7";

std::string folderOf(const Frozen& record) {
    return std::string(ISOBIT_SOURCE_DIR "/evidence/records/") + record.folder;
}

Result<Verification> verify(const std::string& folder) {
    const auto session =
        VerifySession::open(folder, {.base = "",
                                     .allowedSigners = ISOBIT_SOURCE_DIR "/evidence/policy/allowed_signers",
                                     .revokedKeys = ISOBIT_SOURCE_DIR "/evidence/policy/revoked_keys",
                                     .time = ""});
    if (!session) return failureOf(session);
    return session->verify(folder);
}

std::string wordsSha256(const Manifest& manifest) {
    std::string lines;
    for (const CellRecord& cell : manifest.predicate.cells)
        for (const OutputRecord& output : cell.outputs)
            lines += fmt::format("{} {} {} {}\n", cell.id, output.name, output.trainerSha256, output.samplerSha256);
    return sha256Hex(std::string_view(lines));
}

// A copy of a record in a folder of its own, to be spoiled.
std::string copyOf(const Frozen& record, const QTemporaryDir& into) {
    const std::string copy = into.filePath("record").toStdString();
    std::filesystem::copy(folderOf(record), copy, std::filesystem::copy_options::recursive);
    return copy;
}

}  // namespace

class TestRecords : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { ::setenv("ISOBIT_PROGRAM", ISOBIT_BINARY_DIR "/bin/isobit", 1); }

    void theDigestsOfEveryRecordAreTheFrozenOnes() {
        for (const Frozen& record : kRecords) {
            const std::string folder = folderOf(record);
            QCOMPARE(sha256Hex(readAll(folder + "/manifest.json")), std::string(record.manifestSha256));
            QCOMPARE(sha256Hex(readAll(folder + "/manifest.json.author.sshsig")), std::string(record.signatureSha256));
            QCOMPARE(sha256Hex(readAll(folder + "/data/run.h5")), std::string(record.runSha256));
        }
    }

    // In a checkout whose sources have moved on a record is stale, and outside one it cannot be told: nothing else may
    // fail.
    void everyRecordIsAuthenticReviewedAndSaysThatItsKeyIsATestKey() {
        for (const Frozen& record : kRecords) {
            const auto found = verify(folderOf(record));
            QVERIFY2(found.has_value(), found ? "" : found.error().message.c_str());
            for (const Check& check : found->checks)
                if (check.id != "git-tree" && check.id != "dir-sha256")
                    QVERIFY2(check.outcome == Outcome::Pass, (check.id + ": " + check.detail).c_str());
            QVERIFY(found->state == State::Verified || found->state == State::VerifiedStale);
            QCOMPARE(approvalsOf(*found), std::uint64_t(1));
            QCOMPARE(found->manifest->predicate.environment.engine, std::string(record.engine));
            QVERIFY(isPublicTestKey(found->fingerprint));
            QVERIFY(toJson(*found)["test_key"].get<bool>());
            QVERIFY(toJson(*found).dump().find("public TEST KEY of RFC 8032") != std::string::npos);
        }
    }

    void modelAndDeviceHaveTheSameWordsInAll72Cells() {
        for (const Frozen& record : kRecords) {
            const auto found = verify(folderOf(record));
            QVERIFY(found && found->manifest);
            QCOMPARE(found->manifest->predicate.sweep.cellsBitEqual, std::uint64_t(72));
            QCOMPARE(found->manifest->predicate.result, std::string("PASSED"));
            QCOMPARE(wordsSha256(*found->manifest), std::string(kWordsSha256));
        }
    }

    void aChangedRecordIsNotVerified() {
        for (const Frozen& record : kRecords)
            for (const char* file : {"/data/run.h5", "/manifest.json", "/manifest.json.author.sshsig"}) {
                const QTemporaryDir into;
                const std::string copy = copyOf(record, into);
                std::string bytes = readAll(copy + file);
                bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
                writeAll(copy + file, bytes);
                const auto found = verify(copy);
                QVERIFY(found && found->state > State::VerifiedStale);
            }
    }

    void theNewestDeviceRecordNamesTheBuildOfEachKernelAndSupersedesTheFirst() {
        const auto found = verify(folderOf(kRecords[2]));
        QVERIFY(found && found->manifest);
        QCOMPARE(found->manifest->predicate.supersedes, std::string(kRecords[1].manifestSha256));
        QCOMPARE(found->manifest->predicate.kernels.size(), std::size_t(7));
        for (const KernelBuild& kernel : found->manifest->predicate.kernels)
            QVERIFY2(isHex(kernel.cubinSha256, 64), kernel.name.c_str());
        QVERIFY(found->manifest->predicate.environment.vbios != "unknown");
    }

    // `isobit evidence rerun DIR --cells all` does this for all 72 of them.
    void cellsOfTheDeviceRecordComeOutTheSameOnACpu() {
        const auto manifest = readManifest(readAll(folderOf(kRecords[2]) + "/manifest.json"), "manifest.json");
        QVERIFY(manifest.has_value());
        const auto silicon = sm90Silicon();
        QVERIFY(silicon.has_value());
        const ProgramList programs = referencePrograms(**silicon);
        const auto report = rerunCells(*manifest, {"h2048_m1", "h3840_m8", "h5120_m16", "h32768_m1"}, programs, {});
        QVERIFY2(report.has_value(), report ? "" : report.error().message.c_str());
        QCOMPARE(report->count("EQUAL"), std::uint64_t(4));
    }
};

QTEST_GUILESS_MAIN(TestRecords)
#include "test_records.moc"
