// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/programs/call_inputs.h"

namespace isobit {
namespace {

Result<TensorView> find(const OperationCall& call, std::string_view name) {
    const auto found = call.inputs.find(std::string(name));
    if (found == call.inputs.end()) return failure("{}: input \"{}\" is missing", call.operation, name);
    return found->second;
}

}  // namespace

Result<TensorView> requireInput(const OperationCall& call, std::string_view name, DType dtype, std::size_t rank) {
    const auto found = find(call, name);
    if (!found) return found;
    if (found->dtype != dtype)
        return failure("{}: input \"{}\" is {}, expected {}", call.operation, name, nameOf(found->dtype), nameOf(dtype));
    if (found->shape.size() != rank)
        return failure("{}: input \"{}\" has shape {}, expected {} dimensions", call.operation, name,
                       textOf(found->shape), rank);
    if (rank > 0 && found->strides.back() != 1)
        return failure("{}: input \"{}\" has stride {} in its last dimension, expected 1", call.operation, name,
                       found->strides.back());
    return found;
}

Result<std::vector<float>> requireWidened(const OperationCall& call, std::string_view name, std::int64_t elements) {
    const auto found = find(call, name);
    if (!found) return failureOf(found);
    if (!isFloat(found->dtype) || found->dtype == DType::Fp64)
        return failure("{}: input \"{}\" is {}, expected a float type of at most 32 bits", call.operation, name,
                       nameOf(found->dtype));
    if (found->shape != Shape{elements} || !found->isContiguous())
        return failure("{}: input \"{}\" has shape {}, expected [{}], contiguous", call.operation, name,
                       textOf(found->shape), elements);
    std::vector<float> widened(static_cast<std::size_t>(elements));
    const std::size_t size = bytesOf(found->dtype);
    for (std::size_t i = 0; i < widened.size(); ++i) {
        std::uint64_t word = 0;
        std::copy_n(found->data + i * size, size, reinterpret_cast<std::byte*>(&word));
        widened[i] = static_cast<float>(valueOf(found->dtype, word));
    }
    return widened;
}

Result<float> requireParameter(const OperationCall& call, std::string_view name) {
    const auto found = call.parameters.find(std::string(name));
    if (found == call.parameters.end()) return failure("{}: parameter \"{}\" is missing", call.operation, name);
    return static_cast<float>(found->second);
}

}  // namespace isobit
