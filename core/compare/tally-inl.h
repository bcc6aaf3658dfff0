// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0

// Counts over vectors of word pairs. Included once for every vector target, hence no ordinary include guard.
#if defined(ISOBIT_CORE_COMPARE_TALLY_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ISOBIT_CORE_COMPARE_TALLY_INL_H
#undef ISOBIT_CORE_COMPARE_TALLY_INL_H
#else
#define ISOBIT_CORE_COMPARE_TALLY_INL_H
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/compare/comparison.h"
#include "core/numeric/float_format.h"

#if HWY_TARGET != HWY_SCALAR  // single lanes have no bytes to count flips in

HWY_BEFORE_NAMESPACE();
namespace isobit::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Words are compared lane by lane; the vectors of a lane type, as unsigned and as signed numbers.
template <class Lane>
struct Lanes {
    using Unsigned = hn::ScalableTag<Lane>;
    using Signed = hn::RebindToSigned<Unsigned>;
    using V = hn::Vec<Unsigned>;
    using Mask = hn::Mask<Unsigned>;

    static constexpr Lane kTopBit = Lane(Lane(1) << (8 * sizeof(Lane) - 1));

    static V all(Lane value) { return hn::Set(Unsigned(), value); }
    // a > b, for lanes whose top bit is clear.
    static Mask greater(V a, V b) {
        return hn::RebindMask(Unsigned(), hn::Gt(hn::BitCast(Signed(), a), hn::BitCast(Signed(), b)));
    }
    static Mask greaterUnsigned(V a, V b) { return greater(hn::Xor(a, all(kTopBit)), hn::Xor(b, all(kTopBit))); }
    static Mask topBit(V a) { return hn::RebindMask(Unsigned(), hn::Lt(hn::BitCast(Signed(), a), hn::Zero(Signed()))); }
    static Mask notEqual(V a, V b) { return hn::Not(hn::Eq(a, b)); }
};

// What one vector of pairs is, as far as the counts need it.
template <class Lane>
struct PairFacts {
    using L = Lanes<Lane>;
    typename L::Mask different;
    typename L::Mask signOrClass;
    typename L::Mask nanInvolved;  // of the pairs that differ
    typename L::Mask nanPayload, infinityOrNan, subnormal;
    typename L::Mask samplerAbove, samplerBelow;
    typename L::V distance;  // 0 where a NaN is involved
    std::array<typename L::Mask, 1 + kUlpBinLimits.size()>
        beyond;  // no sign or class change, distance > 0, 1, 2, 4 ...
};

// beyond[0] is distance > 0, beyond[i + 1] is distance > kUlpBinLimits[i].
constexpr std::uint64_t beyondLimit(std::size_t i) { return i == 0 ? 0 : kUlpBinLimits[i - 1]; }

// The words of a floating-point format.
template <class Format>
struct FloatWords {
    using Lane = typename Format::Storage;
    using L = Lanes<Lane>;
    using V = typename L::V;
    static constexpr Lane kLargestNumber = Lane(Format::kAboveFinite - (Format::kHasInfinity ? 0 : 1));  // infinity too
    static constexpr Lane kMinNormal = Lane(Format::kMantissaMask + 1);

    static HWY_INLINE V distanceOf(V a, V b, V low, V high) {
        return hn::IfThenElse(L::topBit(hn::Xor(a, b)), hn::Add(low, high), hn::Sub(high, low));
    }

    static HWY_INLINE PairFacts<Lane> factsOf(V a, V b) {
        const V zero = L::all(0);
        const V magnitudeA = hn::And(a, L::all(Format::kMagnitudeMask));
        const V magnitudeB = hn::And(b, L::all(Format::kMagnitudeMask));
        const V low = hn::Min(magnitudeA, magnitudeB);
        const V high = hn::Max(magnitudeA, magnitudeB);
        const V distance = distanceOf(a, b, low, high);

        PairFacts<Lane> facts;
        facts.different = L::notEqual(a, b);
        const auto special = hn::And(facts.different, L::greater(high, L::all(Format::kAboveFinite - 1)));
        const auto nanAny = L::greater(high, L::all(kLargestNumber));
        facts.nanPayload = hn::And(facts.different, L::greater(low, L::all(kLargestNumber)));
        facts.nanInvolved = hn::And(facts.different, nanAny);
        facts.infinityOrNan = hn::AndNot(facts.nanPayload, special);
        facts.signOrClass = hn::Or(special, hn::And(L::topBit(hn::Xor(a, b)), L::greater(low, zero)));
        const V belowNormal = L::all(kMinNormal);
        const auto subnormal = hn::Or(hn::And(L::greater(low, zero), L::greater(belowNormal, low)),
                                      hn::And(L::greater(high, zero), L::greater(belowNormal, high)));
        facts.subnormal = hn::AndNot(special, hn::And(facts.different, subnormal));
        facts.samplerAbove = hn::AndNot(nanAny, L::greater(magnitudeB, magnitudeA));
        facts.samplerBelow = hn::AndNot(nanAny, L::greater(magnitudeA, magnitudeB));
        facts.distance = hn::IfThenZeroElse(nanAny, distance);
        const V sameKind = hn::IfThenZeroElse(facts.signOrClass, distance);  // fits below the top bit
        for (std::size_t i = 0; i < facts.beyond.size(); ++i)
            if (beyondLimit(i) < Format::kMagnitudeMask)
                facts.beyond[i] = L::greater(sameKind, L::all(Lane(beyondLimit(i))));
        return facts;
    }
};

