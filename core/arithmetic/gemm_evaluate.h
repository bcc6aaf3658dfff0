// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "core/arithmetic/gemm_arithmetic.h"
#include "core/silicon/silicon.h"
#include "core/silicon/tensor_split.h"

namespace isobit {

/// A matrix of words of the arithmetic's operand type, any strides, counted in elements.
struct GemmMatrix {
    const void* words = nullptr;
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int64_t rowStride = 0;
    std::int64_t columnStride = 1;
};

/// C = A B + bias. Offsets are 64-bit.
struct GemmCall {
    GemmMatrix a;                 ///< [M, K]
    GemmMatrix b;                 ///< [K, N]
    const float* bias = nullptr;  ///< [N], widened to FP32; nullptr: none
    void* out = nullptr;          ///< [M, N] contiguous words of the arithmetic's output type
};

/// Empty if the arithmetic's fields make sense together; else one sentence.
[[nodiscard]] std::string problemOf(const GemmArithmetic& arithmetic);

/// Computes every element with the silicon's tensor-core steps. The result does not depend on `threads` (0: all
/// available), nor, without stream-K, does a row's on the other rows. Returns false when stopped, and then leaves some
/// elements unwritten. Memory beyond the operands: A once as split operands, and one block of columns a thread.
bool evaluateGemm(const GemmArithmetic& arithmetic, const Silicon& silicon, const GemmCall& call, unsigned threads = 0,
                  std::stop_token stop = {});

/// Ascending ranges of k, [begin, end), that share one accumulator; never empty.
struct KRange {
    std::int64_t begin = 0;
    std::int64_t end = 0;
};
using KPart = std::vector<KRange>;

/// The accumulators of the output tile with first element (row, column) of C [rows, columns], in the order in which
/// they meet. Ranges that would be empty are left out. Without stream-K it is the same for every tile.
[[nodiscard]] std::vector<KPart> partsOf(const GemmArithmetic& arithmetic, std::int64_t depth, std::int64_t rows = 1,
                                         std::int64_t columns = 1, std::int64_t row = 0, std::int64_t column = 0);

/// A of a GEMM whose parts are the same for every tile, split once: for an operation that uses accumulators where they
/// arise, as the LM head does.
class GemmRows {
public:
    GemmRows(const GemmArithmetic& arithmetic, const GemmMatrix& a, std::vector<KPart> parts, unsigned threads = 0);

    /// sums [count of rows, columns of b] of rows [first, first + count): the accumulators after the parts have met,
    /// before bias and cast. b [K, columns] holds the columns wanted.
    void accumulate(const Silicon& silicon, std::int64_t first, std::int64_t count, const GemmMatrix& b,
                    float* sums) const;

private:
    void addPart(const Silicon& silicon, std::size_t part, std::int64_t first, std::int64_t count, const GemmMatrix& b,
                 float* sums) const;

    GemmArithmetic m_arithmetic;
    std::vector<KPart> m_parts;
    std::vector<std::vector<TensorRow>> m_split;  // TensorChain: [part][row]
    std::vector<std::vector<float>> m_widened;    // FmaChain: [part][row * K of the part]
};

}  // namespace isobit
