// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/golden/agreement.h"

#include <algorithm>
#include <cstring>

#include "core/golden/random_calls.h"

namespace isobit {
namespace {

const Program* modelOf(const Program& program, const ProgramList& references) {
    // An engine's program that goes another way through an arithmetic has a model that goes the same way, if there is
    // one.
    const std::string_view name = program.name();
    const std::size_t colon = std::min(name.find(':'), name.size());
    if (const Program* same = findProgram(references, "reference" + std::string(name.substr(colon)));
        same != nullptr && same->engine() != program.engine() && same->arithmetic() == program.arithmetic())
        return same;
    for (const auto& reference : references)
        if (reference.get() != &program && reference->operation() == program.operation() &&
            reference->arithmetic() == program.arithmetic())
            return reference.get();
    return nullptr;
}

std::uint64_t differingWords(const Tensor& a, const Tensor& b) {
    const std::size_t size = bytesOf(a.dtype());
    const auto left = a.bytes();
    const auto right = b.bytes();
    std::uint64_t count = 0;
    for (std::size_t at = 0; at < left.size(); at += size)
        count += std::memcmp(left.data() + at, right.data() + at, size) != 0 ? 1 : 0;
    return count;
}

void note(ProgramAgreement& agreement, std::string problem) {
    if (agreement.firstProblem.empty()) agreement.firstProblem = std::move(problem);
}

void compareOutputs(ProgramAgreement& agreement, const std::string& call, const std::vector<NamedTensor>& own,
                    const std::vector<NamedTensor>& model) {
    for (const NamedTensor& expected : model) {
        const auto found = std::find_if(own.begin(), own.end(),
                                        [&](const NamedTensor& output) { return output.name == expected.name; });
        if (found == own.end() || found->tensor.shape() != expected.tensor.shape() ||
            found->tensor.dtype() != expected.tensor.dtype()) {
            ++agreement.failures;
            note(agreement, fmt::format("{}: output \"{}\" is missing or has another form", call, expected.name));
            continue;
        }
        const std::uint64_t differing = differingWords(found->tensor, expected.tensor);
        agreement.words += static_cast<std::uint64_t>(elementsOf(expected.tensor.shape()));
        agreement.differing += differing;
        if (differing != 0)
            note(agreement, fmt::format("{}: {} words of \"{}\" differ", call, differing, expected.name));
    }
}

// The operands of a GEMM and of a rotation have the type that its arithmetic names.
DType operandOf(const Program& program) {
    if (program.arithmetic() == "rope.class_b.fp32") return DType::Fp32;
    if (program.arithmetic().starts_with("gemm.fp16")) return DType::Fp16;
    return program.arithmetic().starts_with("gemm.fp32") ? DType::Fp32 : DType::Bf16;
}

void compareCall(ProgramAgreement& agreement, const std::string& call, const Result<std::vector<NamedTensor>>& own,
                 const Result<std::vector<NamedTensor>>& expected) {
    ++agreement.calls;
    if (own && expected) return compareOutputs(agreement, call, *own, *expected);
    ++agreement.failures;
    note(agreement, fmt::format("{}: {}", call, own ? expected.error().message : own.error().message));
}

// The programs that one reference program judges: it runs once a call for all of them.
struct Judged {
    const Program* model = nullptr;
    std::vector<const Program*> programs;
};

std::vector<Judged> groupByModel(const ProgramList& programs, const ProgramList& references,
                                 const AgreementOptions& options) {
    std::vector<Judged> groups;
    for (const auto& program : programs) {
        if (program->operation() != options.operation) continue;
        if (!std::regex_search(std::string(program->name()), options.filter)) continue;
        const Program* const model = modelOf(*program, references);
        if (model == nullptr) continue;
        auto group = std::ranges::find(groups, model, &Judged::model);
        if (group == groups.end()) group = groups.insert(groups.end(), {model, {}});
        group->programs.push_back(program.get());
    }
    return groups;
}

// Why there is nothing to compare: no program of the operation, none that the filter finds, or none with another one
// beside it that has its arithmetic.
Error nothingToCompare(const ProgramList& programs, const AgreementOptions& options) {
    std::size_t ofOperation = 0;
    std::size_t found = 0;
    for (const auto& program : programs) {
        if (program->operation() != options.operation) continue;
        ++ofOperation;
        found += std::regex_search(std::string(program->name()), options.filter) ? 1 : 0;
    }
    if (ofOperation == 0) return {fmt::format("no program of this engine runs operation \"{}\"", options.operation)};
    if (found == 0)
        return {fmt::format("none of the {} programs that run operation \"{}\" has a name that --program finds",
                            ofOperation, options.operation)};
    return {
        fmt::format("none of {} programs for operation \"{}\" has another program of the CPU model with its "
                    "arithmetic to be compared with",
                    found, options.operation)};
}

Result<std::vector<ProgramAgreement>> measureGroup(const Judged& group, const AgreementOptions& options) {
    std::vector<ProgramAgreement> agreements;
    for (const Program* program : group.programs)
        agreements.push_back({.program = std::string(program->name()), .model = std::string(group.model->name())});
    const RunOptions run{options.threads, options.stop};
    for (std::uint64_t index = 0; index < options.calls && !options.stop.stop_requested(); ++index) {
        const auto drawn = drawCall(options.operation, options.seed, index, operandOf(*group.model));
        if (!drawn) return failureOf(drawn);
        const auto expected = group.model->run(drawn->call, run);
        const std::string call = fmt::format("call {} ({})", index, drawn->text);
        for (std::size_t i = 0; i < agreements.size() && !options.stop.stop_requested(); ++i) {
            const auto own = group.programs[i]->run(drawn->call, run);
            if (!options.stop.stop_requested()) compareCall(agreements[i], call, own, expected);
        }
    }
    return agreements;
}

}  // namespace

Result<std::vector<ProgramAgreement>> measureAgreement(const ProgramList& programs, const ProgramList& references,
                                                       const AgreementOptions& options) {
    if (const auto drawable = drawCall(options.operation, options.seed, 0); !drawable) return failureOf(drawable);
    std::vector<ProgramAgreement> agreements;
    for (const Judged& group : groupByModel(programs, references, options)) {
        if (options.stop.stop_requested()) break;
        auto measured = measureGroup(group, options);
        if (!measured) return failureOf(measured);
        for (ProgramAgreement& agreement : *measured) {
            agreements.push_back(std::move(agreement));
            if (options.progress) options.progress(agreements.back());
        }
    }
    if (agreements.empty() && !options.stop.stop_requested())
        return tl::unexpected(nothingToCompare(programs, options));
    return agreements;
}

}  // namespace isobit
