// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/library_program.h"

#include <algorithm>
#include <cstdlib>

#include "kernels/device_call.h"
#include "kernels/library_gemm.h"

// The built-in table's text; kernels/admission_table.S.
extern "C" const char isobitGemmAdmissionBegin[];
extern "C" const char isobitGemmAdmissionEnd[];

namespace isobit::cuda {
namespace {

constexpr int kVersion = 1;
constexpr const char* kTableVariable = "ISOBIT_GEMM_ADMISSION";

bool named(const char* variable) {
    const char* const value = std::getenv(variable);
    return value != nullptr && *value != '\0';
}

// Opened at the first call that needs it, then kept.
const Result<std::shared_ptr<const CublasLt>>& library() {
    static const Result<std::shared_ptr<const CublasLt>> opened = CublasLt::open();
    return opened;
}

// The table, if it was made on this chip and for this library.
Result<GemmAdmissionTable> tableOfThisMachine() {
    auto table = chosenAdmissionTable();
    if (!table) return table;
    const auto device = discoverDevice();
    if (!device) return failureOf(device);
    if (!library()) return failureOf(library());
    if (const auto fits = requireSameMachine(*table, device->name, (*library())->version()); !fits)
        return failureOf(fits);
    return table;
}

const Result<GemmAdmissionTable>& trustedTable() {
    static const Result<GemmAdmissionTable> table = tableOfThisMachine();
    return table;
}

class LibraryGemm : public DeviceProgram {
public:
    using DeviceProgram::DeviceProgram;
    [[nodiscard]] std::vector<std::string_view> batchInputs() const override { return {"a"}; }

protected:
    [[nodiscard]] static const GemmArithmetic& arithmeticOfCalls() { return findGemm("gemm.bf16")->arithmetic; }

    [[nodiscard]] static Result<std::vector<NamedTensor>> runLibrary(const OperationCall& call,
                                                                     const GemmInputs& inputs,
                                                                     const RunOptions& options,
                                                                     const LtChoice& choose) {
        if (!library()) return failureOf(library());
        auto outputs = gemmOutputs(call, inputs, arithmeticOfCalls());
        if (!outputs) return outputs;
        const PackedGemm packed = packGemm(inputs, options.threads);
        if (auto ran = runLibraryGemm(*library(), packed, choose, inputs.columns(),
                                      outputs->front().tensor.as<std::uint16_t>());
            !ran)
            return failureOf(ran);
        return outputs;
    }
};

class LibraryDefault final : public LibraryGemm {
public:
    LibraryDefault() : LibraryGemm("cuda:cublaslt.default", "gemm", "cublaslt.default", kVersion) {}

    [[nodiscard]] Result<std::vector<NamedTensor>> run(const OperationCall& call,
                                                       const RunOptions& options) const override {
        const auto inputs = requireGemmInputs(call, arithmeticOfCalls());
        if (!inputs) return failureOf(inputs);
        if (!inputs->bias.empty()) return failure("{}: a bias is not supported", name());
        return runLibrary(call, *inputs, options, [this](const LtProduct& product) -> Result<LtAlgorithm> {
            const auto proposed = product.heuristics(1, kLibraryWorkspace);
            if (!proposed) return failureOf(proposed);
            if (proposed->empty()) return failure("{}: the library proposes nothing", name());
            return proposed->front();
        });
    }
};

class AdmittedGemmProgram final : public LibraryGemm {
public:
    explicit AdmittedGemmProgram(const ProgramList& programs)
        : LibraryGemm("cuda:gemm.bf16.admitted", "gemm", "gemm.bf16", kVersion),
          m_own(findProgram(programs, "cuda:gemm.bf16")) {
        constexpr std::string_view prefix = "cuda:gemm.bf16.";
        for (const auto& program : programs)
            if (program->name().starts_with(prefix) && program->arithmetic() == "gemm.bf16")
                m_realisations.emplace_back(program->name().substr(prefix.size()), program.get());
    }

