// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/silicon/tensor_chain.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>
#include <vector>

// This file is compiled once for every vector target; the best one for the processor is chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/silicon/tensor_chain.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace isobit::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// How one step becomes vector arithmetic, columns side by side. E is the largest exponent of a term.
//  - A product of two operands is exact in FP32 (at most 22 bits), and multiplied by the power of two 2^(25 - E) it is
//  the
//    term in units of the alignment, so the conversion to integer, which cuts toward zero, is the alignment.
//  - Sixteen aligned products stay below 16 * 4 * 2^25 = 2^31 and are summed in 32-bit integers; the aligned
//    accumulator joins in double, where the sum is exact. Cut to 24 bits there, the conversion to FP32 is exact.
//  - All of it holds while 2^(25 - E), 2^(E - 25) and the result are normal numbers: kLowest <= E <= kHighest. A
//  product that
//    underflows in FP32 is then below the alignment and vanishes either way. Other columns take the scalar step.
inline constexpr std::int32_t kLowest = -95;
inline constexpr std::int32_t kHighest = 100;
inline constexpr std::int32_t kOnlyZeros =
    -1000;  // an exponent below: every term is zero, and so is what the vectors give

using FloatTag = hn::CappedTag<float, 16>;
using Floats = hn::Vec<FloatTag>;
using IntTag = hn::RebindToSigned<FloatTag>;
using Ints = hn::Vec<IntTag>;
using ShortTag = hn::CappedTag<std::int16_t, 32>;

constexpr FloatTag kFloats;
constexpr IntTag kInts;
constexpr ShortTag kShorts;

// Conversion toward zero without the saturation that ConvertTo adds on x86: operands lie within 32 bits, or belong to
// columns whose result is thrown away.
#if HWY_TARGET == HWY_AVX2
HWY_INLINE hn::Vec256<std::int32_t> cut(hn::Vec256<float> v) {
    return hn::Vec256<std::int32_t>{_mm256_cvttps_epi32(v.raw)};
}
#elif HWY_TARGET == HWY_AVX3
HWY_INLINE hn::Vec512<std::int32_t> cut(hn::Vec512<float> v) {
    return hn::Vec512<std::int32_t>{_mm512_cvttps_epi32(v.raw)};
}
#elif HWY_TARGET == HWY_SSE4
HWY_INLINE hn::Vec128<std::int32_t> cut(hn::Vec128<float> v) {
    return hn::Vec128<std::int32_t>{_mm_cvttps_epi32(v.raw)};
}
#else
HWY_INLINE Ints cut(Floats v) { return hn::ConvertTo(kInts, v); }
#endif

// 2^exponent, a normal number.
HWY_INLINE Floats powerOfTwo(Ints exponent) {
    return hn::BitCast(kFloats, hn::ShiftLeft<23>(hn::Add(exponent, hn::Set(kInts, 127))));
}

// 1/x for a power of two.
HWY_INLINE Floats reciprocalOfPower(Floats x) {
    return hn::BitCast(kFloats, hn::Sub(hn::Set(kInts, 254 << 23), hn::BitCast(kInts, x)));
}

// The exponent field of accumulators; zeros get the exponent of a zero operand.
HWY_INLINE Ints accumulatorExponent(Floats accumulator) {
    const Ints bits = hn::BitCast(kInts, accumulator);
    const Ints magnitude = hn::And(bits, hn::Set(kInts, 0x7FFFFFFF));
    const Ints field = hn::Sub(hn::ShiftRight<23>(magnitude), hn::Set(kInts, 127));
    return hn::IfThenElse(hn::Eq(magnitude, hn::Zero(kInts)), hn::Set(kInts, kZeroExponent), field);
}

#if HWY_TARGET != HWY_SCALAR
// (products + accumulator) exactly, cut toward zero to 24 bits; both count units of the alignment.
HWY_INLINE Floats cutSum(Ints products, Ints accumulator) {
    using DoubleTag = hn::Repartition<double, FloatTag>;
    using HalfInts = hn::Half<IntTag>;
    using HalfFloats = hn::Half<FloatTag>;
    constexpr DoubleTag doubles;
    constexpr HalfInts halfInts;
    constexpr HalfFloats halfFloats;
    // The upper 24 bits of a double's significand: what an FP32 number holds.
    const auto kept = hn::BitCast(doubles, hn::Set(hn::RebindToSigned<DoubleTag>(), std::int64_t(-1) << 29));
    const auto low = hn::Add(hn::PromoteTo(doubles, hn::LowerHalf(halfInts, products)),
                             hn::PromoteTo(doubles, hn::LowerHalf(halfInts, accumulator)));
    const auto high = hn::Add(hn::PromoteTo(doubles, hn::UpperHalf(halfInts, products)),
                              hn::PromoteTo(doubles, hn::UpperHalf(halfInts, accumulator)));
    return hn::Combine(kFloats, hn::DemoteTo(halfFloats, hn::And(high, kept)),
                       hn::DemoteTo(halfFloats, hn::And(low, kept)));
}
#else
HWY_INLINE Floats cutSum(Ints products, Ints accumulator) {
    const double sum = double(hn::GetLane(products)) + double(hn::GetLane(accumulator));
    const std::int64_t bits = std::bit_cast<std::int64_t>(sum) & (std::int64_t(-1) << 29);
    return hn::Set(kFloats, static_cast<float>(std::bit_cast<double>(bits)));
}
#endif

