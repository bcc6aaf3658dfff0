// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/sweep/presets.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "core/sweep/attention_presets.h"
#include "core/sweep/plan.h"
#include "core/sweep/projection_presets.h"
#include "core/sweep/rope_presets.h"
#include "core/sweep/runner.h"

namespace isobit {
namespace {

/// What the norm presets share: x and r of ordinary range, weights around 1, no edge rows, a seed a cell and input.
Plan normPlan(std::string name, Pairing pairing) {
    Plan plan;
    plan.preset = std::move(name);
    plan.operation = "rms_norm";
    plan.rowAxis = "M";
    plan.pairing = std::move(pairing);
    plan.inputs = {{"x", "bf16", {"M", "H"}, 118, 127, 0, 0},
                   {"r", "bf16", {"M", "H"}, 118, 127, 0, 1},
                   {"w", "bf16", {"H"}, 126, 128, 0, 2}};
    plan.parameters = {{"epsilon", "1e-6"}};
    plan.seedBase = 1000;
    plan.seedStep = 10;
    // The grid of the 72-cell record: six shipped widths, three deep ones; rows from one decode step to a prefill.
    plan.axes = {{"H", {2048, 3840, 4096, 5120, 7168, 8192, 12288, 16384, 32768}},
                 {"M", {1, 8, 16, 32, 64, 256, 512, 2048}}};
    return plan;
}

ProgramRef named(std::string name, bool rowsAlone = false) { return {std::move(name), "", "", 0, rowsAlone}; }

Preset rmsnorm72() {
    return {"norm v2, 9 widths by 8 row counts: the trainer materialises the residual sum, the sampler fuses it",
            normPlan("rmsnorm-72", {"materialised residual against fused residual",
                                    named("reference:norm.v2.materialised"), named("reference:norm.v2")})};
}

Preset rmsnormThreshold() {
    const std::string program = "reference:norm.block_reduce";
    Plan plan = normPlan("rmsnorm-threshold", {"rows alone against launches of M rows", named(program, true), named(program)});
    // The launcher changes its thread count at 256 rows; the neighbours show that nothing else does.
    plan.axes = {{"H", {2048}}, {"M", {1, 255, 256, 257, 4096}}};
    // One row in about 800 shows the change, so every launch size is tried on the same number of rows, 4096.
    plan.inputs[0].shape[0] = plan.inputs[1].shape[0] = "4096";
    plan.findEdges = true;
    return {"a block reduction whose thread count follows the rows of a launch: rows alone against launches of M", plan};
}

Preset rmsnormEager() {
    return {"eager norm (cast, then weight in bf16) against norm v2, on the 72-cell grid",
            normPlan("rmsnorm-eager-vs-v2",
                     {"eager against v2", named("reference:norm.eager.mean_op.materialised"), named("reference:norm.v2")})};
}

std::string_view engineOf(std::string_view program) { return program.substr(0, program.find(':')); }

Result<const Program*> resolve(ProgramRef& reference, const Plan& plan, const ProgramsOfEngine& programsOf) {
    const Result<const ProgramList*> programs = programsOf(engineOf(reference.name));
    if (!programs) return failure("program {}: {}", reference.name, programs.error().message);
    if (const Program* program = findProgram(**programs, reference.name)) {
        if (program->operation() != plan.operation)
            return failure("program {} runs {}, the preset needs {}", reference.name, program->operation(), plan.operation);
        reference = referenceTo(*program, reference.rowsAlone);
        return program;
    }
    std::vector<std::string_view> known;
    for (const auto& program : **programs)
        if (program->operation() == plan.operation) known.push_back(program->name());
    return failure("unknown program {}, known for {}: {}", reference.name, plan.operation, fmt::join(known, ", "));
}

}  // namespace

std::span<const Preset> presets() {
    static const std::vector<Preset> all = [] {
        std::vector<Preset> list{rmsnorm72(), rmsnormThreshold(), rmsnormEager()};
        for (Preset& preset : projectionPresets()) list.push_back(std::move(preset));
        for (Preset& preset : ropePresets()) list.push_back(std::move(preset));
        for (Preset& preset : attentionPresets()) list.push_back(std::move(preset));
        return list;
    }();
    return all;
}

Result<Preset> presetByName(std::string_view name) {
    std::vector<std::string> known;
    for (const Preset& preset : presets()) {
        if (preset.plan.preset == name) return preset;
        known.push_back(preset.plan.preset);
    }
    return failure("unknown preset {}, known: {}", name, fmt::join(known, ", "));
}

std::string cellCommand(const Plan& plan, const std::vector<std::int64_t>& coordinates) {
    std::string command = "isobit sweep " + plan.preset;
    const Result<Preset> preset = presetByName(plan.preset);
    if (preset) {
        // Other seeds than the preset's are those of a cell that already ran alone: its id is one of the whole plan's.
        const bool alone = preset->plan.seedBase != plan.seedBase;
        for (std::size_t i = 0; i < plan.axes.size() && !alone; ++i)
            if (i >= preset->plan.axes.size() || preset->plan.axes[i].values != plan.axes[i].values)
                command += fmt::format(" --axis {}={}", plan.axes[i].name, fmt::join(plan.axes[i].values, ","));
        const auto& [pairing, trainer, sampler] = plan.pairing;
        if (trainer.name != preset->plan.pairing.trainer.name) command += " --trainer " + trainer.name;
        if (sampler.name != preset->plan.pairing.sampler.name) command += " --sampler " + sampler.name;
    }
    return command + " --cell " + cellId(plan, coordinates);
}

Result<PairingPrograms> bindPrograms(Plan& plan, const ProgramsOfEngine& programsOf) {
    const Result<const Program*> trainer = resolve(plan.pairing.trainer, plan, programsOf);
    if (!trainer) return failureOf(trainer);
    const Result<const Program*> sampler = resolve(plan.pairing.sampler, plan, programsOf);
    if (!sampler) return failureOf(sampler);
    return PairingPrograms{*trainer, *sampler};
}

Result<void> moveToEngine(Plan& plan, std::string_view engine, const ProgramsOfEngine& programsOf) {
    const Result<const ProgramList*> programs = programsOf(engine);
    if (!programs) return failureOf(programs);
    bool moved = false;
    for (ProgramRef* side : {&plan.pairing.trainer, &plan.pairing.sampler}) {
        const std::string name = fmt::format("{}{}", engine, side->name.substr(engineOf(side->name).size()));
        if (findProgram(**programs, name) == nullptr) continue;
        side->name = name;
        moved = true;
    }
    if (!moved)
        return failure("engine {} has neither {} nor {}", engine, plan.pairing.trainer.name, plan.pairing.sampler.name);
    return {};
}

}  // namespace isobit
