// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/contracts/rope_envelope.h"

#include <fmt/ranges.h>

#include "core/contracts/call_input.h"

namespace isobit {
namespace {

Result<void> checkHeads(const TensorDescription* x) {
    if (x == nullptr) return failure("x is missing");
    if (x->dtype != DType::Bf16) return failure("x is {}, expected bfloat16", nameOf(x->dtype));
    if (x->shape.size() != 3) return failure("x has shape [{}], expected [T, heads, D]", fmt::join(x->shape, ", "));
    for (const std::int64_t size : x->shape)
        if (size < 0) return failure("x has shape [{}], expected no negative size", fmt::join(x->shape, ", "));
    if (x->lastStride() != 1) return failure("x has last stride {}, expected 1", x->lastStride());
    return {};
}

Result<void> checkTable(const char* name, const TensorDescription* table, const TensorDescription& x) {
    if (table == nullptr) return failure("{} is missing", name);
    if (!isFloat(table->dtype) || table->dtype == DType::Fp64)
        return failure("{} is {}, expected a float type of at most 32 bits", name, nameOf(table->dtype));
    if (table->shape.size() != 2 || table->shape[0] != x.shape[0])
        return failure("{} has shape [{}], expected [{}, R / 2]: a row a token", name, fmt::join(table->shape, ", "),
                       x.shape[0]);
    if (table->shape[1] < 1 || 2 * table->shape[1] > x.shape[2])
        return failure("{} has {} frequencies, expected 1 to D / 2 = {}", name, table->shape[1], x.shape[2] / 2);
    return {};
}

}  // namespace

Result<void> checkClassBTypes(DType cosine, DType sine) {
    if (cosine == DType::Fp32 && sine == DType::Fp32) return {};
    return failure(
        "rope: cos is {} and sin is {}, but Class B needs both in float32: a mixed-precision wrapper probably downcast "
        "them",
        nameOf(cosine), nameOf(sine));
}

Result<void> admitRopeClassA(const CallDescription& call) {
    const TensorDescription* x = findInput(call, "x");
    if (const auto heads = checkHeads(x); !heads) return heads;
    for (const char* name : {"cos", "sin"})
        if (const auto table = checkTable(name, findInput(call, name), *x); !table) return table;
    if (findInput(call, "cos")->shape[1] == findInput(call, "sin")->shape[1]) return {};
    return failure("cos has {} frequencies and sin {}", findInput(call, "cos")->shape[1], findInput(call, "sin")->shape[1]);
}

Result<void> admitRopeClassB(const CallDescription& call) {
    const TensorDescription* cosine = findInput(call, "cos");
    const TensorDescription* sine = findInput(call, "sin");
    if (cosine != nullptr && sine != nullptr)
        if (const auto types = checkClassBTypes(cosine->dtype, sine->dtype); !types) return types;
    if (const auto admitted = admitRopeClassA(call); !admitted) return admitted;
    for (const char* name : {"x", "cos", "sin"})
        if (!findInput(call, name)->onGpu) return failure("{} is not on the GPU: a CPU runs the Class-A expression", name);
    return {};
}

}  // namespace isobit