// The largest exponent of the products of one step for the columns of a panel.
template <std::size_t kDepth>
HWY_INLINE void largestExponents(const std::int16_t* HWY_RESTRICT a, const std::int16_t* HWY_RESTRICT b,
                                 std::int16_t* HWY_RESTRICT largest) {
    constexpr std::size_t width = TensorColumns::kPanel;
    const std::size_t lanes = hn::Lanes(kShorts);
    for (std::size_t n = 0; n < width; n += lanes) {
        auto most = hn::Add(hn::Load(kShorts, b + n), hn::Set(kShorts, a[0]));
        for (std::size_t k = 1; k < kDepth; ++k)
            most = hn::Max(most, hn::Add(hn::Load(kShorts, b + k * width + n), hn::Set(kShorts, a[k])));
        hn::Store(most, kShorts, largest + n);
    }
}

// Outside the exponents where the vectors are right? Every bit of a lane is set there.
HWY_INLINE Ints outsideRange(Ints exponent) {
    const auto above = hn::Gt(exponent, hn::Set(kInts, kHighest));
    const auto below = hn::And(hn::Lt(exponent, hn::Set(kInts, kLowest)), hn::Gt(exponent, hn::Set(kInts, kOnlyZeros)));
    return hn::VecFromMask(kInts, hn::Or(above, below));
}

// E of `lanes` columns: the largest exponent of their products and of their accumulators.
HWY_INLINE Ints largestExponent(const std::int16_t* products, Floats accumulator) {
    const auto shorts = hn::Load(hn::Rebind<std::int16_t, IntTag>(), products);
    return hn::Max(hn::PromoteTo(kInts, shorts), accumulatorExponent(accumulator));
}

// One step for all columns of a panel: before [kPanel] -> after [kPanel]. largest [kPanel]: largestExponents of the
// step. Returns whether the words of some column are not right; see outsideRange.
template <std::size_t kDepth>
HWY_INLINE bool runStep(const float* HWY_RESTRICT a, const float* HWY_RESTRICT b,
                        const std::int16_t* HWY_RESTRICT largest, const float* HWY_RESTRICT before,
                        float* HWY_RESTRICT after) {
    constexpr std::size_t width = TensorColumns::kPanel;
    constexpr std::size_t lanes = hn::MaxLanes(kFloats);
    constexpr std::size_t vectors = width / lanes;
    constexpr std::size_t group = vectors < 4 ? vectors : 4;  // what 16 registers can hold beside the operands
    Ints outside = hn::Zero(kInts);
    for (std::size_t first = 0; first < width; first += group * lanes) {
        Floats scale[group];
        Ints sums[group];
        HWY_UNROLL(4)
        for (std::size_t v = 0; v < group; ++v) {
            const Floats accumulator = hn::Load(kFloats, before + first + v * lanes);
            const Ints exponent = largestExponent(largest + first + v * lanes, accumulator);
            outside = hn::Or(outside, outsideRange(exponent));
            const Ints inside = hn::Min(hn::Max(exponent, hn::Set(kInts, kLowest)), hn::Set(kInts, kHighest));
            scale[v] = powerOfTwo(hn::Sub(hn::Set(kInts, 25), inside));
            sums[v] = hn::Zero(kInts);
        }
        for (std::size_t k = 0; k < kDepth; ++k) {
            const Floats left = hn::Set(kFloats, a[k]);
            HWY_UNROLL(4)
            for (std::size_t v = 0; v < group; ++v) {
                const Floats product = hn::Mul(hn::Load(kFloats, b + k * width + first + v * lanes), left);
                sums[v] = hn::Add(sums[v], cut(hn::Mul(product, scale[v])));
            }
        }
        HWY_UNROLL(4)
        for (std::size_t v = 0; v < group; ++v) {
            const Ints own = cut(hn::Mul(hn::Load(kFloats, before + first + v * lanes), scale[v]));
            hn::Store(hn::Mul(cutSum(sums[v], own), reciprocalOfPower(scale[v])), kFloats, after + first + v * lanes);
        }
    }
    return !hn::AllTrue(kInts, hn::Eq(outside, hn::Zero(kInts)));
}

// The columns that runStep could not do, in scalar code.
void repairStep(const TensorRow& a, const TensorColumns& b, std::size_t step, std::size_t panel,
                const std::int16_t* largest, const float* before, float* after) {
    constexpr std::size_t width = TensorColumns::kPanel;
    HWY_ALIGN std::int32_t outside[width];
    for (std::size_t n = 0; n < width; n += hn::Lanes(kInts))
        hn::Store(outsideRange(largestExponent(largest + n, hn::Load(kFloats, before + n))), kInts, outside + n);
    for (std::size_t n = 0; n < width; ++n)
        if (outside[n] != 0) after[n] = sm90SplitStep(a, b, step, panel * width + n, before[n]);
}

