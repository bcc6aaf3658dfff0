// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QTemporaryDir>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "core/base/sha256.h"
#include "core/sweep/presets.h"
#include "core/sweep/run_file.h"
#include "core/sweep/runner.h"
#include "evidence/process.h"
#include "evidence/seal.h"
#include "evidence/verify_session.h"
#include "tests/support/evidence_keys.h"
#include "tests/support/fake_programs.h"
#include "tests/support/sample_run.h"

namespace isobit::evidence::test {

inline std::string readAll(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline void writeAll(const std::string& path, std::string_view text) {
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream(path, std::ios::binary).write(text.data(), static_cast<std::streamsize>(text.size()));
}

/// Programs that take no time, and a run of both over four cells.
inline const ProgramList& fakePrograms() {
    static const ProgramList list = [] {
        ProgramList programs;
        programs.push_back(std::make_unique<support::FakeProgram>("reference:fake.trainer"));
        programs.push_back(std::make_unique<support::FakeProgram>("reference:fake.sampler"));
        return programs;
    }();
    return list;
}

inline Plan fakePlan() {
    Plan plan = support::samplePlan();
    plan.preset = "fake-4";
    plan.axes = {{"H", {64, 96}}, {"M", {1, 3}}};
    plan.pairing.trainer.name = "reference:fake.trainer";
    plan.pairing.sampler.name = "reference:fake.sampler";
    return plan;
}

inline Run fakeRun() {
    Plan plan = fakePlan();
    const auto pair =
        bindPrograms(plan, [](std::string_view) -> Result<const ProgramList*> { return &fakePrograms(); });
    return runSweep(plan, *pair, {.threads = 1})->run;
}

/// A repository with a kernel, a policy of an author and a reviewer, and room for artifacts. Keys are those of RFC
/// 8032.
class EvidenceRepository {
public:
    EvidenceRepository() {
        ::setenv("ISOBIT_PROGRAM", ISOBIT_BINARY_DIR "/bin/isobit", 1);
        git({"init", "-q", "-b", "main"});
        writeAll(path("kernels/norm.cu"), "// a kernel\n");
        writeAll(path("evidence/policy/allowed_signers"), signers());
        writeAll(path(".gitattributes"), "evidence/** -text\n");
        commit("Start");
    }

    static std::string signers() {
        return "author@example.invalid namespaces=\"evidence-result-v1@isobit\" " +
               SeededKey(kTest1Seed).sshKey().line() +
               "\nreviewer@example.invalid namespaces=\"evidence-review-v1@isobit\" " +
               SeededKey(kTest2Seed).sshKey().line() + "\n";
    }

    std::string path(const std::string& name) const { return (m_folder.path() + "/r/").toStdString() + name; }
    std::string outside(const std::string& name) const { return (m_folder.path() + "/" + name.c_str()).toStdString(); }

    std::string git(std::vector<std::string> arguments) const {
        std::filesystem::create_directories(path(""));
        std::vector<std::string> command = {
            "git", "-C", path(""), "-c", "user.name=Test", "-c", "user.email=test@example.invalid"};
        command.insert(command.end(), arguments.begin(), arguments.end());
        const auto result = runProcess({.arguments = command});
        return result && result->exitCode == 0 ? result->out
                                               : "failed: " + (result ? result->err : result.error().message);
    }
    void commit(const std::string& subject) const {
        git({"add", "-A"});
        git({"commit", "-q", "-m", subject});
    }

    /// What the tests seal: the run file "run.h5" outside the repository, as evidence/records/fake-4/NAME.
    SealOptions request(const std::string& name) const {
        return {.runs = {outside("run.h5")},
                .attachments = {},
                .out = path("evidence/records/fake-4/" + name),
                .bind = {"kernels"},
                .nonClaims = {},
                .supersedes = "",
                .runId = "",
                .time = *readUtcDigits("20260601Z"),
                .producer = {"isobit", "0", "test", "unknown"},
                .knowledge = {}};
    }
    /// Seals a run of four cells; the run file stays outside the repository.
    Result<Sealed> seal(const std::string& name, const Run& run = fakeRun()) const {
        if (const auto written = writeRunFile(run, outside("run.h5")); !written) return failureOf(written);
        return sealArtifact(request(name));
    }
    void sign(const std::string& folder, const std::string& seed = kTest1Seed,
              std::string_view nameSpace = kResultNamespace) const {
        writeAll(folder + "/manifest.json.author.sshsig",
                 SeededKey(seed).sshSignatureFile(readAll(folder + "/manifest.json"), nameSpace));
    }
    /// Writes and signs an approval.
    void review(const std::string& folder, const std::string& seed = kTest2Seed,
                const std::string& verdict = "APPROVED") const {
        Review review;
        review.subject = {
            {"manifest.json", {sha256Hex(readAll(folder + "/manifest.json"))}},
            {"manifest.json.author.sshsig", {sha256Hex(readAll(folder + "/manifest.json.author.sshsig"))}}};
        review.predicate.verdict = verdict;
        review.predicate.reviewedCommit = git({"rev-parse", "HEAD"}).substr(0, 40);
        review.predicate.claimedReviewedUtc = "2026-06-02T00:00:00Z";
        const std::string text = writeReview(review);
        writeAll(folder + "/review.reviewer.json", text);
        writeAll(folder + "/review.reviewer.json.sshsig", SeededKey(seed).sshSignatureFile(text, kReviewNamespace));
    }
    /// A sealed, signed, reviewed and committed artifact.
    std::string artifact(const std::string& name = "first") const {
        const auto sealed = seal(name);
        if (!sealed) return "failed: " + sealed.error().message;
        sign(sealed->folder);
        review(sealed->folder);
        commit("Add evidence");
        return sealed->folder;
    }

    Result<Verification> verify(const std::string& folder, const VerifyOptions& options = {}) const {
        const auto session = VerifySession::open(folder, options);
        if (!session) return failureOf(session);
        return session->verify(folder);
    }
    /// The state, or the sentence that says why there is none.
    std::string state(const std::string& folder, const VerifyOptions& options = {}) const {
        const auto verification = verify(folder, options);
        return verification ? std::string(nameOf(verification->state)) : verification.error().message;
    }
    /// What resources/verify-evidence.sh says: "ACCEPT ..." or "REJECT ...".
    std::string script(const std::string& folder, const std::string& time = "") const {
        writeAll(outside("signers"), git({"show", "HEAD:evidence/policy/allowed_signers"}));
        const auto result = runProcess({.arguments = {"bash", ISOBIT_SOURCE_DIR "/resources/verify-evidence.sh", folder,
                                                      outside("signers"), "", time},
                                        .directory = path("")});
        if (!result) return result.error().message;
        const std::size_t verdict = std::min(result->out.find("ACCEPT"), result->out.find("REJECT"));
        return verdict == std::string::npos ? result->out + result->err : result->out.substr(verdict);
    }

private:
    QTemporaryDir m_folder;
};

}  // namespace isobit::evidence::test
