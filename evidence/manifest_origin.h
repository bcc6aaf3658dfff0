// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "evidence/fields.h"

// The parts of a manifest that say where a result comes from: files, build, sources, kernels, inputs, environment.

namespace isobit::evidence {

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

}  // namespace isobit::evidence