// The words of an integer type.
template <class LaneType, bool isSigned>
struct IntegerWords {
    using Lane = LaneType;
    using L = Lanes<Lane>;
    using V = typename L::V;

    static HWY_INLINE V magnitudeOf(V a) {
        if constexpr (!isSigned) return a;
        return hn::BitCast(typename L::Unsigned(), hn::Abs(hn::BitCast(typename L::Signed(), a)));
    }

    static HWY_INLINE PairFacts<Lane> factsOf(V a, V b) {
        const V bias = L::all(isSigned ? L::kTopBit : Lane(0));
        const V placeA = hn::Xor(a, bias);
        const V placeB = hn::Xor(b, bias);
        const auto none = L::greater(L::all(0), L::all(0));

        PairFacts<Lane> facts;
        facts.different = L::notEqual(a, b);
        facts.signOrClass = facts.nanInvolved = facts.nanPayload = facts.infinityOrNan = facts.subnormal = none;
        facts.samplerAbove = L::greaterUnsigned(magnitudeOf(b), magnitudeOf(a));
        facts.samplerBelow = L::greaterUnsigned(magnitudeOf(a), magnitudeOf(b));
        facts.distance = hn::Sub(hn::Max(placeA, placeB), hn::Min(placeA, placeB));
        for (std::size_t i = 0; i < facts.beyond.size(); ++i)
            if (beyondLimit(i) < Lane(~Lane(0)))
                facts.beyond[i] = L::greaterUnsigned(facts.distance, L::all(Lane(beyondLimit(i))));
        return facts;
    }
};

// Counts of at most 255 vectors, kept lane by lane.
template <class Words>
class Tally {
public:
    using Lane = typename Words::Lane;
    using L = Lanes<Lane>;
    using V = typename L::V;
    static constexpr std::size_t kMostVectors = 255;  // a byte lane counts no further

    // Not by default member values: an implicit constructor would not be compiled for the vector target.
    HWY_INLINE Tally() {
        m_different = m_signOrClass = m_nanInvolved = m_nanPayload = m_infinityOrNan = m_subnormal = L::all(0);
        m_samplerAbove = m_samplerBelow = m_largest = L::all(0);
        for (V& counts : m_beyond) counts = L::all(0);
        for (auto& counts : m_flips) counts = hn::Zero(Bytes());
    }

    HWY_INLINE void add(V a, V b) {
        const PairFacts<Lane> facts = Words::factsOf(a, b);
        count(m_different, facts.different);
        count(m_signOrClass, facts.signOrClass);
        count(m_nanPayload, facts.nanPayload);
        count(m_infinityOrNan, facts.infinityOrNan);
        count(m_subnormal, facts.subnormal);
        count(m_samplerAbove, facts.samplerAbove);
        count(m_samplerBelow, facts.samplerBelow);
        count(m_nanInvolved, facts.nanInvolved);
        m_largest = hn::Max(m_largest, facts.distance);
        for (std::size_t i = 0; i < m_beyond.size(); ++i)
            if (hasBeyond(i)) count(m_beyond[i], facts.beyond[i]);
        addFlips(hn::BitCast(Pairs(), hn::Xor(a, b)), std::make_index_sequence<8>());
    }

