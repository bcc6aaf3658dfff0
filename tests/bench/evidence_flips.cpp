// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0

// evidence_flips DIR ALLOWED_SIGNERS [POSITIONS [FILE...]]: spoils a sealed artifact one byte at a time and verifies it
// each time. Every file of DIR, or those named; every position of a file of at most POSITIONS bytes (100000 unless said)
// and as many evenly spread ones of a larger file, each with three patterns. The strict checks stand alone, without
// ssh-keygen, which accepts several of these signatures. Prints one JSON document: for each file the flips, how many
// were accepted, and how often each check failed. Exit code 0: none was accepted; 1: some were; 2: it could not be done.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/parallel.h"
#include "evidence/artifact_folder.h"
#include "evidence/temporary_folder.h"
#include "evidence/verify_session.h"

using namespace isobit;
using namespace isobit::evidence;

namespace {

constexpr unsigned char kPatterns[] = {0x01, 0x20, 0x80};
constexpr std::size_t kChunks = 64;  // of the positions of a file, so that all cores have work to the end

struct Counts {
    std::uint64_t flips = 0;
    std::uint64_t accepted = 0;
    std::map<std::string, std::uint64_t> failedChecks;
    std::map<std::string, std::uint64_t> states;
};

struct Specimen {
    std::string folder;
    const VerifySession* session = nullptr;
    State good = State::Verified;  // of the artifact as it is: outside its repository it is stale
    std::map<std::string, GuardedRun> runs;
    std::string manifestText;  // as sealed; parsed once for all flips of other files
    std::optional<Manifest> manifest;

    // A run file's reader has seen these bytes in its child; any others must be caught before they would reach it.
    [[nodiscard]] VerifyContext context() const {
        VerifyContext context{&session->policy(), session->binding(), session->timeFor(folder), false};
        context.readRun = [this](std::string_view bytes, const std::string& file) -> Result<GuardedRun> {
            const auto known = runs.find(std::string(bytes));
            return known == runs.end() ? GuardedRun{true, file + " has other bytes", {}} : known->second;
        };
        context.readManifestText = [this](std::string_view text, std::string_view name) -> Result<Manifest> {
            return text == manifestText ? Result<Manifest>(*manifest) : readManifest(text, name);
        };
        return context;
    }
};

[[noreturn]] void stop(const std::string& sentence) {
    std::fprintf(stderr, "evidence_flips: %s\n", sentence.c_str());
    std::exit(2);
}

template <class T>
T need(Result<T> result) {
    if (!result) stop(result.error().message);
    return std::move(*result);
}

void writeByte(int file, std::size_t at, unsigned char byte) {
    if (::pwrite(file, &byte, 1, static_cast<off_t>(at)) != 1) stop("a copy of the artifact cannot be written");
}

// One share of the positions of a file, on a copy of the artifact of its own.
void flip(const Specimen& specimen, const FolderEntry& entry, const std::vector<std::size_t>& positions,
          Counts& counts) {
    const auto place = need(TemporaryFolder::make());
    const std::string copy = place->pathOf("artifact");
    std::filesystem::copy(specimen.folder, copy, std::filesystem::copy_options::recursive);
    const int file = ::open((copy + "/" + entry.name).c_str(), O_RDWR | O_CLOEXEC);
    const VerifyContext context = specimen.context();
    for (const std::size_t at : positions) {
        unsigned char good = 0;
        if (::pread(file, &good, 1, static_cast<off_t>(at)) != 1) stop(entry.name + " cannot be read");
        for (const unsigned char pattern : kPatterns) {
            writeByte(file, at, static_cast<unsigned char>(good ^ pattern));
            const Verification found = need(verifyArtifact(copy, context));
            ++counts.flips;
            counts.accepted += found.state <= specimen.good;
            ++counts.states[std::string(nameOf(found.state))];
            for (const Check& check : found.checks)
                if (check.outcome == Outcome::Fail && check.state > specimen.good) ++counts.failedChecks[check.id];
        }
        writeByte(file, at, good);
    }
    ::close(file);
}

Counts flipFile(const Specimen& specimen, const FolderEntry& entry, std::size_t limit) {
    const std::size_t wanted = std::min<std::size_t>(entry.size, limit);
    Counts all;
    std::mutex mutex;
    parallelFor(kChunks, 0, [&](std::size_t chunk) {
        std::vector<std::size_t> positions;
        for (std::size_t i = chunk; i < wanted; i += kChunks) positions.push_back(i * entry.size / wanted);
        if (positions.empty()) return;
        Counts counts;
        flip(specimen, entry, positions, counts);
        const std::scoped_lock lock(mutex);
        all.flips += counts.flips;
        all.accepted += counts.accepted;
        for (const auto& [id, count] : counts.failedChecks) all.failedChecks[id] += count;
        for (const auto& [state, count] : counts.states) all.states[state] += count;
    });
    return all;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) stop("usage: evidence_flips DIR ALLOWED_SIGNERS [POSITIONS [FILE...]]");
    const std::size_t limit = argc > 3 ? std::stoull(argv[3]) : 100000;
    const std::set<std::string> wanted(argv + std::min(argc, 4), argv + argc);
    const VerifySession session =
        need(VerifySession::open(argv[1], {.base = "", .allowedSigners = argv[2], .revokedKeys = "", .time = ""}));
    Specimen specimen{argv[1], &session, State::Verified, {}, {}, {}};
    const ArtifactFolder folder = need(ArtifactFolder::open(argv[1]));
    for (const FolderEntry& entry : folder.files()) {
        if (!entry.name.ends_with(".h5")) continue;
        const std::string bytes = need(folder.read(entry.name, kRunFileLimitBytes));
        specimen.runs.emplace(bytes, need(readRunGuarded(bytes, entry.name)));
    }
    specimen.manifestText = need(folder.read(std::string(kManifestName), kRunFileLimitBytes));
    specimen.manifest = need(readManifest(specimen.manifestText, kManifestName));
    specimen.good = need(verifyArtifact(specimen.folder, specimen.context())).state;
    if (specimen.good > State::VerifiedStale)
        stop(specimen.folder + " is " + std::string(nameOf(specimen.good)) + ", not a good artifact");

    nlohmann::ordered_json document{{"artifact", specimen.folder}, {"state", nameOf(specimen.good)}, {"flips", 0}, {"accepted", 0}};
    std::uint64_t flips = 0;
    std::uint64_t accepted = 0;
    for (const FolderEntry& entry : folder.files()) {
        if (!wanted.empty() && !wanted.contains(entry.name)) continue;
        const Counts counts = flipFile(specimen, entry, limit);
        document["files"].push_back({{"name", entry.name},
                                     {"bytes", entry.size},
                                     {"flips", counts.flips},
                                     {"accepted", counts.accepted},
                                     {"states", counts.states},
                                     {"failed_checks", counts.failedChecks}});
        std::fprintf(stderr, "%s: %llu flips, %llu accepted\n", entry.name.c_str(),
                     static_cast<unsigned long long>(counts.flips), static_cast<unsigned long long>(counts.accepted));
        flips += counts.flips;
        accepted += counts.accepted;
    }
    document["flips"] = flips;
    document["accepted"] = accepted;
    std::printf("%s\n", document.dump(2).c_str());
    return accepted == 0 ? 0 : 1;
}
