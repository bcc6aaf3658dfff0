// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace isobit {

/// How a float word is cut out of the generator's 64 raw bits r: sign = bit 0, exponent = (r >> 1) mod exponentCount +
/// exponentLo, mantissa = the low mantissaBits of r >> mantissaShift.
struct FloatCut {
    std::uint32_t exponentLo = 0;
    std::uint32_t exponentCount = 1;  ///< 1 to 256
};

/// Words first .. first + count - 1 of seed `seed`, vectorised. bf16: mantissa from bit 17. fp32: mantissa from bit 9.
void generateBf16Words(std::uint64_t first, std::size_t count, std::uint64_t seed, FloatCut cut, std::uint16_t* words);
void generateFp32Words(std::uint64_t first, std::size_t count, std::uint64_t seed, FloatCut cut, std::uint32_t* words);

}  // namespace isobit
