// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/compare/compare_kernel.h"

#include <algorithm>
#include <cassert>
#include <cstring>

// This file is compiled once for every vector target; the best one for the processor is chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/compare/compare_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/compare/plain_comparison.h"
#include "core/compare/tally-inl.h"

HWY_BEFORE_NAMESPACE();
namespace isobit::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

void addRun(DType dtype, const std::byte* trainer, const std::byte* sampler, std::size_t elements,
            std::uint64_t firstIndex, std::size_t listLimit, Comparison& into) {
    addComparisonPlainly(dtype, trainer, sampler, elements, firstIndex, listLimit, into);
}

#else

// One run of pairs of one element type. Blocks of equal words cost two loads and an xor; a group of vectors with any
// difference in it is tallied whole, still without a branch on a single word.
template <class Words>
class Run {
public:
    Run(Comparison& into, std::uint64_t firstIndex, std::size_t listLimit)
        : m_into(into), m_index(firstIndex), m_listLimit(listLimit) {}

    void add(const std::uint8_t* a, const std::uint8_t* b, std::size_t elements) {
        std::size_t left = elements * sizeof(Lane);
        for (; left >= kGroup * vectorBytes();) {
            const std::size_t vectors = std::min(left / vectorBytes() / kGroup * kGroup, kBlock);
            addBlock(a, b, vectors);
            const std::size_t bytes = vectors * vectorBytes();
            a += bytes, b += bytes, left -= bytes;
            m_index += bytes / sizeof(Lane);
        }
        if (left != 0) addRest(a, b, left);
        m_into.elements += elements;
    }

private:
    using Lane = typename Words::Lane;
    using L = Lanes<Lane>;
    using V = typename L::V;
    using Bytes = hn::ScalableTag<std::uint8_t>;
    static constexpr std::size_t kGroup = 8;    // vectors that are skipped or tallied together
    static constexpr std::size_t kBlock = 248;  // vectors of one tally: whole groups, below Tally::kMostVectors
    static_assert(kBlock % kGroup == 0 && kBlock <= Tally<Words>::kMostVectors);

    static std::size_t vectorBytes() { return hn::Lanes(Bytes()); }
    static HWY_INLINE V load(const std::uint8_t* from) {
        return hn::BitCast(typename L::Unsigned(), hn::LoadU(Bytes(), from));
    }

    // What is shorter than a group is compared in two buffers that are equal past its end.
    void addRest(const std::uint8_t* a, const std::uint8_t* b, std::size_t bytes) {
        std::uint8_t restA[kGroup * HWY_MAX_BYTES] = {};
        std::uint8_t restB[kGroup * HWY_MAX_BYTES] = {};
        std::memcpy(restA, a, bytes);
        std::memcpy(restB, b, bytes);
        addBlock(restA, restB, kGroup);
    }

    static HWY_INLINE bool groupDiffers(const std::uint8_t* a, const std::uint8_t* b) {
        const Bytes d;
        auto flipped = hn::Zero(d);
        for (std::size_t i = 0; i < kGroup; ++i, a += vectorBytes(), b += vectorBytes())
            flipped = hn::Or(flipped, hn::Xor(hn::LoadU(d, a), hn::LoadU(d, b)));
        return !hn::AllTrue(d, hn::Eq(flipped, hn::Zero(d)));
    }

    HWY_NOINLINE void addBlock(const std::uint8_t* a, const std::uint8_t* b, std::size_t vectors) {
        std::size_t group = 0;
        const std::size_t stride = kGroup * vectorBytes();
        while (group < vectors && !groupDiffers(a, b)) group += kGroup, a += stride, b += stride;
        if (group < vectors) addDifferences(a, b, vectors - group, m_index + group * vectorBytes() / sizeof(Lane));
    }

    // The rest of a block from its first group with a difference on.
    void addDifferences(const std::uint8_t* a, const std::uint8_t* b, std::size_t vectors, std::uint64_t index) {
        Tally<Words> tally;
        const std::size_t step = vectorBytes();
        for (std::size_t group = 0; group < vectors; group += kGroup) {
            const std::size_t at = group * step;
            if (!groupDiffers(a + at, b + at)) continue;
            for (std::size_t i = 0; i < kGroup; ++i) tally.add(load(a + at + i * step), load(b + at + i * step));
        }
        tally.flushTo(m_into);
        if (!m_into.first || m_into.listed.size() < m_listLimit) list(a, b, vectors, index);
        noteLargest(tally, a, b, vectors, index);
    }

    static ElementDifference differenceAt(DType dtype, const std::uint8_t* a, const std::uint8_t* b, std::size_t i,
                                          std::uint64_t index) {
        Lane trainer;
        Lane sampler;
        std::memcpy(&trainer, a + i * sizeof(Lane), sizeof(Lane));
        std::memcpy(&sampler, b + i * sizeof(Lane), sizeof(Lane));
        return {index + i, trainer, sampler, ulpDistance(dtype, trainer, sampler)};
    }

