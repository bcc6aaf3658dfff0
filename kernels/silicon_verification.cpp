// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/silicon_verification.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <cassert>

#include "core/silicon/interpolation_fit.h"
#include "kernels/silicon_launch.h"

namespace isobit::cuda {
namespace {

struct FunctionName {
    SiliconFunction function;
    const char* keep;
    const char* flush;
};
constexpr FunctionName kFunctions[] = {
    {SiliconFunction::Rcp, "rcp.approx", "rcp.approx.ftz"},
    {SiliconFunction::Rsqrt, "rsqrt.approx", "rsqrt.approx.ftz"},
    {SiliconFunction::Sqrt, "sqrt.approx", "sqrt.approx.ftz"},
    {SiliconFunction::Ex2, "ex2.approx", "ex2.approx.ftz"},
    {SiliconFunction::Lg2, "lg2.approx", "lg2.approx.ftz"},
    {SiliconFunction::Logf, "logf", "logf, -ftz=true"},
    {SiliconFunction::Expf, "expf", "expf, -ftz=true"},
};

struct TensorName {
    TensorKind kind;
    const char* name;
    int depth;
};
constexpr TensorName kTensorKinds[] = {
    {TensorKind::Bf16, "bf16", 16}, {TensorKind::Fp16, "fp16", 16}, {TensorKind::Tf32, "tf32", 8}};

constexpr std::uint64_t kDivisionPairs = std::uint64_t(1) << 33;  // a quarter of each kind of pair
constexpr std::uint64_t kStepsAClass = std::uint64_t(1) << 30;    // times 8 classes, 3 formats, 2 instructions

// The driver's own version ("580.159.04"), which the CUDA API does not tell; NVML belongs to the driver.
std::string driverVersion() {
    void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    char version[96] = "";
    if (library != nullptr) {
        const auto init = reinterpret_cast<int (*)()>(dlsym(library, "nvmlInit_v2"));
        const auto get = reinterpret_cast<int (*)(char*, unsigned)>(dlsym(library, "nvmlSystemGetDriverVersion"));
        const auto shutdown = reinterpret_cast<int (*)()>(dlsym(library, "nvmlShutdown"));
        if (init != nullptr && get != nullptr && shutdown != nullptr && init() == 0) {
            if (get(version, sizeof version) != 0) version[0] = '\0';
            shutdown();
        }
        dlclose(library);
    }
    if (version[0] != '\0') return version;
    int api = 0;
    cudaDriverGetVersion(&api);
    return fmt::format("CUDA API {}.{}", api / 1000, api % 1000 / 10);
}

Result<SiliconCheck> checkFunction(const sm90::Tables& tables, const FunctionName& function, bool flush) {
    const char* name = flush ? function.flush : function.keep;
    DeviceCheck found;
    if (const char* error = verifyFunction(tables, function.function, flush, found); error != nullptr)
        return failure("{} on the device: {}", name, error);
    SiliconCheck check{name, found.inputs, found.mismatches, {}};
    if (found.mismatches != 0)
        check.first = fmt::format("operand 0x{:08x}: hardware 0x{:08x}, model 0x{:08x}", found.firstInput,
                                  found.hardware, found.model);
    return check;
}

Result<SiliconCheck> checkDivision(const sm90::Tables& tables, bool flush) {
    const char* name = flush ? "div.full.ftz" : "div.full";
    DeviceCheck found;
    if (const char* error = verifyDivision(tables, flush, kDivisionPairs, found); error != nullptr)
        return failure("{} on the device: {}", name, error);
    SiliconCheck check{name, found.inputs, found.mismatches, {}};
    if (found.mismatches != 0) {
        std::uint32_t numerator = 0;
        std::uint32_t denominator = 0;
        divisionOperands(found.firstInput, numerator, denominator);
        check.first = fmt::format("0x{:08x} / 0x{:08x}: hardware 0x{:08x}, model 0x{:08x}", numerator, denominator,
                                  found.hardware, found.model);
    }
    return check;
}

struct TensorInstruction {
    const char* name;
    decltype(&verifyMma) verify;
};
constexpr TensorInstruction kInstructions[] = {{"mma", verifyMma}, {"wgmma", verifyWgmma}};

Result<SiliconCheck> checkSteps(const TensorInstruction& instruction, const TensorName& tensor, int operandClass) {
    const std::string name = fmt::format("{} {}, {}", instruction.name, tensor.name, kOperandClassNames[operandClass]);
    DeviceCheck found;
    TensorMismatch mismatch;
    const char* error =
        instruction.verify(tensor.kind, static_cast<OperandClass>(operandClass), kStepsAClass, found, mismatch);
    if (error != nullptr) return failure("{} on the device: {}", name, error);
    SiliconCheck check{name, found.inputs, found.mismatches, {}};
    if (found.mismatches != 0) {
        check.first = fmt::format("accumulator 0x{:08x}: hardware 0x{:08x}, model 0x{:08x}, products",
                                  mismatch.accumulator, mismatch.hardware, mismatch.model);
        for (int k = 0; k < tensor.depth; ++k) check.first += fmt::format(" {:x}*{:x}", mismatch.a[k], mismatch.b[k]);
    }
    return check;
}

// Calls take(check) for each; stops at the first error.
template <class Take>
Result<void> checkFunctions(const sm90::Tables& tables, Take take) {
    for (const bool flush : {true, false})
        for (const FunctionName& function : kFunctions) {
            Result<SiliconCheck> check = checkFunction(tables, function, flush);
            if (!check) return failureOf(check);
            take(std::move(*check));
        }
    return {};
}

template <class Take>
Result<void> checkTensorCore(Take take) {
    for (const TensorInstruction& instruction : kInstructions)
        for (const TensorName& tensor : kTensorKinds)
            for (int operandClass = 0; operandClass < kOperandClasses; ++operandClass) {
                Result<SiliconCheck> check = checkSteps(instruction, tensor, operandClass);
                if (!check) return failureOf(check);
                take(std::move(*check));
            }
    return {};
}

struct Measurement {
    const sm90::InterpolatorShape* shape;
    SiliconFunction function;
    std::uint32_t binades;
    std::span<sm90::Segment> segments;
    std::int32_t* bias;
};

Result<sm90::Tables> measureTables() {
    sm90::Tables tables{};
    const Measurement measurements[] = {
        {&sm90::kRcpShape, SiliconFunction::Rcp, 1, tables.rcp, &tables.rcpBias},
        {&sm90::kRsqrtShape, SiliconFunction::Rsqrt, 2, tables.rsqrt, &tables.rsqrtBias},
        {&sm90::kSqrtShape, SiliconFunction::Sqrt, 2, tables.sqrt, &tables.sqrtBias},
        {&sm90::kEx2Shape, SiliconFunction::Ex2, 1, tables.ex2, &tables.ex2Bias},
        {&sm90::kLg2Shape, SiliconFunction::Lg2, 1, tables.lg2, &tables.lg2Bias},
    };
    for (const Measurement& measurement : measurements) {
        std::vector<std::uint32_t> words(std::size_t(measurement.binades) << 23);
        const char* error = captureWords(measurement.function, ieee::kOne, std::uint32_t(words.size()), words.data());
        if (error != nullptr) return failure("{}: {}", measurement.shape->name, error);
        // Operands from 1 to 2 show 2^f of every fraction, one exponent above where the table has it.
        if (measurement.function == SiliconFunction::Ex2)
            for (std::uint32_t& word : words) word -= 1u << 23;
        const Result<void> fitted =
            sm90::fitInterpolator(*measurement.shape, words, measurement.segments, *measurement.bias);
        if (!fitted) return failureOf(fitted);
    }
    return tables;
}

}  // namespace

std::uint64_t SiliconReport::mismatches() const {
    std::uint64_t sum = 0;
    for (const SiliconCheck& check : checks) sum += check.mismatches;
    return sum;
}

Json SiliconReport::toJson() const {
    Json document;
    document["silicon"] = "sm_90";
    document["table_sha256"] = tableSha256;
    document["provenance"] = {{"gpu", provenance.gpu},
                              {"driver", provenance.driver},
                              {"toolkit", provenance.toolkit},
                              {"source_sha256", provenance.sourceSha256}};
    document["mismatches"] = mismatches();
    document["checks"] = Json::array();
    for (const SiliconCheck& check : checks) {
        Json entry{{"name", check.name}, {"inputs", check.inputs}, {"mismatches", check.mismatches}};
        if (!check.first.empty()) entry["first"] = check.first;
        document["checks"].push_back(std::move(entry));
    }
    return document;
}

Result<SiliconProvenance> describeHopper() {
    int api = 0;
    if (cudaDriverGetVersion(&api) == cudaSuccess && api == 0)
        return failure("there is no NVIDIA driver on this machine, so there is no GPU to measure");
    char name[256] = "";
    int capability = 0;
    if (const char* error = describeGpu(name, capability); error != nullptr)
        return failure("no GPU can be used: {}", error);
    if (capability != 90)
        return failure("{} has compute capability {}.{}; sm_90 is measured on 9.0", name, capability / 10,
                       capability % 10);
    return SiliconProvenance{name, driverVersion(),
                             fmt::format("CUDA {}.{}", CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10),
                             ISOBIT_SILICON_SOURCES_SHA256};
}

Result<std::vector<std::byte>> captureSilicon(const CheckProgress& progress) {
    const Result<SiliconProvenance> provenance = describeHopper();
    if (!provenance) return failureOf(provenance);
    const Result<sm90::Tables> tables = measureTables();
    if (!tables) return failureOf(tables);
    std::string broken;
    const Result<void> checked = checkFunctions(*tables, [&](const SiliconCheck& check) {
        progress(check);
        if (check.mismatches != 0 && broken.empty())
            broken = fmt::format("{}: {} of 2^32 words differ, {}", check.name, check.mismatches, check.first);
    });
    if (!checked) return failureOf(checked);
    if (!broken.empty()) return failure("the measured table does not hold: {}", broken);
    return packSiliconTable(*tables, *provenance);
}

Result<SiliconReport> verifySilicon(const SiliconTable& table, const CheckProgress& progress) {
    const Result<SiliconProvenance> provenance = describeHopper();
    if (!provenance) return failureOf(provenance);
    SiliconReport report{*provenance, table.fileSha256, {}};
    const auto take = [&](SiliconCheck check) {
        progress(check);
        report.checks.push_back(std::move(check));
    };
    if (const Result<void> checked = checkFunctions(table.tables, take); !checked) return failureOf(checked);
    for (const bool flush : {true, false}) {
        Result<SiliconCheck> check = checkDivision(table.tables, flush);
        if (!check) return failureOf(check);
        take(std::move(*check));
    }
    if (const Result<void> checked = checkTensorCore(take); !checked) return failureOf(checked);
    return report;
}

}  // namespace isobit::cuda
