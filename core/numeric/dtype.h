// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/numeric/word_class.h"

namespace isobit {

/// Element types that a tensor can hold. Words wider than a byte are little-endian in memory.
/// Fp8E8M0 is a power of two without sign (2^(word - 127), 255 is NaN). Fp4E2M1x2 holds two values of 4 bits, the first
/// in the low half. The raw types are words of which nothing but the width is known.
enum class DType : std::uint8_t {
    Bf16, Fp16, Fp8E4M3, Fp8E5M2, Fp32, Fp64, I8, I16, I32, I64, U8, U16, U32, U64, Bool,
    Fp8E8M0, Fp4E2M1x2, Raw8, Raw16, Raw32, Raw64,
};

/// "bfloat16", "float16", "float8_e4m3fn", "float8_e5m2", "float32", "float64", "int8" ... "uint64", "bool",
/// "float8_e8m0fnu", "float4_e2m1fn_x2", "raw8" ... "raw64".
[[nodiscard]] std::string_view nameOf(DType dtype);
/// The inverse of nameOf; also takes the short names bf16, fp16, fp8_e4m3, fp8_e5m2, fp32, fp64, i8 ... u64,
/// fp8_e8m0, fp4_e2m1_x2.
[[nodiscard]] std::optional<DType> dtypeByName(std::string_view name);
[[nodiscard]] std::size_t bytesOf(DType dtype);
/// One of the formats with sign, exponent and mantissa, bf16 to fp64.
[[nodiscard]] bool isFloat(DType dtype);

/// Facts about one word of any element type, given by its bits in the low end of `word`.
/// Distance: in ULP for floats (empty for NaN), in units for integers; empty where words have no order (packed, raw).
[[nodiscard]] std::optional<std::uint64_t> ulpDistance(DType dtype, std::uint64_t a, std::uint64_t b);
/// Integers, packed and raw words are Normal or PositiveZero.
[[nodiscard]] WordClass classify(DType dtype, std::uint64_t word);
/// The value as a double: exact for every float type and for integers up to 2^53; NaN for packed and raw words.
[[nodiscard]] double valueOf(DType dtype, std::uint64_t word);
/// Shortest decimal that reads back to the same word of the type; "nan(0x7fc1)" and "-inf" where there is none. Two
/// decimals for a packed word, first value first; "0x00ff" for a raw one.
[[nodiscard]] std::string decimalOf(DType dtype, std::uint64_t word);
/// All digits of the word, no prefix: "3f80".
[[nodiscard]] std::string hexOf(DType dtype, std::uint64_t word);
/// "0 01111111 0000000": sign, exponent, mantissa for floats; one run of bits for the others.
[[nodiscard]] std::string bitsOf(DType dtype, std::uint64_t word);

}  // namespace isobit
