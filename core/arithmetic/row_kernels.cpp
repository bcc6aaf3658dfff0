// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/arithmetic/row_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/arithmetic/row_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cmath>

#include "core/numeric/word.h"

HWY_BEFORE_NAMESPACE();
namespace isobit::rows::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::ScalableTag<float>;
using Words = hn::RebindToUnsigned<Floats>;
using Halves = hn::Rebind<std::uint16_t, Floats>;

// The word of one value after the cast; the vector form below does the same.
std::uint16_t castOne(float value, bool truncate) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if ((bits & 0x7FFFFFFFu) > 0x7F800000u) return 0x7FFF;
    return truncate ? static_cast<std::uint16_t>(bits >> 16) : bf16Bits(value);
}

hn::Vec<Floats> widenVector(const std::uint16_t* x) {
    const Words words;
    return hn::BitCast(Floats(), hn::ShiftLeft<16>(hn::PromoteTo(words, hn::LoadU(Halves(), x))));
}

void storeCast(hn::Vec<Floats> value, bool truncate, std::uint16_t* y) {
    const Words words;
    const auto bits = hn::BitCast(words, value);
    const auto lowest = hn::And(hn::ShiftRight<16>(bits), hn::Set(words, 1));
    const auto nearest = hn::ShiftRight<16>(hn::Add(bits, hn::Add(lowest, hn::Set(words, 0x7FFF))));
    const auto rounded = truncate ? hn::ShiftRight<16>(bits) : nearest;
    const auto nan = hn::Gt(hn::And(bits, hn::Set(words, 0x7FFFFFFF)), hn::Set(words, 0x7F800000));
    const auto result = hn::IfThenElse(nan, hn::Set(words, 0x7FFF), rounded);
    hn::StoreU(hn::TruncateTo(Halves(), result), Halves(), y);
}

void WidenBf16(const std::uint16_t* x, float* y, std::size_t count) {
    const Floats floats;
    const std::size_t lanes = hn::Lanes(floats);
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) hn::StoreU(widenVector(x + i), floats, y + i);
    for (; i < count; ++i) y[i] = bf16Value(x[i]);
}

void AddBf16(const std::uint16_t* x, const std::uint16_t* r, float* y, std::size_t count) {
    const Floats floats;
    const std::size_t lanes = hn::Lanes(floats);
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) hn::StoreU(hn::Add(widenVector(x + i), widenVector(r + i)), floats, y + i);
    for (; i < count; ++i) y[i] = bf16Value(x[i]) + bf16Value(r[i]);
}

void CastBf16(const float* x, bool truncate, std::uint16_t* y, std::size_t count) {
    const Floats floats;
    const std::size_t lanes = hn::Lanes(floats);
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) storeCast(hn::LoadU(floats, x + i), truncate, y + i);
    for (; i < count; ++i) y[i] = castOne(x[i], truncate);
}

// y[i] = operation(x[i], z[i]) where operation takes vectors, and single values in vectors of one lane.
template <class Operation>
void map2(const float* x, const float* z, float* y, std::size_t count, Operation operation) {
    const Floats floats;
    const std::size_t lanes = hn::Lanes(floats);
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes)
        hn::StoreU(operation(hn::LoadU(floats, x + i), hn::LoadU(floats, z + i)), floats, y + i);
    const hn::CappedTag<float, 1> one;
    for (; i < count; ++i) hn::StoreU(operation(hn::LoadU(one, x + i), hn::LoadU(one, z + i)), one, y + i);
}

void Square(const float* x, float* y, std::size_t count) {
    map2(x, x, y, count, [](auto a, auto b) { return hn::Mul(a, b); });
}

void AddTo(const float* x, float* sums, std::size_t count) {
    map2(x, sums, sums, count, [](auto a, auto sum) { return hn::Add(sum, a); });
}

void AddSquaresTo(const float* x, bool fused, float* sums, std::size_t count) {
    if (!fused) return map2(x, sums, sums, count, [](auto a, auto sum) { return hn::Add(sum, hn::Mul(a, a)); });
#if HWY_NATIVE_FMA
    map2(x, sums, sums, count, [](auto a, auto sum) { return hn::MulAdd(a, a, sum); });
#else  // Highway's MulAdd rounds twice here; std::fma never does.
    for (std::size_t i = 0; i < count; ++i) sums[i] = std::fma(x[i], x[i], sums[i]);
#endif
}

