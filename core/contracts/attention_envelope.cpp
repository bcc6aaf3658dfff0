// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/contracts/attention_envelope.h"

#include <fmt/ranges.h>

namespace isobit {
namespace {

Result<const TensorDescription*> requireHeads(const CallDescription& call, const char* name, std::size_t rank) {
    const auto found = call.inputs.find(name);
    if (found == call.inputs.end()) return failure("{} is missing", name);
    const TensorDescription& tensor = found->second;
    if (tensor.dtype != DType::Bf16) return failure("{} is {}, expected bfloat16", name, nameOf(tensor.dtype));
    if (tensor.shape.size() != rank)
        return failure("{} has shape [{}], expected {} dimensions", name, fmt::join(tensor.shape, ", "), rank);
    if (tensor.lastStride() != 1) return failure("{} has last stride {}, expected 1", name, tensor.lastStride());
    if (!tensor.onGpu) return failure("{} is not on the GPU", name);
    return &tensor;
}

Result<void> checkIntegers(const CallDescription& call, const char* name, bool required) {
    const auto found = call.inputs.find(name);
    if (found == call.inputs.end()) return required ? failure("{} is missing", name) : Result<void>();
    const DType dtype = found->second.dtype;
    if (dtype == DType::I32 || dtype == DType::I64) return {};
    return failure("{} is {}, expected int32 or int64", name, nameOf(dtype));
}

Result<void> checkParameters(const CallDescription& call) {
    struct Fixed {
        const char* name;
        double value;
    };
    for (const Fixed& fixed : {Fixed{"softcap", 0}, Fixed{"num_splits", 1}, Fixed{"sinks", 0}, Fixed{"dropout", 0}}) {
        const auto found = call.parameters.find(fixed.name);
        if (found != call.parameters.end() && found->second != fixed.value)
            return failure("{} is {}, expected {}", fixed.name, found->second, fixed.value);
    }
    return {};
}

}  // namespace

Result<void> admitAttention(const CallDescription& call) {
    const bool paged = call.inputs.contains("page_table");
    const auto q = requireHeads(call, "q", 3);
    if (!q) return failureOf(q);
    const auto k = requireHeads(call, "k", paged ? 4 : 3);
    if (!k) return failureOf(k);
    const auto v = requireHeads(call, "v", paged ? 4 : 3);
    if (!v) return failureOf(v);
    if ((*k)->shape != (*v)->shape) return failure("k and v differ in shape");
    const std::int64_t heads = (*q)->shape[1];
    const std::int64_t size = (*q)->shape[2];
    const std::int64_t kvHeads = (*k)->shape[(*k)->shape.size() - 2];
    if ((*k)->shape.back() != size) return failure("head size {} of q and {} of k", size, (*k)->shape.back());
    if (size != 64 && size != 128 && size != 256) return failure("head size is {}, expected 64, 128 or 256", size);
    if (kvHeads < 1 || heads % kvHeads != 0)
        return failure("{} query heads are no multiple of {} kv heads", heads, kvHeads);
    for (const char* const name : {"cu_seqlens_q", paged ? "kv_lens" : "cu_seqlens_q"})
        if (auto checked = checkIntegers(call, name, true); !checked) return checked;
    for (const char* const name : {"cu_seqlens_k", "page_table"})
        if (auto checked = checkIntegers(call, name, false); !checked) return checked;
    return checkParameters(call);
}

}  // namespace isobit