    void list(const std::uint8_t* a, const std::uint8_t* b, std::size_t vectors, std::uint64_t index) {
        for (std::size_t i = 0; i < vectors * vectorBytes() / sizeof(Lane); ++i) {
            if (std::memcmp(a + i * sizeof(Lane), b + i * sizeof(Lane), sizeof(Lane)) == 0) continue;
            const ElementDifference difference = differenceAt(m_into.dtype, a, b, i, index);
            if (!m_into.first) m_into.first = difference;
            if (m_into.listed.size() >= m_listLimit) return;
            m_into.listed.push_back(difference);
        }
    }

    // A larger difference than any before is rare; only then is the block searched for the place.
    void noteLargest(const Tally<Words>& tally, const std::uint8_t* a, const std::uint8_t* b, std::size_t vectors,
                     std::uint64_t index) {
        const Lane distance = tally.largestDistance();
        m_into.maxUlp = std::max<std::uint64_t>(m_into.maxUlp, distance);
        if (m_into.largest && !m_into.largest->ulp) return;
        const bool nan = tally.nanInvolved();
        if (!nan && m_into.largest && *m_into.largest->ulp >= distance) return;
        const std::size_t step = vectorBytes();
        for (std::size_t vector = 0; vector < vectors; ++vector) {
            const auto facts = Words::factsOf(load(a + vector * step), load(b + vector * step));
            const auto wanted =
                nan ? facts.nanInvolved : hn::And(facts.different, hn::Eq(facts.distance, L::all(distance)));
            const auto lane = hn::FindFirstTrue(typename L::Unsigned(), wanted);
            if (lane < 0) continue;
            const std::size_t i = vector * step / sizeof(Lane) + std::size_t(lane);
            m_into.largest = differenceAt(m_into.dtype, a, b, i, index);
            return;
        }
    }

    Comparison& m_into;
    std::uint64_t m_index;
    std::size_t m_listLimit;
};

void addRun(DType dtype, const std::byte* trainer, const std::byte* sampler, std::size_t elements,
            std::uint64_t firstIndex, std::size_t listLimit, Comparison& into) {
    const auto* a = reinterpret_cast<const std::uint8_t*>(trainer);
    const auto* b = reinterpret_cast<const std::uint8_t*>(sampler);
    const std::uint64_t before = into.different;
    const auto run = [&](auto words)
                         HWY_ATTR { Run<decltype(words)>(into, firstIndex, listLimit).add(a, b, elements); };
    switch (dtype) {
        case DType::Bf16:
            run(FloatWords<Bf16Format>());
            break;
        case DType::Fp16:
            run(FloatWords<Fp16Format>());
            break;
        case DType::Fp8E4M3:
            run(FloatWords<Fp8E4M3Format>());
            break;
        case DType::Fp8E5M2:
            run(FloatWords<Fp8E5M2Format>());
            break;
        case DType::Fp32:
            run(FloatWords<Fp32Format>());
            break;
        case DType::Fp64:
            run(FloatWords<Fp64Format>());
            break;
        case DType::I8:
            run(IntegerWords<std::uint8_t, true>());
            break;
        case DType::I16:
            run(IntegerWords<std::uint16_t, true>());
            break;
        case DType::I32:
            run(IntegerWords<std::uint32_t, true>());
            break;
        case DType::I64:
            run(IntegerWords<std::uint64_t, true>());
            break;
        case DType::U8:
            run(IntegerWords<std::uint8_t, false>());
            break;
        case DType::U16:
            run(IntegerWords<std::uint16_t, false>());
            break;
        case DType::U32:
            run(IntegerWords<std::uint32_t, false>());
            break;
        case DType::U64:
            run(IntegerWords<std::uint64_t, false>());
            break;
        case DType::Bool:
            run(IntegerWords<std::uint8_t, false>());
            break;
        default:
            assert(false);  // addComparison keeps the others
    }
    into.ulpHistogram[static_cast<std::size_t>(UlpBin::Equal)] += elements - (into.different - before);
}

#endif  // HWY_TARGET

}  // namespace isobit::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isobit {

HWY_EXPORT(addRun);

namespace {

// Scales, packed and raw words: rare enough for the plain form wherever a stretch differs.
void addOthers(DType dtype, const std::byte* trainer, const std::byte* sampler, std::size_t elements,
               std::uint64_t firstIndex, std::size_t listLimit, Comparison& into) {
    constexpr std::size_t kStretch = 4096;
    const std::size_t width = bytesOf(dtype);
    for (std::size_t at = 0; at < elements; at += kStretch) {
        const std::size_t count = std::min(kStretch, elements - at);
        const std::byte* a = trainer + at * width;
        const std::byte* b = sampler + at * width;
        if (std::memcmp(a, b, count * width) != 0) {
            addComparisonPlainly(dtype, a, b, count, firstIndex + at, listLimit, into);
        } else {
            into.elements += count;
            into.ulpHistogram[static_cast<std::size_t>(UlpBin::Equal)] += count;
        }
    }
}

}  // namespace

void addComparison(DType dtype, const std::byte* trainer, const std::byte* sampler, std::size_t elements,
                   std::uint64_t firstIndex, std::size_t listLimit, Comparison& into) {
    if (dtype > DType::Bool) return addOthers(dtype, trainer, sampler, elements, firstIndex, listLimit, into);
    HWY_DYNAMIC_DISPATCH(addRun)(dtype, trainer, sampler, elements, firstIndex, listLimit, into);
}

}  // namespace isobit
#endif
