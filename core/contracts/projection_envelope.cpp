// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/contracts/projection_envelope.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "core/contracts/call_input.h"
#include "core/contracts/gemm_tiles.h"

namespace isobit {
namespace {

constexpr std::int64_t kMostVocabulary = std::int64_t(1) << 20;  // lm_head.md 2.3: 4096 tiles of 256
constexpr std::int64_t kVendorColumns = 16;               // gemm.md 4

Result<void> checkMatrix(const char* name, const TensorDescription* tensor, std::size_t dimensions = 2) {
    if (tensor == nullptr) return failure("{} is missing", name);
    if (tensor->shape.size() != dimensions)
        return failure("{} has shape [{}], expected {} dimensions", name, fmt::join(tensor->shape, ", "), dimensions);
    if (std::ranges::any_of(tensor->shape, [](std::int64_t size) { return size < 0; }))
        return failure("{} has shape [{}], expected no negative size", name, fmt::join(tensor->shape, ", "));
    if (!tensor->onGpu) return failure("{} is not on the GPU", name);
    return {};
}

Result<void> checkVector(const char* name, const TensorDescription& tensor, std::int64_t length) {
    if (tensor.shape == std::vector<std::int64_t>{length}) return {};
    return failure("{} has shape [{}], expected [{}]", name, fmt::join(tensor.shape, ", "), length);
}

double parameterOr(const CallDescription& call, const char* name, double otherwise) {
    const auto found = call.parameters.find(name);
    return found == call.parameters.end() ? otherwise : found->second;
}

bool isInteger(DType dtype) {
    switch (dtype) {
        case DType::I8:
        case DType::I16:
        case DType::I32:
        case DType::I64:
        case DType::U8:
        case DType::U16:
        case DType::U32:
        case DType::U64:
            return true;
        default:
            return false;
    }
}

Result<void> checkHeadLane(const CallDescription& call) {
    if (parameterOr(call, "tensor_parallel", 0) != 0)
        return failure("tensor_parallel is set, but a sharded head is outside the contract");
    if (parameterOr(call, "logprob_temperature", 1) != 1)
        return failure("logprob_temperature is {}, expected 1: the loss takes no temperature",
                       parameterOr(call, "logprob_temperature", 1));
    if (parameterOr(call, "lm_head_fp32", 1) == 0)
        return failure("lm_head_fp32 is off, but it names the contract's scoring");
    return {};
}

}  // namespace

Result<void> admitBmm(const CallDescription& call) {
    const TensorDescription* a = findInput(call, "a");
    const TensorDescription* b = findInput(call, "b");
    if (const auto stack = checkMatrix("a", a, 3); !stack) return stack;
    if (const auto stack = checkMatrix("b", b, 3); !stack) return stack;
    if (const auto kTile = pinnedKTile(a->dtype); !kTile) return failure("a: {}", kTile.error().message);
    if (a->dtype != b->dtype) return failure("b is {}, expected the type of a, {}", nameOf(b->dtype), nameOf(a->dtype));
    if (a->shape[0] != b->shape[0] || a->shape[2] != b->shape[1])
        return failure("a has shape [{}] and b [{}], expected as many batches and a common K",
                       fmt::join(a->shape, ", "), fmt::join(b->shape, ", "));
    if (call.inputs.contains("bias")) return failure("bias is given, but a batched product takes none");
    return {};
}

Result<void> admitGemm(const CallDescription& call) {
    const TensorDescription* a = findInput(call, "a");
    const TensorDescription* b = findInput(call, "b");
    if (const auto matrix = checkMatrix("a", a); !matrix) return matrix;
    if (const auto matrix = checkMatrix("b", b); !matrix) return matrix;
    if (const auto kTile = pinnedKTile(a->dtype); !kTile) return failure("a: {}", kTile.error().message);
    if (a->dtype != b->dtype) return failure("b is {}, expected the type of a, {}", nameOf(b->dtype), nameOf(a->dtype));
    if (a->shape[1] != b->shape[0])
        return failure("a has shape [{}] and b [{}], expected a common K", fmt::join(a->shape, ", "),
                       fmt::join(b->shape, ", "));
    for (const char* name : {"alpha", "beta"})
        if (call.parameters.contains(name)) return failure("{} is given, but the contract's addmm has none", name);
    const TensorDescription* bias = findInput(call, "bias");
    if (bias == nullptr) return {};
    if (!isFloat(bias->dtype)) return failure("bias is {}, expected a float type", nameOf(bias->dtype));
    return checkVector("bias", *bias, b->shape[1]);
}

Result<void> admitHead(const CallDescription& call) {
    const TensorDescription* hidden = findInput(call, "h");
    const TensorDescription* weight = findInput(call, "W");
    if (const auto matrix = checkMatrix("h", hidden); !matrix) return matrix;
    if (const auto matrix = checkMatrix("W", weight); !matrix) return matrix;
    for (const auto& [name, tensor] : {std::pair{"h", hidden}, std::pair{"W", weight}})
        if (tensor->dtype != DType::Bf16) return failure("{} is {}, expected bfloat16", name, nameOf(tensor->dtype));
    if (hidden->shape[1] != weight->shape[1])
        return failure("h has shape [{}] and W [{}], expected a common K", fmt::join(hidden->shape, ", "),
                       fmt::join(weight->shape, ", "));
    if (weight->shape[0] < 1 || weight->shape[0] > kMostVocabulary)
        return failure("W has {} rows, expected 1 to {} tokens", weight->shape[0], kMostVocabulary);
    if (const TensorDescription* ids = findInput(call, "ids"); ids != nullptr) {
        if (!isInteger(ids->dtype)) return failure("ids is {}, expected an integer type", nameOf(ids->dtype));
        if (const auto vector = checkVector("ids", *ids, hidden->shape[0]); !vector) return vector;
    }
    if (const TensorDescription* temperature = findInput(call, "temperature"); temperature != nullptr)
        if (const auto vector = checkVector("temperature", *temperature, hidden->shape[0]); !vector) return vector;
    return checkHeadLane(call);
}

bool takesVendorRoute(const VendorRoute& route) {
    return route.switchedOn && route.bf16 && route.aContiguous && route.bIsTransposedWeight &&
           route.columns >= kVendorColumns && route.computeCapabilityMajor >= 9 && route.libraryPresent;
}

bool vendorRouteSwitchedOn(const Environment& environment) {
    for (const char* name :
         {"XORL_BATCH_INVARIANT_OPS_ENABLE_MM_DEEPGEMM", "SGLANG_BATCH_INVARIANT_OPS_ENABLE_MM_DEEPGEMM"}) {
        const auto found = environment.find(name);
        if (found == environment.end()) continue;
        std::string value = found->second;
        std::transform(value.begin(), value.end(), value.begin(), [](unsigned char c) { return std::tolower(c); });
        return value == "true" || value == "1";
    }
    return true;
}

Result<void> checkBiasPaired(const VendorRoute& trainer, const VendorRoute& sampler, bool bias) {
    const bool trainerVendor = takesVendorRoute(trainer);
    if (!bias || trainerVendor == takesVendorRoute(sampler)) return {};
    return failure(
        "the {} adds the bias after the cast to bf16 and the {} before it: the routes agree only without bias",
        trainerVendor ? "trainer" : "sampler", trainerVendor ? "sampler" : "trainer");
}

}  // namespace isobit
