// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0

// The one list of every engine: its programs and its benchmarks.
#include "app/cli/programs.h"

#include <cstdlib>

#include "core/contracts/gemm_admission.h"
#include "core/programs/reference_programs.h"
#ifdef ISOBIT_HAVE_CUDA
#include "kernels/benchmarks.h"
#include "kernels/norm_program.h"
#endif

namespace isobit::cli {
namespace {

Result<ProgramList> makeReferencePrograms() {
    const auto silicon = sm90Silicon();
    if (!silicon) return failureOf(silicon);
    return referencePrograms(**silicon);
}

#ifdef ISOBIT_HAVE_CUDA
Result<ProgramList> makeCudaPrograms() { return cuda::cudaPrograms(); }
Result<std::span<const Benchmark>> cudaBenchmarks() { return cuda::benchmarks(); }
#else
constexpr const char* kNoCuda = "this build has no CUDA engine: it was configured without a CUDA toolkit";
Result<ProgramList> makeCudaPrograms() { return failure("{}", kNoCuda); }
Result<std::span<const Benchmark>> cudaBenchmarks() { return failure("{}", kNoCuda); }
#endif

Result<std::span<const Benchmark>> referenceBenchmarks() { return benchmarks(); }

// Made at the first question, so that a command that needs no GPU never touches one.
template <Result<ProgramList> (*make)()>
const Result<ProgramList>& once() {
    static const Result<ProgramList> programs = make();
    return programs;
}

struct Engine {
    std::string_view name;
    const Result<ProgramList>& (*programs)();
    Result<std::span<const Benchmark>> (*benchmarks)();
};

constexpr Engine kEngines[] = {
    {"reference", once<makeReferencePrograms>, referenceBenchmarks},
    {"cuda", once<makeCudaPrograms>, cudaBenchmarks},
};

Result<const Engine*> engineNamed(std::string_view name) {
    std::string known;
    for (const Engine& engine : kEngines) {
        if (engine.name == name) return &engine;
        known += fmt::format("{}{}", known.empty() ? "" : ", ", engine.name);
    }
    return failure("engine \"{}\" is not known; there are {}", name, known);
}

}  // namespace

std::vector<EngineStatus> engineStatuses() {
    std::vector<EngineStatus> statuses;
    for (const Engine& engine : kEngines) {
        const auto& programs = engine.programs();
        statuses.push_back({engine.name, programs ? "" : programs.error().message});
    }
    return statuses;
}

Result<const ProgramList*> programsOf(std::string_view engineName) {
    const auto engine = engineNamed(engineName);
    if (!engine) return failureOf(engine);
    const auto& programs = (*engine)->programs();
    if (!programs) return failureOf(programs);
    return &*programs;
}

Result<void> useAdmissionTable(const std::string& path) {
    if (path.empty()) return {};
    if (const auto table = readGemmAdmission(path); !table) return failureOf(table);
    setenv("ISOBIT_GEMM_ADMISSION", path.c_str(), 1);
    return {};
}

Result<std::regex> parseRegex(std::string_view option, const std::string& text) {
    try {
        return std::regex(text);
    } catch (const std::regex_error&) {
        return failure("{} {}: is not a regular expression", option, text);
    }
}

Result<std::span<const Benchmark>> benchmarksOf(std::string_view engineName) {
    const auto engine = engineNamed(engineName);
    if (!engine) return failureOf(engine);
    return (*engine)->benchmarks();
}

}  // namespace isobit::cli
