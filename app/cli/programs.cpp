// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0

// The one list of every program that the command line can run.
#include "app/cli/programs.h"

#include "core/programs/reference_programs.h"
#ifdef ISOBIT_HAVE_CUDA
#include "kernels/norm_program.h"
#endif

namespace isobit::cli {
namespace {

Result<ProgramList> makeReferencePrograms() {
    const auto silicon = sm90Silicon();
    if (!silicon) return failureOf(silicon);
    return referencePrograms(**silicon);
}

Result<ProgramList> makeCudaPrograms() {
#ifdef ISOBIT_HAVE_CUDA
    return cuda::cudaPrograms();
#else
    return failure("this build has no CUDA engine: it was configured without a CUDA toolkit");
#endif
}

// Made at the first question, so that a command that needs no GPU never touches one.
template <Result<ProgramList> (*make)()>
const Result<ProgramList>& once() {
    static const Result<ProgramList> programs = make();
    return programs;
}

struct Engine {
    std::string_view name;
    const Result<ProgramList>& (*programs)();
};

constexpr Engine kEngines[] = {
    {"reference", once<makeReferencePrograms>},
    {"cuda", once<makeCudaPrograms>},
};

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
    std::string known;
    for (const Engine& engine : kEngines) {
        if (engine.name == engineName) {
            const auto& programs = engine.programs();
            if (!programs) return failureOf(programs);
            return &*programs;
        }
        known += fmt::format("{}{}", known.empty() ? "" : ", ", engine.name);
    }
    return failure("engine \"{}\" is not known; there are {}", engineName, known);
}

}  // namespace isobit::cli
