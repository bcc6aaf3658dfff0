// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/golden/gate.h"

#include <algorithm>

#include "core/base/sha256.h"

namespace isobit {
namespace {

// The tensors of a case, and the call whose views point into them.
struct PreparedCall {
    std::vector<NamedTensor> tensors;
    OperationCall call;
};

Result<PreparedCall> prepare(const GoldenCase& golden, unsigned threads) {
    PreparedCall prepared;
    prepared.call = {golden.operation, {}, golden.parameters, golden.choices};
    for (const GoldenInput& input : golden.inputs) {
        if (!input.viewOf.empty()) continue;
        auto tensor = generateInput(input.generated, threads);
        if (!tensor) return failureOf(tensor);
        prepared.tensors.push_back({input.name, std::move(*tensor)});
        TensorView view = prepared.tensors.back().tensor.view();
        if (!input.view.empty()) view = {view.dtype, input.view, contiguousStrides(input.view), view.data};
        prepared.call.inputs[input.name] = view;
    }
    for (const GoldenInput& input : golden.inputs) {
        if (input.viewOf.empty()) continue;
        TensorView view = prepared.call.inputs.at(input.viewOf);
        view.shape[1] = input.columns;  // the row stride stays that of the wider tensor
        prepared.call.inputs[input.name] = view;
    }
    return prepared;
}

std::string difference(const GoldenCase& golden, const std::vector<NamedTensor>& outputs) {
    for (const GoldenOutput& expected : golden.outputs) {
        const auto found = std::find_if(outputs.begin(), outputs.end(),
                                        [&](const NamedTensor& output) { return output.name == expected.name; });
        if (found == outputs.end()) return fmt::format("output \"{}\" is missing", expected.name);
        if (found->tensor.dtype() != expected.dtype || found->tensor.shape() != expected.shape)
            return fmt::format("output \"{}\" is {} {}, expected {} {}", expected.name, nameOf(found->tensor.dtype()),
                               textOf(found->tensor.shape()), nameOf(expected.dtype), textOf(expected.shape));
        const std::string sha256 = sha256Hex(std::as_const(found->tensor).bytes());
        if (sha256 != expected.sha256)
            return fmt::format("output \"{}\" has sha256 {}, expected {}", expected.name, sha256, expected.sha256);
    }
    return "";
}

// The name of the arithmetic that a case asks for: zero-centered weights are a field of the value.
std::string arithmeticOf(const GoldenCase& golden) {
    const auto found = golden.parameters.find("zero_centered");
    const bool zeroCentered = found != golden.parameters.end() && found->second != 0;
    return zeroCentered ? golden.arithmetic + ".zero_centered" : golden.arithmetic;
}

// Of an open case every variant of the arithmetic ("lora.fold.two_slices" of "lora.fold") is tried: its order is what
// is looked for.
std::vector<const Program*> claimants(const GoldenCase& golden, const ProgramList& programs, std::string_view engine) {
    std::vector<const Program*> found;
    const std::string arithmetic = arithmeticOf(golden);
    const auto claims = [&](std::string_view name) {
        return name == arithmetic || (golden.status == GoldenStatus::Open && name.starts_with(arithmetic + "."));
    };
    for (const auto& program : programs)
        if (program->engine() == engine && program->operation() == golden.operation && claims(program->arithmetic()))
            found.push_back(program.get());
    return found;
}

GateRun runOne(const Program& program, const GoldenCase& golden, const OperationCall& call, const GateOptions& options) {
    const auto outputs = program.run(call, {options.threads, options.stop});
    const std::string detail = outputs ? difference(golden, *outputs) : outputs.error().message;
    return {std::string(program.name()), detail.empty(), !outputs, detail};
}

GateResult resultOf(const std::vector<GateRun>& runs, bool mayDiffer) {
    if (mayDiffer) return std::ranges::any_of(runs, &GateRun::match) ? GateResult::Match : GateResult::Open;
    if (std::ranges::all_of(runs, &GateRun::match)) return GateResult::Match;
    const bool differs = std::ranges::any_of(runs, [](const GateRun& run) { return !run.match && !run.failed; });
    return differs ? GateResult::Differ : GateResult::Failed;
}

GateCase judge(const GoldenFile& file, const GoldenCase& golden, const ProgramList& programs,
               const GateOptions& options) {
    GateCase result{golden.name, file.path, golden.status, GateResult::Unsupported, {}, golden.note};
    const bool mayDiffer = golden.status == GoldenStatus::Open || golden.status == GoldenStatus::InputsUnknown;
    const auto candidates = claimants(golden, programs, options.engine);
    if (mayDiffer) result.result = GateResult::Open;
    if (candidates.empty() || golden.status == GoldenStatus::InputsUnknown) return result;

    const auto prepared = prepare(golden, options.threads);
    for (const Program* program : candidates)
        result.runs.push_back(prepared ? runOne(*program, golden, prepared->call, options)
                                       : GateRun{std::string(program->name()), false, true, prepared.error().message});
    result.result = resultOf(result.runs, mayDiffer);
    return result;
}

}  // namespace

std::string_view nameOf(GateResult result) {
    switch (result) {
        case GateResult::Match: return "match";
        case GateResult::Differ: return "differ";
        case GateResult::Open: return "open";
        case GateResult::Failed: return "failed";
        case GateResult::Unsupported: return "unsupported";
    }
    return "";
}

std::size_t GateReport::count(GateResult result) const {
    return static_cast<std::size_t>(
        std::count_if(cases.begin(), cases.end(), [&](const GateCase& c) { return c.result == result; }));
}

std::size_t GateReport::ran() const {
    return static_cast<std::size_t>(
        std::count_if(cases.begin(), cases.end(), [](const GateCase& c) { return !c.runs.empty(); }));
}

GateReport runGate(const std::vector<GoldenFile>& files, const std::regex& filter, const ProgramList& programs,
                   const GateOptions& options) {
    GateReport report;
    for (const GoldenFile& file : files) {
        for (const GoldenCase& golden : file.cases) {
            if (options.stop.stop_requested()) return report;
            if (!std::regex_search(golden.name, filter)) continue;
            report.cases.push_back(judge(file, golden, programs, options));
            if (options.progress) options.progress(report.cases.back());
        }
    }
    return report;
}

}  // namespace isobit
