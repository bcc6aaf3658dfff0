// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/contracts/norm_envelope.h"

#include <fmt/ranges.h>

#include <cstdint>
#include <initializer_list>

#include "core/contracts/call_input.h"

namespace isobit {
namespace {

constexpr std::int64_t kQkMaxHeadDim = 256;  // norm.md 2.2

Result<void> checkSize(const char* name, const TensorDescription& tensor) {
    std::int64_t elements = 1;
    for (const std::int64_t size : tensor.shape) {
        if (size < 0) return failure("{} has shape [{}], expected no negative size", name, fmt::join(tensor.shape, ", "));
        if (size > 0 && elements > INT64_MAX / 8 / size)
            return failure("{} has shape [{}], more elements than can be addressed", name,
                           fmt::join(tensor.shape, ", "));
        elements *= size > 0 ? size : 1;
    }
    return {};
}

// A matrix on the GPU of one of the types, with unit stride along its rows.
Result<void> checkRows(const char* name, const TensorDescription* tensor, std::initializer_list<DType> dtypes) {
    if (tensor == nullptr) return failure("{} is missing", name);
    if (tensor->shape.size() != 2)
        return failure("{} has shape [{}], expected 2 dimensions", name, fmt::join(tensor->shape, ", "));
    bool known = false;
    for (const DType dtype : dtypes) known = known || tensor->dtype == dtype;
    if (!known)
        return failure("{} is {}, expected {}{}", name, nameOf(tensor->dtype), nameOf(*dtypes.begin()),
                       dtypes.size() > 1 ? " or float32" : "");
    if (tensor->lastStride() != 1)
        return failure("{} has stride {} along its rows, expected 1", name, tensor->lastStride());
    if (!tensor->onGpu) return failure("{} is not on the GPU", name);
    if (tensor->shape[1] < 1) return failure("{} has rows of {} elements, expected 1 or more", name, tensor->shape[1]);
    return checkSize(name, *tensor);
}

Result<void> checkWeight(const TensorDescription* weight, std::int64_t length) {
    if (weight == nullptr) return failure("w is missing");
    if (!isFloat(weight->dtype)) return failure("w is {}, expected a float type", nameOf(weight->dtype));
    if (weight->shape != std::vector<std::int64_t>{length})
        return failure("w has shape [{}], expected [{}]", fmt::join(weight->shape, ", "), length);
    if (!weight->onGpu) return failure("w is not on the GPU");
    return {};
}

Result<void> checkRowNorm(const CallDescription& call, std::initializer_list<DType> dtypes) {
    const TensorDescription* x = findInput(call, "x");
    if (const auto rows = checkRows("x", x, dtypes); !rows) return rows;
    if (const auto weight = checkWeight(findInput(call, "w"), x->shape[1]); !weight) return weight;
    const TensorDescription* residual = findInput(call, "r");
    if (residual == nullptr) return {};
    if (const auto rows = checkRows("r", residual, dtypes); !rows) return rows;
    if (residual->dtype != x->dtype)
        return failure("r is {}, expected the type of x, {}", nameOf(residual->dtype), nameOf(x->dtype));
    if (residual->shape != x->shape)
        return failure("r has shape [{}], expected that of x, [{}]", fmt::join(residual->shape, ", "),
                       fmt::join(x->shape, ", "));
    return {};
}

}  // namespace

Result<void> admitNormV2Revision2(const CallDescription& call) { return checkRowNorm(call, {DType::Bf16}); }

Result<void> admitNormV2Revision1(const CallDescription& call) {
    if (call.zeroCentered && call.inputs.contains("r"))
        return failure("zero-centered weights together with a residual are refused by revision 1; revision 2 admits them");
    return admitNormV2Revision2(call);
}

Result<void> admitQkNorm(const CallDescription& call) {
    const TensorDescription* x = findInput(call, "x");
    if (const auto rows = checkRows("x", x, {DType::Bf16}); !rows) return rows;
    if (call.inputs.contains("r")) return failure("r is given, but a QK norm has no residual");
    const auto headDim = call.parameters.find("head_dim");
    if (headDim == call.parameters.end()) return failure("head_dim is missing");
    const double width = headDim->second;
    if (!(width >= 1 && width <= kQkMaxHeadDim) || width != static_cast<double>(static_cast<std::int64_t>(width)))
        return failure("head_dim is {}, expected an integer from 1 to {}", width, kQkMaxHeadDim);
    const auto length = static_cast<std::int64_t>(width);
    if (x->shape[1] % length != 0)
        return failure("x has rows of {} elements, expected a multiple of head_dim {}", x->shape[1], length);
    if (const TensorDescription* out = findInput(call, "out"); out != nullptr) {
        if (const auto rows = checkRows("out", out, {DType::Bf16}); !rows) return rows;
        if (out->shape != x->shape)
            return failure("out has shape [{}], expected that of x, [{}]", fmt::join(out->shape, ", "),
                           fmt::join(x->shape, ", "));
    }
    return checkWeight(findInput(call, "w"), length);
}

Result<void> admitFamily1(const CallDescription& call) {
    if (call.inputs.contains("r")) return failure("family serving_no_residual called with a residual stream");
    return checkRowNorm(call, {DType::Bf16, DType::Fp32});
}

Result<void> admitFamily2(const CallDescription& call) {
    if (call.zeroCentered) return failure("zero-centered weights exist only for the family serving_no_residual");
    return checkRowNorm(call, {DType::Bf16, DType::Fp32});
}

}  // namespace isobit
