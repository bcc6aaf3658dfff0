// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

// Inner loops over one row, compiled for several vector targets and chosen at run time. Each does exactly the scalar
// operations that its comment names, element by element, so the target cannot change a bit.
namespace isobit::rows {

/// y[i] = the FP32 value of the bf16 word x[i].
void widenBf16(const std::uint16_t* x, float* y, std::size_t count);

/// y[i] = RN(x[i] + r[i]) of two bf16 rows.
void addBf16(const std::uint16_t* x, const std::uint16_t* r, float* y, std::size_t count);

/// y[i] = x[i] cast to bf16, NaN to 0x7FFF; `truncate` cuts the low bits instead of rounding to nearest even.
void castBf16(const float* x, bool truncate, std::uint16_t* y, std::size_t count);

/// y[i] = x[i], or its RN square.
void square(const float* x, float* y, std::size_t count);

/// y[j] = RN(x[2j] + x[2j + 1]) for j < pairs; y may be x.
void addAdjacent(const float* x, float* y, std::size_t pairs);

/// sums[t] = RN(sums[t] + x[t]), t < count.
void addTo(const float* x, float* sums, std::size_t count);

/// sums[t] = RN(sums[t] + RN(x[t] * x[t])), or fma(x[t], x[t], sums[t]).
void addSquaresTo(const float* x, bool fused, float* sums, std::size_t count);

/// sums[t] = fma(factor, x[t], sums[t]), t < count.
void addProductsTo(float factor, const float* x, float* sums, std::size_t count);

/// y[i] = x[i] * factor; y may be x.
void scale(const float* x, float factor, float* y, std::size_t count);

/// y[i] = RN(x[i] * g[i]); y may be x.
void multiply(const float* x, const float* g, float* y, std::size_t count);

/// out[i] = bf16 of RN(RN(s[i] * inv) * g[i]), the last step of a norm in one pass; NaN to 0x7FFF.
void scaleAndCast(const float* s, float inv, const float* g, bool truncate, std::uint16_t* out, std::size_t count);

}  // namespace isobit::rows