// One row against one panel: sums [kPanel], in and out.
template <std::size_t kDepth>
void runRow(const TensorRow& a, const TensorColumns& b, std::size_t panel, float* sums) {
    constexpr std::size_t width = TensorColumns::kPanel;
    HWY_ALIGN float other[width];  // the step that runs reads one of the two and writes the other
    HWY_ALIGN std::int16_t largest[width];
    const float* const values = b.values(panel);
    const std::int16_t* const exponents = b.exponents(panel);
    float* before = sums;
    float* after = other;
    for (std::size_t step = 0; step < a.steps(); ++step) {
        const std::size_t k = step * kDepth;
        largestExponents<kDepth>(a.exponents() + k, exponents + k * width, largest);
        const bool outside = runStep<kDepth>(a.values() + k, values + k * width, largest, before, after);
        if (HWY_UNLIKELY(outside)) repairStep(a, b, step, panel, largest, before, after);
        std::swap(before, after);
    }
    if (before != sums) std::copy(other, other + width, sums);
}

// Panels outside, rows inside: a panel of a few thousand steps stays in the second-level cache.
void runChain(std::span<const TensorRow> rows, const TensorColumns& b, std::span<float> accumulators) {
    constexpr std::size_t width = TensorColumns::kPanel;
    HWY_ALIGN float sums[width];
    for (std::size_t panel = 0; panel < b.panels(); ++panel) {
        const std::size_t columns = HWY_MIN(width, b.columns() - panel * width);
        for (std::size_t row = 0; row < rows.size(); ++row) {
            float* const own = accumulators.data() + row * b.columns() + panel * width;
            std::fill(std::copy(own, own + columns, sums), sums + width, 0.0f);
            if (tensorStepDepth(b.operand()) == 16)
                runRow<16>(rows[row], b, panel, sums);
            else
                runRow<8>(rows[row], b, panel, sums);
            std::copy(sums, sums + columns, own);
        }
    }
}

}  // namespace isobit::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "core/numeric/word.h"
#include "core/silicon/sm90_tensor_core.h"

namespace isobit {
namespace {

HWY_EXPORT(runChain);

std::uint32_t wordOf(TensorOperand operand, float value) {
    if (operand == TensorOperand::Bf16) return ieee::bitsOf(value) >> 16;
    if (operand == TensorOperand::Tf32) return ieee::bitsOf(value) >> 13;
    return narrow<Fp16Format>(value).bits;
}

std::vector<TensorChainTarget> availableTargets() {
    std::vector<TensorChainTarget> list;
    const std::int64_t supported = hwy::SupportedTargets();
#if HWY_TARGETS & HWY_AVX3
    if ((supported & HWY_AVX3) != 0) list.push_back({"AVX-512", N_AVX3::runChain});
#endif
#if HWY_TARGETS & HWY_AVX2
    if ((supported & HWY_AVX2) != 0) list.push_back({"AVX2", N_AVX2::runChain});
#endif
#if HWY_TARGETS & HWY_SSE4
    if ((supported & HWY_SSE4) != 0) list.push_back({"SSE4", N_SSE4::runChain});
#endif
    (void)supported;
    list.push_back({"baseline", HWY_STATIC_DISPATCH(runChain)});
    return list;
}

}  // namespace

void sm90TensorChain(std::span<const TensorRow> rows, const TensorColumns& b, std::span<float> accumulators) {
    assert(accumulators.size() == rows.size() * b.columns());
    for ([[maybe_unused]] const TensorRow& row : rows) assert(row.operand() == b.operand() && row.steps() == b.steps());
    HWY_DYNAMIC_DISPATCH(runChain)(rows, b, accumulators);
}

std::span<const TensorChainTarget> sm90TensorChainTargets() {
    static const std::vector<TensorChainTarget> targets = availableTargets();
    return targets;
}

float sm90SplitStep(const TensorRow& a, const TensorColumns& b, std::size_t step, std::size_t column,
                    float accumulator) {
    constexpr std::size_t width = TensorColumns::kPanel;
    const TensorOperand operand = a.operand();
    const std::size_t depth = tensorStepDepth(operand);
    const float* const left = a.values() + step * depth;
    const float* const right = b.values(column / width) + step * depth * width + column % width;
    std::uint32_t aWords[16];
    std::uint32_t bWords[16];
    for (std::size_t k = 0; k < depth; ++k) {
        aWords[k] = wordOf(operand, left[k]);
        bWords[k] = wordOf(operand, right[k * width]);
    }
    const std::uint32_t start = ieee::bitsOf(accumulator);
    if (operand == TensorOperand::Bf16)
        return ieee::floatOf(sm90::tensorStep<sm90::TensorBf16, 16>(start, aWords, bWords));
    if (operand == TensorOperand::Fp16)
        return ieee::floatOf(sm90::tensorStep<sm90::TensorFp16, 16>(start, aWords, bWords));
    return ieee::floatOf(sm90::tensorStep<sm90::TensorTf32, 8>(start, aWords, bWords));
}

}  // namespace isobit
#endif
