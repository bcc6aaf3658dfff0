// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/tensors/tensor.h"

namespace isobit {

/// Which tensor the integer generator makes: every element is a function of its row-major index and the seed alone, in
/// wrap-around 64-bit arithmetic, so that any language and any device makes the same words.
struct GeneratedInput {
    std::string generator;  ///< "bf16", "bf16_edge_rows", "fp32", "index"
    Shape shape;
    std::uint64_t seed = 0;
    int exponentLo = 119;      ///< biased exponents of the float generators, both included; 0 <= lo <= hi <= 255
    int exponentHi = 134;
    std::int64_t modulus = 0;  ///< of "index": elements lie in [0, modulus)
};

/// Element type of a generator: bfloat16, float32 or int64; an Error for an unknown generator, which lists the known ones.
[[nodiscard]] Result<DType> dtypeOfGenerator(std::string_view generator);

/// The tensor. "bf16", "fp32": random sign, mantissa, and exponent in [lo, hi]. "bf16_edge_rows": the same, but of a 2-D
/// tensor with at least two rows, row 0 is one positive value near 1 and row 1 has exponents hi | 0..1.
/// `threads` 0: all available; no bit depends on it. A stop ends in an Error.
[[nodiscard]] Result<Tensor> generateInput(const GeneratedInput& input, unsigned threads = 0,
                                           std::stop_token stop = {});

/// Raw 64-bit word number `index` of seed `seed`, from which all generators take their bits.
[[nodiscard]] constexpr std::uint64_t generatorWord(std::uint64_t index, std::uint64_t seed) {
    constexpr std::uint64_t golden = 0x9E3779B97F4A7C15u;  // 2^64 / golden ratio, odd
    std::uint64_t x = (index + 1 + seed * golden) * golden;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

}  // namespace isobit
