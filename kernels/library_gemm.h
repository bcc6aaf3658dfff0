// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "core/contracts/gemm_admission.h"
#include "core/programs/projection_inputs.h"
#include "kernels/cublaslt.h"

namespace isobit::cuda {

inline constexpr std::size_t kLibraryWorkspace = 32u << 20;  ///< bytes that an algorithm may ask for

/// K is filled with zeros up to a multiple of this. Some of the library's kernels take the odd part of K first, so with
/// other K their order is not the chain's: on drawn shapes 0.05 % of the words differed.
inline constexpr std::int64_t kLibraryDepth = 128;

/// The operands of a product as the library takes them: k contiguous, K filled as said, N to a multiple of eight, which
/// its copies need. The zeros enter the chain last and change no word.
struct PackedGemm {
    std::int64_t rows = 0;
    std::int64_t columns = 0;           ///< N, filled
    std::int64_t depth = 0;             ///< K, filled
    std::vector<std::uint16_t> a;       ///< [M, K]
    std::vector<std::uint16_t> weight;  ///< [N, K]
};
/// From bf16 inputs of any strides; `threads` 0: all available.
[[nodiscard]] PackedGemm packGemm(const GemmInputs& inputs, unsigned threads);

/// The algorithm that a product is run with, for a shape as packed.
using LtChoice = std::function<Result<LtAlgorithm>(const LtProduct& product)>;

/// Runs the product on the device and writes its bf16 words to out [M, N], N as the call has it.
[[nodiscard]] Result<void> runLibraryGemm(const std::shared_ptr<const CublasLt>& library, const PackedGemm& packed,
                                          const LtChoice& choose, std::int64_t columns, std::uint16_t* out);

/// A table's algorithm as the library takes it.
[[nodiscard]] LtAlgorithm algorithmOf(const AdmittedAlgorithm& admitted);

}  // namespace isobit::cuda
