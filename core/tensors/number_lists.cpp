// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/tensors/number_lists.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace isobit {
namespace {

template <class T>
Result<void> addWords(TensorFile& file, TensorInfo info, DType dtype, const std::vector<T>& words) {
    info.dtype = dtype;
    info.shape = {static_cast<std::int64_t>(words.size())};
    const auto source = std::as_bytes(std::span(words));
    const std::size_t bytes = source.size();
    return file.add(std::move(info), std::make_shared<OwnedStorage>(std::vector(source.begin(), source.end())), 0, bytes);
}

// By the bits, so that a NaN survives and -0 stays itself.
bool isFp32(double number) {
    return std::bit_cast<std::uint64_t>(static_cast<double>(static_cast<float>(number))) ==
           std::bit_cast<std::uint64_t>(number);
}

}  // namespace

Result<void> addIntegers(TensorFile& file, TensorInfo info, std::span<const std::int64_t> numbers) {
    if (info.storedType.empty()) info.storedType = "a list of integers";
    return addWords(file, std::move(info), DType::I64, std::vector(numbers.begin(), numbers.end()));
}

Result<void> addFloats(TensorFile& file, TensorInfo info, std::span<const double> numbers) {
    if (info.storedType.empty()) info.storedType = "a list of numbers";
    if (!std::all_of(numbers.begin(), numbers.end(), isFp32)) {
        info.note += fmt::format("{}not all of these numbers are fp32 values, so they are kept as fp64",
                                 info.note.empty() ? "" : "; ");
        return addWords(file, std::move(info), DType::Fp64, std::vector(numbers.begin(), numbers.end()));
    }
    std::vector<float> words;
    for (const double number : numbers) words.push_back(static_cast<float>(number));
    return addWords(file, std::move(info), DType::Fp32, words);
}

}  // namespace isobit