    [[nodiscard]] Result<std::vector<NamedTensor>> run(const OperationCall& call,
                                                       const RunOptions& options) const override {
        const auto inputs = requireGemmInputs(call, arithmeticOfCalls());
        if (!inputs) return failureOf(inputs);
        const auto& table = trustedTable();
        if (!table && named(kTableVariable)) return failureOf(table);
        const AdmittedGemm* const entry =
            table && inputs->bias.empty() ? table->find(inputs->rows(), inputs->columns(), inputs->depth()) : nullptr;
        if (entry == nullptr) return m_own->run(call, options);
        if (!entry->algorithm) return runOwn(*table, *entry, call, options);
        return runLibrary(call, *inputs, options, [&](const LtProduct& product) -> Result<LtAlgorithm> {
            const LtAlgorithm algorithm = algorithmOf(*entry->algorithm);
            if (product.supports(algorithm)) return algorithm;
            return failure("{}: the library does not run what was admitted for M {}, N {}, K {}", table->source,
                           entry->rows, entry->columns, entry->depth);
        });
    }

private:
    [[nodiscard]] Result<std::vector<NamedTensor>> runOwn(const GemmAdmissionTable& table, const AdmittedGemm& entry,
                                                          const OperationCall& call, const RunOptions& options) const {
        for (const auto& [realisation, program] : m_realisations)
            if (realisation == entry.realisation) return program->run(call, options);
        return failure("{}: there is no own kernel \"{}\"", table.source, entry.realisation);
    }

    const Program* m_own;
    std::vector<std::pair<std::string_view, const Program*>> m_realisations;
};

class TableAlgorithms final : public LibraryGemm {
public:
    explicit TableAlgorithms(const ProgramList& programs)
        : LibraryGemm("cuda:gemm.bf16.library", "gemm", "gemm.bf16", kVersion),
          m_own(findProgram(programs, "cuda:gemm.bf16")) {}

    [[nodiscard]] Result<std::vector<NamedTensor>> run(const OperationCall& call,
                                                       const RunOptions& options) const override {
        const auto inputs = requireGemmInputs(call, arithmeticOfCalls());
        if (!inputs) return failureOf(inputs);
        if (!trustedTable()) return failureOf(trustedTable());
        // The library rounds before a bias could be added.
        if (!inputs->bias.empty() || inputs->depth() == 0) return m_own->run(call, options);
        return runLibrary(call, *inputs, options, [&](const LtProduct& product) { return choose(product, *inputs); });
    }

private:
    [[nodiscard]] Result<LtAlgorithm> choose(const LtProduct& product, const GemmInputs& inputs) const {
        std::vector<LtAlgorithm> supported;
        for (const AdmittedGemm& entry : trustedTable()->entries) {
            if (!entry.algorithm) continue;
            const LtAlgorithm algorithm = algorithmOf(*entry.algorithm);
            const bool again =
                std::ranges::any_of(supported, [&](const auto& a) { return a.words == algorithm.words; });
            if (!again && product.supports(algorithm)) supported.push_back(algorithm);
        }
        if (supported.empty())
            return failure("{}: no algorithm of {} runs at M {}, N {}, K {}", name(), trustedTable()->source,
                           inputs.rows(), inputs.columns(), inputs.depth());
        const auto mixed = static_cast<std::size_t>(inputs.rows() * 31 + inputs.columns() * 17 + inputs.depth());
        return supported[mixed % supported.size()];
    }

    const Program* m_own;
};

}  // namespace

Result<GemmAdmissionTable> chosenAdmissionTable() {
    if (named(kTableVariable)) return readGemmAdmission(std::getenv(kTableVariable));
    return parseGemmAdmission({isobitGemmAdmissionBegin, isobitGemmAdmissionEnd}, "the built-in admission table");
}

void addLibraryPrograms(ProgramList& programs) {
    programs.push_back(std::make_unique<AdmittedGemmProgram>(programs));
    if (named("ISOBIT_CUBLASLT") || named(kTableVariable))
        programs.push_back(std::make_unique<TableAlgorithms>(programs));
    programs.push_back(std::make_unique<LibraryDefault>());
}

}  // namespace isobit::cuda
