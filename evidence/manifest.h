// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "evidence/fields.h"

// manifest.json: an in-toto Statement v1 in the profile EJ1, the only signed bytes of a result. The records below are
// its objects, each with the list of its fields; evidence/README.md says in words what every field means.

namespace isobit::evidence {

inline constexpr std::string_view kStatementType = "https://in-toto.io/Statement/v1";
inline constexpr std::string_view kResultPredicate = "urn:isobit:evidence-result:v1";
inline constexpr std::string_view kManifestName = "manifest.json";
inline constexpr std::string_view kSignatureName = "manifest.json.author.sshsig";
inline constexpr std::size_t kSubjectLimit = 4096;

struct Digest {
    std::string sha256;
};
template <class V>
void visitFields(Digest& r, V&& visit) {
    visit("sha256", r.sha256, rule::sha256);
}

struct SubjectNotes {
    std::uint64_t size = 0;  ///< bytes
};
template <class V>
void visitFields(SubjectNotes& r, V&& visit) {
    visit("size", r.size);
}

/// One file below data/.
struct Subject {
    std::string name;
    Digest digest;
    SubjectNotes annotations;
};
template <class V>
void visitFields(Subject& r, V&& visit) {
    visit("name", r.name, rule::dataName);
    visit("digest", r.digest);
    visit("annotations", r.annotations);
}

/// The build of Isobit that sealed the artifact.
struct Producer {
    std::string name;
    std::string version;
    std::string commit;
    std::string binarySha256;
};
template <class V>
void visitFields(Producer& r, V&& visit) {
    visit("name", r.name, rule::notEmpty);
    visit("version", r.version, rule::notEmpty);
    visit("commit", r.commit, rule::notEmpty);
    visit("binary_sha256", r.binarySha256, rule::sha256OrNone);
}

/// One file or folder of the source that the result stands for: it is stale as soon as one of the two differs.
struct BoundPath {
    std::string path;
    std::string gitTree;    ///< object id of HEAD:path
    std::string dirSha256;  ///< SHA-256 of the `sha256sum` lines of the tracked files below it, sorted by path
};
template <class V>
void visitFields(BoundPath& r, V&& visit) {
    visit("path", r.path, rule::sourcePath);
    visit("git_tree", r.gitTree, rule::gitId);
    visit("dir_sha256", r.dirSha256, rule::sha256);
}

struct Source {
    std::string repo;
    std::string commit;
    bool dirty = false;
    std::vector<BoundPath> paths;  ///< sorted by path
};
template <class V>
void visitFields(Source& r, V&& visit) {
    visit("repo", r.repo, rule::notEmpty);
    visit("commit", r.commit, rule::gitId);
    visit("dirty", r.dirty);
    visit("paths", r.paths);
}

/// A kernel that ran; none when the engine is a model.
struct KernelBuild {
    std::string name;
    std::string sourcePath;
    std::string cubinSha256;
    std::string ptxSha256;
    std::string compiler;
    std::vector<std::string> flags;
};
template <class V>
void visitFields(KernelBuild& r, V&& visit) {
    visit("name", r.name, rule::notEmpty);
    visit("source_path", r.sourcePath, rule::sourcePath);
    visit("cubin_sha256", r.cubinSha256, rule::sha256OrNone);
    visit("ptx_sha256", r.ptxSha256, rule::sha256OrNone);
    visit("compiler", r.compiler, rule::notEmpty);
    visit("flags", r.flags);
}

/// One input tensor of one cell.
struct InputRecord {
    std::string name;  ///< "h2048_m1/x"
    std::string generator;
    std::string generatorVersion;
    std::string seed;
    std::string dtype;
    std::vector<std::uint64_t> shape;
    std::string contentSha256;
};
template <class V>
void visitFields(InputRecord& r, V&& visit) {
    visit("name", r.name, rule::notEmpty);
    visit("generator", r.generator, rule::notEmpty);
    visit("generator_version", r.generatorVersion, rule::notEmpty);
    visit("seed", r.seed, rule::decimal);
    visit("dtype", r.dtype, rule::notEmpty);
    visit("shape", r.shape);
    visit("content_sha256", r.contentSha256, rule::sha256);
}

struct Library {
    std::string name;
    std::string version;
    std::string sha256;
};
template <class V>
void visitFields(Library& r, V&& visit) {
    visit("name", r.name, rule::notEmpty);
    visit("version", r.version, rule::notEmpty);
    visit("sha256", r.sha256, rule::sha256OrNone);
}

/// Where the bits were computed, as the author tells it: a claim. "none": does not apply; "unknown": could not be read.
struct Environment {
    std::string engine = "modelled";  ///< "measured" on a device, or "modelled" on a CPU
    std::string siliconTableSha256 = "none";
    std::string gpuName = "none";
    std::string gpuCount = "none";
    std::string sm = "none";
    std::string multiprocessors = "none";
    std::string migUuid = "none";
    std::string vbios = "none";
    std::string driver = "none";
    std::string cudaRuntime = "none";
    std::string ecc = "none";
    std::string clocksLocked = "none";
    std::string smClockKhz = "none";
    std::string memClockKhz = "none";
    std::string os = "none";
    std::string kernel = "none";
    std::string cpu = "none";
    std::vector<Library> libs;
};
template <class V>
void visitFields(Environment& r, V&& visit) {
    visit("engine", r.engine, rule::notEmpty);
    visit("silicon_table_sha256", r.siliconTableSha256, rule::sha256OrNone);
    visit("gpu_name", r.gpuName, rule::notEmpty);
    visit("gpu_count", r.gpuCount, rule::notEmpty);
    visit("sm", r.sm, rule::notEmpty);
    visit("multiprocessors", r.multiprocessors, rule::notEmpty);
    visit("mig_uuid", r.migUuid, rule::notEmpty);
    visit("vbios", r.vbios, rule::notEmpty);
    visit("driver", r.driver, rule::notEmpty);
    visit("cuda_runtime", r.cudaRuntime, rule::notEmpty);
    visit("ecc", r.ecc, rule::notEmpty);
    visit("clocks_locked", r.clocksLocked, rule::notEmpty);
    visit("sm_clock_khz", r.smClockKhz, rule::notEmpty);
    visit("mem_clock_khz", r.memClockKhz, rule::notEmpty);
    visit("os", r.os, rule::notEmpty);
    visit("kernel", r.kernel, rule::notEmpty);
    visit("cpu", r.cpu, rule::notEmpty);
    visit("libs", r.libs);
}

struct AxisRecord {
    std::string name;
    std::vector<std::uint64_t> values;
};
template <class V>
void visitFields(AxisRecord& r, V&& visit) {
    visit("name", r.name, rule::notEmpty);
    visit("values", r.values);
}

/// The grid and the counts of its cells; missing cells are counted, never left out.
struct SweepRecord {
    std::vector<AxisRecord> axes;  ///< outermost first
    std::string batchInvariant;    ///< "holds", "violated" or "not checked"
    std::uint64_t cellsExpected = 0;
    std::uint64_t cellsPresent = 0;
    std::uint64_t cellsBitEqual = 0;
    std::uint64_t cellsBitDifferent = 0;
    std::uint64_t cellsError = 0;
};
template <class V>
void visitFields(SweepRecord& r, V&& visit) {
    visit("axes", r.axes);
    visit("batch_invariant", r.batchInvariant, rule::notEmpty);
    visit("cells_expected", r.cellsExpected);
    visit("cells_present", r.cellsPresent);
    visit("cells_bit_equal", r.cellsBitEqual);
    visit("cells_bit_different", r.cellsBitDifferent);
    visit("cells_error", r.cellsError);
}

/// Both sides' words of one output of one cell.
struct OutputRecord {
    std::string name;
    std::string trainerSha256;
    std::string samplerSha256;
    std::uint64_t elements = 0;
    std::uint64_t elementsDifferent = 0;
    std::string firstDifferent;  ///< row-major index, empty for none
    std::string maxUlp;
};
template <class V>
void visitFields(OutputRecord& r, V&& visit) {
    visit("name", r.name, rule::notEmpty);
    visit("trainer_sha256", r.trainerSha256, rule::sha256);
    visit("sampler_sha256", r.samplerSha256, rule::sha256);
    visit("elements", r.elements);
    visit("elements_different", r.elementsDifferent);
    visit("first_different", r.firstDifferent, rule::decimalOrEmpty);
    visit("max_ulp", r.maxUlp, rule::decimal);
}

/// Times of one realisation in one cell: a claim that takes no part in the verdict.
struct TimingRecord {
    std::string name;
    std::uint64_t samples = 0;
    std::uint64_t timeNsMin = 0;
    std::uint64_t timeNsMedian = 0;
};
template <class V>
void visitFields(TimingRecord& r, V&& visit) {
    visit("name", r.name, rule::notEmpty);
    visit("samples", r.samples);
    visit("time_ns_min", r.timeNsMin);
    visit("time_ns_median", r.timeNsMedian);
}

struct CellRecord {
    std::string id;
    std::string status;  ///< "EQUAL", "DIFFERENT", "ERROR" or "MISSING"
    std::vector<OutputRecord> outputs;
    std::uint64_t samples = 0;  ///< of the realisation with the smallest median; 0 if nothing was timed
    std::uint64_t timeNsMin = 0;
    std::uint64_t timeNsMedian = 0;
    std::vector<TimingRecord> timings;  ///< of every realisation that was timed, sorted by name
};
template <class V>
void visitFields(CellRecord& r, V&& visit) {
    visit("id", r.id, rule::component);
    visit("status", r.status, rule::notEmpty);
    visit("outputs", r.outputs);
    visit("samples", r.samples);
    visit("time_ns_min", r.timeNsMin);
    visit("time_ns_median", r.timeNsMedian);
    visit("timings", r.timings);
}

/// One dataset of an HDF5 file below data/.
struct DatasetRecord {
    std::string file;
    std::string path;
    std::string type;  ///< "u64le", "u8", "compound" ...
    std::vector<std::uint64_t> shape;
    std::string contentSha256;  ///< of the elements in C order, little-endian, as `h5dump -b LE -o` writes them
};
template <class V>
void visitFields(DatasetRecord& r, V&& visit) {
    visit("file", r.file, rule::dataName);
    visit("path", r.path, rule::notEmpty);
    visit("type", r.type, rule::notEmpty);
    visit("shape", r.shape);
    visit("content_sha256", r.contentSha256, rule::sha256);
}

struct Protocol {
    std::uint64_t warmUps = 0;
    std::uint64_t samples = 0;
    std::string timer;
    std::string comparison;
    std::string nanRule;
    std::string tolerance;
};
template <class V>
void visitFields(Protocol& r, V&& visit) {
    visit("warm_ups", r.warmUps);
    visit("samples", r.samples);
    visit("timer", r.timer, rule::notEmpty);
    visit("comparison", r.comparison, rule::notEmpty);
    visit("nan_rule", r.nanRule, rule::notEmpty);
    visit("tolerance", r.tolerance, rule::notEmpty);
}

struct NamedValue {
    std::string name;
    std::string value;
};
template <class V>
void visitFields(NamedValue& r, V&& visit) {
    visit("name", r.name, rule::notEmpty);
    visit("value", r.value);
}

/// An arithmetic as a value: every field that can change an output bit.
struct ArithmeticRecord {
    std::string name;
    std::vector<NamedValue> fields;
};
template <class V>
void visitFields(ArithmeticRecord& r, V&& visit) {
    visit("name", r.name, rule::notEmpty);
    visit("fields", r.fields);
}

struct ProgramRecord {
    std::string name;
    std::string engine;
    std::uint64_t version = 0;
    bool rowsAlone = false;
    ArithmeticRecord arithmetic;
};
template <class V>
void visitFields(ProgramRecord& r, V&& visit) {
    visit("name", r.name, rule::notEmpty);
    visit("engine", r.engine, rule::notEmpty);
    visit("version", r.version);
    visit("rows_alone", r.rowsAlone);
    visit("arithmetic", r.arithmetic);
}

/// How one input of every cell is made; the shape names axes.
struct InputRule {
    std::string name;
    std::string generator;
    std::vector<std::string> shape;
    std::uint64_t exponentLo = 0;
    std::uint64_t exponentHi = 0;
    std::string modulus;
    std::string seedOffset;
};
template <class V>
void visitFields(InputRule& r, V&& visit) {
    visit("name", r.name, rule::notEmpty);
    visit("generator", r.generator, rule::notEmpty);
    visit("shape", r.shape, rule::notEmpty);
    visit("exponent_lo", r.exponentLo);
    visit("exponent_hi", r.exponentHi);
    visit("modulus", r.modulus, rule::decimal);
    visit("seed_offset", r.seedOffset, rule::decimal);
}

/// What was claimed to be equal to what, and everything a stranger needs to compute it again.
struct PlanRecord {
    std::string preset;
    std::string contract;  ///< the contract that the trainer's arithmetic belongs to, or "none"
    std::string operation;
    std::string pairing;
    ProgramRecord trainer;
    ProgramRecord sampler;
    std::string rowAxis;
    std::vector<InputRule> inputs;
    std::vector<NamedValue> parameters;  ///< sorted by name
    std::string seedBase;
    std::string seedStep;
    std::string silicon;
    std::string siliconSha256;
};
template <class V>
void visitFields(PlanRecord& r, V&& visit) {
    visit("preset", r.preset, rule::notEmpty);
    visit("contract", r.contract, rule::notEmpty);
    visit("operation", r.operation, rule::notEmpty);
    visit("pairing", r.pairing, rule::notEmpty);
    visit("trainer", r.trainer);
    visit("sampler", r.sampler);
    visit("row_axis", r.rowAxis);
    visit("inputs", r.inputs);
    visit("parameters", r.parameters);
    visit("seed_base", r.seedBase, rule::decimal);
    visit("seed_step", r.seedStep, rule::decimal);
    visit("silicon", r.silicon, rule::notEmpty);
    visit("silicon_sha256", r.siliconSha256, rule::sha256OrEmpty);
}

/// The rule that picks a realisation, which never changes a bit.
struct DispatchRecord {
    std::string rule;
    std::string recordSha256;
};
template <class V>
void visitFields(DispatchRecord& r, V&& visit) {
    visit("rule", r.rule, rule::notEmpty);
    visit("record_sha256", r.recordSha256, rule::sha256OrNone);
}

/// Two neighbouring values of an axis between which the verdict changes.
struct EdgeRecord {
    std::string axis;
    std::uint64_t below = 0;
    std::uint64_t above = 0;
    std::vector<NamedValue> at;
    std::vector<std::string> outputs;
    std::vector<std::string> unchangedOutputs;
};
template <class V>
void visitFields(EdgeRecord& r, V&& visit) {
    visit("axis", r.axis, rule::notEmpty);
    visit("below", r.below);
    visit("above", r.above);
    visit("at", r.at);
    visit("outputs", r.outputs);
    visit("unchanged_outputs", r.unchangedOutputs);
}

/// Another run of the same plan, sealed beside the first: how many of its cells gave the same words.
struct ReplayRecord {
    std::string file;
    std::string engine;
    std::uint64_t cellsEqual = 0;
    std::uint64_t cellsDifferent = 0;
    std::uint64_t cellsNotComparable = 0;
};
template <class V>
void visitFields(ReplayRecord& r, V&& visit) {
    visit("file", r.file, rule::dataName);
    visit("engine", r.engine, rule::notEmpty);
    visit("cells_equal", r.cellsEqual);
    visit("cells_different", r.cellsDifferent);
    visit("cells_not_comparable", r.cellsNotComparable);
}

struct ResultPredicate {
    std::uint64_t schema = 1;
    std::string result;
    std::string runId;
    std::string supersedes;
    Producer producer;
    Source source;
    std::vector<KernelBuild> kernels;
    std::vector<InputRecord> inputs;
    Environment environment;
    PlanRecord plan;
    DispatchRecord dispatch;
    SweepRecord sweep;
    std::vector<CellRecord> cells;
    std::vector<EdgeRecord> edges;
    std::vector<DatasetRecord> datasets;
    std::vector<ReplayRecord> replays;
    Protocol protocol;
    std::vector<std::string> nonClaims;
    std::string claimedStartedUtc;
    std::string claimedFinishedUtc;
};
template <class V>
void visitFields(ResultPredicate& r, V&& visit) {
    visit("schema", r.schema);
    visit("result", r.result, rule::notEmpty);
    visit("run_id", r.runId, rule::token);
    visit("supersedes", r.supersedes, rule::sha256OrEmpty);
    visit("producer", r.producer);
    visit("source", r.source);
    visit("kernels", r.kernels);
    visit("inputs", r.inputs);
    visit("environment", r.environment);
    visit("plan", r.plan);
    visit("dispatch", r.dispatch);
    visit("sweep", r.sweep);
    visit("cells", r.cells);
    visit("edges", r.edges);
    visit("datasets", r.datasets);
    visit("replays", r.replays);
    visit("protocol", r.protocol);
    visit("non_claims", r.nonClaims, rule::notEmpty);
    visit("claimed_started_utc", r.claimedStartedUtc, rule::utc);
    visit("claimed_finished_utc", r.claimedFinishedUtc, rule::utc);
}

struct Manifest {
    std::string type = std::string(kStatementType);
    std::string predicateType = std::string(kResultPredicate);
    std::vector<Subject> subject;
    ResultPredicate predicate;
};
template <class V>
void visitFields(Manifest& r, V&& visit) {
    visit("_type", r.type);
    visit("predicateType", r.predicateType);
    visit("subject", r.subject);
    visit("predicate", r.predicate);
}

// Made once, in manifest.cpp: these walk every record above.
extern template CanonicalJson jsonOf(const Manifest& manifest);
extern template CanonicalJson jsonOf(const std::vector<CellRecord>& cells);
extern template CanonicalJson jsonOf(const std::vector<InputRecord>& inputs);
extern template CanonicalJson jsonOf(const PlanRecord& plan);
extern template CanonicalJson jsonOf(const SweepRecord& sweep);

/// Reads manifest.json and holds it against everything that can be checked without the data: profile, fields, rules,
/// sorted lists, the grid against the cells, the counts, and the result, which is computed again from the cells.
[[nodiscard]] Result<Manifest> readManifest(std::string_view text, std::string_view name);
/// The only bytes of a manifest.
[[nodiscard]] std::string writeManifest(const Manifest& manifest);

/// "PASSED", "FAILED" or "INCOMPLETE": a differing cell decides, then a failed or missing one.
[[nodiscard]] std::string resultOf(const std::vector<CellRecord>& cells);
/// Fills the counts of the sweep from the cells.
void countCells(const std::vector<CellRecord>& cells, SweepRecord& sweep);
/// Ids of all cells of a grid, sorted: "h2048_m1". Empty if it has more cells than a manifest can hold.
[[nodiscard]] std::vector<std::string> cellIdsOf(const std::vector<AxisRecord>& axes);

}  // namespace isobit::evidence