    // Adds the counts to `into`; the number of equal pairs is the caller's to add.
    void flushTo(Comparison& into) const {
        const std::uint64_t different = sumOf(m_different);
        const std::uint64_t signOrClass = sumOf(m_signOrClass);
        std::array<std::uint64_t, 1 + kUlpBinLimits.size()> beyond{};
        for (std::size_t i = 0; i < beyond.size(); ++i)
            if (hasBeyond(i)) beyond[i] = sumOf(m_beyond[i]);
        const std::uint64_t signOfZero = different - signOrClass - beyond[0];

        into.different += different;
        const auto bin = [&](UlpBin which) -> std::uint64_t& { return into.ulpHistogram[std::size_t(which)]; };
        bin(UlpBin::SignOfZero) += signOfZero;
        bin(UlpBin::SignOrClass) += signOrClass;
        for (std::size_t i = 0; i < beyond.size(); ++i)
            into.ulpHistogram[std::size_t(UlpBin::One) + i] += beyond[i] - (i + 1 < beyond.size() ? beyond[i + 1] : 0);

        const auto kind = [&](DifferenceClass which) -> std::uint64_t& { return into.classes[std::size_t(which)]; };
        const std::uint64_t nanPayload = sumOf(m_nanPayload);
        const std::uint64_t infinityOrNan = sumOf(m_infinityOrNan);
        const std::uint64_t subnormal = sumOf(m_subnormal);
        kind(DifferenceClass::SignOfZero) += signOfZero;
        kind(DifferenceClass::NanPayload) += nanPayload;
        kind(DifferenceClass::InfinityOrNan) += infinityOrNan;
        kind(DifferenceClass::Subnormal) += subnormal;
        kind(DifferenceClass::Ordinary) += different - signOfZero - nanPayload - infinityOrNan - subnormal;
        into.samplerAbove += sumOf(m_samplerAbove);
        into.samplerBelow += sumOf(m_samplerBelow);
        flushFlips(into);
    }

    [[nodiscard]] bool nanInvolved() const { return sumOf(m_nanInvolved) != 0; }
    [[nodiscard]] Lane largestDistance() const {
        const auto lanes = lanesOf(m_largest);
        return *std::max_element(lanes.begin(), lanes.begin() + hn::Lanes(typename L::Unsigned()));
    }

private:
    using Bytes = hn::ScalableTag<std::uint8_t>;
    using Pairs = hn::ScalableTag<std::uint16_t>;
    static constexpr std::size_t kMostLanes = HWY_MAX_BYTES / sizeof(Lane);

    static constexpr bool hasBeyond(std::size_t i) { return beyondLimit(i) < Lane(~Lane(0)); }
    static HWY_INLINE void count(V& counts, typename L::Mask mask) {
        counts = hn::Sub(counts, hn::VecFromMask(typename L::Unsigned(), mask));
    }

    // Bit i of every byte, for the two bytes of a 16-bit lane at once: bytes have no shift of their own.
    template <std::size_t... i>
    HWY_INLINE void addFlips(hn::Vec<Pairs> flipped, std::index_sequence<i...>) {
        const auto ones = hn::Set(Pairs(), 0x0101);
        ((m_flips[i] = hn::Add(m_flips[i], hn::BitCast(Bytes(), hn::And(hn::ShiftRight<int(i)>(flipped), ones)))), ...);
    }

    void flushFlips(Comparison& into) const {
        alignas(HWY_MAX_BYTES) std::array<std::uint8_t, HWY_MAX_BYTES> bytes;
        for (std::size_t bit = 0; bit < m_flips.size(); ++bit) {
            hn::Store(m_flips[bit], Bytes(), bytes.data());
            for (std::size_t i = 0; i < hn::Lanes(Bytes()); ++i)
                into.flipsPerBit[8 * (i % sizeof(Lane)) + bit] += bytes[i];
        }
    }

    static std::array<Lane, kMostLanes> lanesOf(V v) {
        alignas(HWY_MAX_BYTES) std::array<Lane, kMostLanes> lanes;
        hn::Store(v, typename L::Unsigned(), lanes.data());
        return lanes;
    }
    static std::uint64_t sumOf(V counts) {
        const auto lanes = lanesOf(counts);
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < hn::Lanes(typename L::Unsigned()); ++i) sum += lanes[i];
        return sum;
    }

    V m_different, m_signOrClass, m_nanInvolved, m_nanPayload, m_infinityOrNan, m_subnormal;
    V m_samplerAbove, m_samplerBelow, m_largest;
    std::array<V, 1 + kUlpBinLimits.size()> m_beyond;
    std::array<hn::Vec<Bytes>, 8> m_flips;
};

}  // namespace isobit::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // HWY_TARGET
#endif  // include guard