void AddProductsTo(float factor, const float* x, float* sums, std::size_t count) {
    std::size_t i = 0;
#if HWY_NATIVE_FMA
    const Floats floats;
    const std::size_t lanes = hn::Lanes(floats);
    const auto factors = hn::Set(floats, factor);
    for (; i + lanes <= count; i += lanes)
        hn::StoreU(hn::MulAdd(factors, hn::LoadU(floats, x + i), hn::LoadU(floats, sums + i)), floats, sums + i);
#endif
    for (; i < count; ++i) sums[i] = std::fma(factor, x[i], sums[i]);
}

void Scale(const float* x, float factor, float* y, std::size_t count) {
    const Floats floats;
    const std::size_t lanes = hn::Lanes(floats);
    const auto factors = hn::Set(floats, factor);
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) hn::StoreU(hn::Mul(hn::LoadU(floats, x + i), factors), floats, y + i);
    for (; i < count; ++i) y[i] = x[i] * factor;
}

void Multiply(const float* x, const float* g, float* y, std::size_t count) {
    map2(x, g, y, count, [](auto a, auto b) { return hn::Mul(a, b); });
}

void AddAdjacent(const float* x, float* y, std::size_t pairs) {
    std::size_t j = 0;
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
    const Floats floats;
    const std::size_t lanes = hn::Lanes(floats);
    for (; j + lanes <= pairs; j += lanes) {
        const auto low = hn::LoadU(floats, x + 2 * j);
        const auto high = hn::LoadU(floats, x + 2 * j + lanes);
        hn::StoreU(hn::Add(hn::ConcatEven(floats, high, low), hn::ConcatOdd(floats, high, low)), floats, y + j);
    }
#endif
    for (; j < pairs; ++j) y[j] = x[2 * j] + x[2 * j + 1];
}

void ScaleAndCast(const float* s, float inv, const float* g, bool truncate, std::uint16_t* out, std::size_t count) {
    const Floats floats;
    const std::size_t lanes = hn::Lanes(floats);
    const auto factors = hn::Set(floats, inv);
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) {
        const auto normalized = hn::Mul(hn::LoadU(floats, s + i), factors);
        storeCast(hn::Mul(normalized, hn::LoadU(floats, g + i)), truncate, out + i);
    }
    for (; i < count; ++i) out[i] = castOne((s[i] * inv) * g[i], truncate);
}

}  // namespace isobit::rows::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isobit::rows {

HWY_EXPORT(WidenBf16);
HWY_EXPORT(AddBf16);
HWY_EXPORT(CastBf16);
HWY_EXPORT(Square);
HWY_EXPORT(AddTo);
HWY_EXPORT(AddSquaresTo);
HWY_EXPORT(AddProductsTo);
HWY_EXPORT(Scale);
HWY_EXPORT(Multiply);
HWY_EXPORT(AddAdjacent);
HWY_EXPORT(ScaleAndCast);

void widenBf16(const std::uint16_t* x, float* y, std::size_t count) { HWY_DYNAMIC_DISPATCH(WidenBf16)(x, y, count); }
void addBf16(const std::uint16_t* x, const std::uint16_t* r, float* y, std::size_t count) {
    HWY_DYNAMIC_DISPATCH(AddBf16)(x, r, y, count);
}
void castBf16(const float* x, bool truncate, std::uint16_t* y, std::size_t count) {
    HWY_DYNAMIC_DISPATCH(CastBf16)(x, truncate, y, count);
}
void square(const float* x, float* y, std::size_t count) { HWY_DYNAMIC_DISPATCH(Square)(x, y, count); }
void addAdjacent(const float* x, float* y, std::size_t pairs) { HWY_DYNAMIC_DISPATCH(AddAdjacent)(x, y, pairs); }
void addTo(const float* x, float* sums, std::size_t count) { HWY_DYNAMIC_DISPATCH(AddTo)(x, sums, count); }
void addSquaresTo(const float* x, bool fused, float* sums, std::size_t count) {
    HWY_DYNAMIC_DISPATCH(AddSquaresTo)(x, fused, sums, count);
}
void addProductsTo(float factor, const float* x, float* sums, std::size_t count) {
    HWY_DYNAMIC_DISPATCH(AddProductsTo)(factor, x, sums, count);
}
void scale(const float* x, float factor, float* y, std::size_t count) {
    HWY_DYNAMIC_DISPATCH(Scale)(x, factor, y, count);
}
void multiply(const float* x, const float* g, float* y, std::size_t count) {
    HWY_DYNAMIC_DISPATCH(Multiply)(x, g, y, count);
}
void scaleAndCast(const float* s, float inv, const float* g, bool truncate, std::uint16_t* out, std::size_t count) {
    HWY_DYNAMIC_DISPATCH(ScaleAndCast)(s, inv, g, truncate, out, count);
}

}  // namespace isobit::rows
#endif  // HWY_ONCE
