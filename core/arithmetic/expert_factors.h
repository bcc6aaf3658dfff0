// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace isobit {

/// The low-rank factors of one projection. A factor that the experts share has one slice and is read for every expert.
struct ExpertFactors {
    const float* a = nullptr;  ///< [experts or 1, K, rank]
    bool sharedA = false;
    const float* b = nullptr;  ///< [experts or 1, rank, N]
    bool sharedB = false;
};

/// Factors of stacked experts in the layout of grouped products, W[e] + A[e] B[e], all contiguous. Source: lora.md 3.
struct ExpertStack {
    std::int64_t experts = 1;
    std::int64_t rows = 0;     ///< K
    std::int64_t columns = 0;  ///< N
    std::int64_t rank = 0;
    ExpertFactors factors;

    [[nodiscard]] std::int64_t sizeOfA() const { return rows * rank; }  ///< elements of one slice
    [[nodiscard]] std::int64_t sizeOfB() const { return rank * columns; }
    [[nodiscard]] const float* a(std::int64_t expert) const {
        return factors.a + (factors.sharedA ? 0 : expert * sizeOfA());
    }
    [[nodiscard]] const float* b(std::int64_t expert) const {
        return factors.b + (factors.sharedB ? 0 : expert * sizeOfB());
    }
};

}  // namespace isobit
