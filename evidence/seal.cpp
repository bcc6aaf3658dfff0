// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "evidence/seal.h"

#include <sys/random.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>

#include "core/base/atomic_file.h"
#include "core/base/sha256.h"
#include "core/engagement/qualification.h"
#include "core/tensors/confinement.h"
#include "evidence/base64.h"
#include "evidence/run_environment.h"
#include "evidence/run_guard.h"
#include "evidence/tree_binding.h"

namespace isobit::evidence {
namespace {

struct DataFile {
    std::string name;  ///< "data/run.h5"
    std::string bytes;
    std::string given;  ///< the path that it was read from
};

constexpr std::string_view kQualificationName = "data/qualification.json";

// Removes a half-made folder unless it was finished.
class StagingFolder {
public:
    explicit StagingFolder(std::string path) : m_path(std::move(path)) {}
    ~StagingFolder() {
        std::error_code ignored;
        if (!m_path.empty()) std::filesystem::remove_all(m_path, ignored);
    }
    StagingFolder(const StagingFolder&) = delete;
    StagingFolder& operator=(const StagingFolder&) = delete;
    [[nodiscard]] const std::string& path() const { return m_path; }
    void finished() { m_path.clear(); }

private:
    std::string m_path;
};

Result<std::vector<DataFile>> readData(const SealOptions& options) {
    std::vector<DataFile> files;
    const auto add = [&](const std::string& path, std::string name) -> Result<void> {
        if (!isDataName(name))
            return failure("{}: its name cannot be used in an artifact: expected {}", path, rule::dataName.expected);
        Result<std::string> bytes = readTextFile(path, kRunFileLimitBytes);
        if (!bytes) return failureOf(bytes);
        for (const DataFile& file : files)
            if (file.name == name) return failure("{}: there is another file of the name {}", path, name);
        files.push_back({std::move(name), std::move(*bytes), path});
        return {};
    };
    for (std::size_t i = 0; i < options.runs.size(); ++i) {
        const std::string name = i == 0 ? std::string(kClaimFile) : fmt::format("data/run-{}.h5", i + 1);
        if (const Result<void> added = add(options.runs[i], name); !added) return failureOf(added);
    }
    for (const std::string& path : options.attachments) {
        const std::string name = "data/" + std::filesystem::path(path).filename().string();
        if (const Result<void> added = add(path, name); !added) return failureOf(added);
    }
    if (!options.qualification.empty())
        if (const Result<void> added = add(options.qualification, std::string(kQualificationName)); !added)
            return failureOf(added);
    return files;
}

// What a qualification does not claim the record must not seem to claim either.
Result<void> addNonClaims(const std::vector<DataFile>& files, std::vector<std::string>& nonClaims) {
    for (const DataFile& file : files) {
        if (file.name != kQualificationName) continue;
        const std::string given = printable(file.given);
        const Result<Json> document = parseJsonStrictly(file.bytes, given);
        if (!document) return failureOf(document);
        const Result<QualificationSummary> summary = readQualification(*document, given);
        if (!summary) return failureOf(summary);
        if (!summary->qualified)
            return failure("{}: is not qualified, expected a document whose every step holds", given);
        for (const std::string& sentence : summary->notClaimed)
            nonClaims.push_back(fmt::format("{} does not claim: {}", kQualificationName, sentence));
    }
    return {};
}

Result<Source> sourceOf(const TreeBinding& binding, const std::vector<std::string>& bind, const PlanRecord& plan) {
    const GitTree& tree = binding.tree();
    const std::optional<std::string> commit = tree.commit("HEAD");
    if (!commit) return failure("{}: has no commit that a result could be bound to", tree.root());
    std::vector<std::string> paths = bind;
    if (paths.empty()) {
        const Result<std::vector<std::string>> topLevel = tree.topLevel();
        if (!topLevel) return failureOf(topLevel);
        const auto isInHead = [&](const std::string& path) { return tree.objectId("HEAD", path).has_value(); };
        paths = defaultBoundPaths(*topLevel, isInHead, plan);
    }
    if (paths.empty())
        return failure("{}: holds nothing that a result could be bound to; name it with --bind", tree.root());
    std::sort(paths.begin(), paths.end());
    paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
    const Result<bool> dirty = tree.isDirty(paths);
    if (!dirty) return failureOf(dirty);
    if (*dirty)
        return failure("{}: has changes that are not committed; a result must be bound to what is", tree.root());
    Source source{tree.origin().empty() ? "none" : tree.origin(), *commit, false, {}};
    for (const std::string& path : paths) {
        const Result<BoundPath> bound = binding.bind(path);
        if (!bound) return failureOf(bound);
        source.paths.push_back(*bound);
    }
    return source;
}

void addSubjects(const std::vector<DataFile>& files, Manifest& manifest) {
    for (const DataFile& file : files)
        manifest.subject.push_back({file.name, {sha256Hex(std::string_view(file.bytes))}, {file.bytes.size()}});
    std::sort(manifest.subject.begin(), manifest.subject.end(),
              [](const Subject& left, const Subject& right) { return left.name < right.name; });
}

Result<void> addRuns(const std::vector<DataFile>& files, std::size_t runs, Manifest& manifest,
                     std::vector<NamedValue>& provenance) {
    ResultPredicate& predicate = manifest.predicate;
    RunClaims claim;
    for (std::size_t i = 0; i < runs; ++i) {
        const Result<GuardedRun> run = readRunGuarded(files[i].bytes, files[i].name);
        if (!run) return failureOf(run);
        if (run->refused) return failure("{}", run->reason);
        predicate.datasets.insert(predicate.datasets.end(), run->claims.datasets.begin(), run->claims.datasets.end());
        if (i == 0) {
            claim = run->claims;
            continue;
        }
        const Result<ReplayRecord> replay = replayOf(claim, run->claims, files[i].name);
        if (!replay) return failureOf(replay);
        predicate.replays.push_back(*replay);
    }
    std::sort(predicate.datasets.begin(), predicate.datasets.end(),
              [](const DatasetRecord& left, const DatasetRecord& right) {
                  return std::pair(left.file, left.path) < std::pair(right.file, right.path);
              });
    predicate.plan = claim.plan;
    predicate.inputs = claim.inputs;
    predicate.sweep = claim.sweep;
    predicate.cells = claim.cells;
    predicate.edges = claim.edges;
    predicate.result = resultOf(claim.cells);
    provenance = claim.provenance;
    return {};
}

void addKnowledge(const Knowledge& knowledge, PlanRecord& plan) {
    if (knowledge.contractOf) plan.contract = knowledge.contractOf(plan);
    if (!knowledge.fieldsOf) return;
    plan.trainer.arithmetic.fields = knowledge.fieldsOf(plan.trainer.arithmetic.name);
    plan.sampler.arithmetic.fields = knowledge.fieldsOf(plan.sampler.arithmetic.name);
}

Result<void> writeFolder(const std::string& out, const std::vector<DataFile>& files, const std::string& manifest) {
    std::error_code problem;
    const std::filesystem::path target(out);
    const std::filesystem::path parent = target.has_parent_path() ? target.parent_path() : std::filesystem::path(".");
    std::filesystem::create_directories(parent, problem);
    std::string pattern = (parent / (".sealing-" + target.filename().string() + ".XXXXXX")).string();
    if (::mkdtemp(pattern.data()) == nullptr) return failure("{}: cannot be made: {}", out, std::strerror(errno));
    StagingFolder staging(pattern);
    ::chmod(pattern.c_str(), 0755);
    std::filesystem::create_directory(staging.path() + "/data", problem);
    for (const DataFile& file : files)
        if (const auto written = writeTextAtomically(staging.path() + "/" + file.name, file.bytes); !written)
            return written;
    const std::string manifestPath = staging.path() + "/" + std::string(kManifestName);
    if (const auto written = writeTextAtomically(manifestPath, manifest); !written) return written;
    std::filesystem::rename(staging.path(), target, problem);
    if (problem) return failure("{}: cannot be made: {}", out, problem.message());
    staging.finished();
    return {};
}

std::string withoutTrailingSlash(std::string path) {
    while (path.size() > 1 && path.ends_with('/')) path.pop_back();
    return path;
}

Result<GitTree> treeAround(const std::string& out) {
    std::filesystem::path folder = std::filesystem::absolute(out).parent_path();
    while (!std::filesystem::exists(folder) && folder.has_relative_path()) folder = folder.parent_path();
    return GitTree::around(folder.string());
}

}  // namespace

Result<std::string> randomToken() {
    char bytes[16];
    if (::getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
        return failure("the operating system gave no random bytes");
    return toHex({bytes, sizeof bytes});
}

std::vector<std::string> defaultBoundPaths(const std::vector<std::string>& topLevel,
                                           const std::function<bool(const std::string&)>& isInHead,
                                           const PlanRecord& plan) {
    std::vector<std::string> paths;
    for (const char* path : {"core/arithmetic", "core/numeric", "core/silicon", "resources/silicon/sm_90.table"})
        if (isInHead(path)) paths.emplace_back(path);
    const bool device = plan.trainer.engine == "cuda" || plan.sampler.engine == "cuda";
    if (!paths.empty() && device && isInHead("kernels")) paths.emplace_back("kernels");
    if (!paths.empty()) return paths;
    for (const std::string& path : topLevel)
        if (isSourcePath(path) && path != "evidence") paths.push_back(path);
    // A repository of evidence alone: the policy is then what the result stands under.
    if (paths.empty() && isInHead("evidence/policy")) paths.emplace_back("evidence/policy");
    return paths;
}

Result<Sealed> sealArtifact(const SealOptions& options) {
    const std::string out = withoutTrailingSlash(options.out);
    std::error_code problem;
    if (options.runs.empty()) return failure("no run file to seal");
    if (std::filesystem::exists(std::filesystem::symlink_status(out, problem)))
        return failure("{}: is there already", out);
    Result<GitTree> tree = treeAround(out);
    if (!tree) return failureOf(tree);
    const TreeBinding binding(std::move(*tree));
    Result<std::vector<DataFile>> files = readData(options);
    if (!files) return failureOf(files);

    Manifest manifest;
    ResultPredicate& predicate = manifest.predicate;
    std::vector<NamedValue> provenance;
    if (const auto added = addRuns(*files, options.runs.size(), manifest, provenance); !added) return failureOf(added);
    addKnowledge(options.knowledge, predicate.plan);
    const Result<Source> source = sourceOf(binding, options.bind, predicate.plan);
    if (!source) return failureOf(source);
    predicate.source = *source;
    if (!provenance.empty()) files->push_back({"data/environment.txt", environmentText(provenance), {}});
    addSubjects(*files, manifest);
    describeEnvironment(provenance, options.time.value_or(utcNow()), predicate);
    predicate.nonClaims.insert(predicate.nonClaims.end(), options.nonClaims.begin(), options.nonClaims.end());
    if (const auto added = addNonClaims(*files, predicate.nonClaims); !added) return failureOf(added);
    predicate.supersedes = options.supersedes;
    predicate.producer = options.producer;
    const Result<std::string> runId = options.runId.empty() ? randomToken() : Result<std::string>(options.runId);
    if (!runId) return failureOf(runId);
    predicate.runId = *runId;

    const std::string text = writeManifest(manifest);
    const Result<Manifest> read = readManifest(text, kManifestName);  // what is sealed can be verified
    if (!read) return failureOf(read);
    if (const auto written = writeFolder(out, *files, text); !written) return failureOf(written);
    return Sealed{out, sha256Hex(std::string_view(text)), *read};
}

}  // namespace isobit::evidence
