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

// The elements of a contiguous view of a float type of at most 32 bits.
std::vector<float> widened(const TensorView& view) {
    std::vector<float> values(static_cast<std::size_t>(view.elements()));
    const std::size_t size = bytesOf(view.dtype);
    for (std::size_t i = 0; i < values.size(); ++i) {
        std::uint64_t word = 0;
        std::copy_n(view.data + i * size, size, reinterpret_cast<std::byte*>(&word));
        values[i] = static_cast<float>(valueOf(view.dtype, word));
    }
    return values;
}

Result<TensorView> findWidenable(const OperationCall& call, std::string_view name) {
    const auto found = find(call, name);
    if (found && (!isFloat(found->dtype) || found->dtype == DType::Fp64))
        return failure("{}: input \"{}\" is {}, expected a float type of at most 32 bits", call.operation, name,
                       nameOf(found->dtype));
    return found;
}

}  // namespace

Result<TensorView> requireStrided(const OperationCall& call, std::string_view name, DType dtype, std::size_t rank) {
    const auto found = find(call, name);
    if (!found) return found;
    if (found->dtype != dtype)
        return failure("{}: input \"{}\" is {}, expected {}", call.operation, name, nameOf(found->dtype), nameOf(dtype));
    if (found->shape.size() != rank)
        return failure("{}: input \"{}\" has shape {}, expected {} dimensions", call.operation, name,
                       textOf(found->shape), rank);
    return found;
}

Result<TensorView> requireInput(const OperationCall& call, std::string_view name, DType dtype, std::size_t rank) {
    const auto found = requireStrided(call, name, dtype, rank);
    if (!found) return found;
    if (rank > 0 && found->strides.back() != 1)
        return failure("{}: input \"{}\" has stride {} in its last dimension, expected 1", call.operation, name,
                       found->strides.back());
    return found;
}

Result<std::vector<float>> requireWidened(const OperationCall& call, std::string_view name, std::int64_t elements) {
    const auto found = findWidenable(call, name);
    if (!found) return failureOf(found);
    if (found->shape != Shape{elements} || !found->isContiguous())
        return failure("{}: input \"{}\" has shape {}, expected [{}], contiguous", call.operation, name,
                       textOf(found->shape), elements);
    return widened(*found);
}

Result<WidenedMatrix> requireWidenedMatrix(const OperationCall& call, std::string_view name, std::int64_t rows,
                                           std::int64_t columns) {
    const auto found = findWidenable(call, name);
    if (!found) return failureOf(found);
    const bool fits = found->shape.size() == 2 && found->shape[0] == rows && (columns < 0 || found->shape[1] == columns);
    if (!fits || !found->isContiguous())
        return failure("{}: input \"{}\" has shape {}, expected [{}, {}], contiguous", call.operation, name,
                       textOf(found->shape), rows, columns < 0 ? "any" : fmt::format("{}", columns));
    return WidenedMatrix{widened(*found), found->shape[1]};
}

Result<Shape> checkedOutput(const OperationCall& call, std::string_view name, Shape shape) {
    constexpr std::int64_t limit = std::int64_t(1) << 31;
    std::int64_t elements = 1;
    for (const std::int64_t size : shape)
        if (__builtin_mul_overflow(elements, size, &elements) || elements > limit)
            return failure("{}: output \"{}\" of shape {} has more than 2^31 elements", call.operation, name, textOf(shape));
    return shape;
}

Result<float> requireParameter(const OperationCall& call, std::string_view name) {
    const auto found = call.parameters.find(std::string(name));
    if (found == call.parameters.end()) return failure("{}: parameter \"{}\" is missing", call.operation, name);
    return static_cast<float>(found->second);
}

}  // namespace isobit
