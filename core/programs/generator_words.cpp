// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/programs/generator_words.h"

#include "core/programs/input_generator.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/programs/generator_words.cpp"
#include <hwy/foreach_target.h>
// The header that depends on the target comes after the one that loops over targets.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace isobit::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR
/// The target without vectors has no pairs of 32-bit lanes: every word is made by the plain form.
template <int mantissaBits, int mantissaShift, class WordType>
std::size_t generateInVectors(std::uint64_t, std::size_t, std::uint64_t, FloatCut, WordType*) {
    return 0;
}
#else
using D64 = hn::ScalableTag<std::uint64_t>;
using V64 = hn::Vec<D64>;

/// Low 64 bits of a product by a constant. Before AVX-512 there is no such instruction: three 32-bit products.
HWY_INLINE V64 multiply(V64 a, std::uint64_t constant) {
    const D64 d;
    const V64 b = hn::Set(d, constant);
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
    return hn::Mul(a, b);
#else
    const hn::Repartition<std::uint32_t, D64> d32;
    const auto low = [&](V64 v) { return hn::BitCast(d32, v); };
    const V64 bHigh = hn::Set(d, constant >> 32);
    const V64 cross = hn::Add(hn::MulEven(low(hn::ShiftRight<32>(a)), low(b)), hn::MulEven(low(a), low(bHigh)));
    return hn::Add(hn::MulEven(low(a), low(b)), hn::ShiftLeft<32>(cross));
#endif
}

/// Product of the low 32 bits of each lane and a constant below 2^32.
HWY_INLINE V64 multiplyLow(V64 a, std::uint64_t constant) {
    const D64 d;
    const hn::Repartition<std::uint32_t, D64> d32;
    return hn::MulEven(hn::BitCast(d32, a), hn::BitCast(d32, hn::Set(d, constant)));
}

/// v mod n for v < 2^63 and 2 <= n <= 256. 2^32 and then twice 2^16 are replaced by their remainders, which leaves
/// v < 2^24; there a multiplication by ceil(2^32 / n) gives the exact quotient.
class Remainder {
public:
    explicit Remainder(std::uint64_t n)
        : m_n(n), m_of32((std::uint64_t(1) << 32) % n), m_of16((std::uint64_t(1) << 16) % n),
          m_reciprocal(((std::uint64_t(1) << 32) + n - 1) / n) {}

    HWY_INLINE V64 operator()(V64 v) const {
        const D64 d;
        const V64 low16 = hn::Set(d, 0xFFFF);
        v = hn::Add(multiplyLow(hn::ShiftRight<32>(v), m_of32), hn::And(v, hn::Set(d, 0xFFFFFFFF)));  // < 2^40
        v = hn::Add(multiplyLow(hn::ShiftRight<16>(v), m_of16), hn::And(v, low16));                   // < 2^32
        v = hn::Add(multiplyLow(hn::ShiftRight<16>(v), m_of16), hn::And(v, low16));                   // < 2^24
        const V64 quotient = hn::ShiftRight<32>(multiplyLow(v, m_reciprocal));
        return hn::Sub(v, multiplyLow(quotient, m_n));
    }

private:
    std::uint64_t m_n;
    std::uint64_t m_of32;
    std::uint64_t m_of16;
    std::uint64_t m_reciprocal;
};

/// Makes as many words as fill whole vectors and returns their number.
template <int mantissaBits, int mantissaShift, class WordType>
std::size_t generateInVectors(std::uint64_t first, std::size_t count, std::uint64_t seed, FloatCut cut,
                              WordType* words) {
    if (cut.exponentCount < 2) return 0;  // the reciprocal of 1 needs a 33rd bit; one exponent is no case for speed
    constexpr int signShift = int(sizeof(WordType)) * 8 - 1;
    const D64 d;
    const hn::Rebind<WordType, D64> dWord;
    const std::size_t lanes = hn::Lanes(d);
    const Remainder remainder(cut.exponentCount);
    const V64 lo = hn::Set(d, cut.exponentLo);
    const V64 mantissaMask = hn::Set(d, (std::uint64_t(1) << mantissaBits) - 1);
    // (index + 1 + seed * golden) * golden grows by golden from one index to the next.
    constexpr std::uint64_t golden = 0x9E3779B97F4A7C15u;
    V64 counter = multiply(hn::Iota(d, first + 1 + seed * golden), golden);
    const V64 step = hn::Set(d, golden * lanes);
    std::size_t done = 0;
    for (; done + lanes <= count; done += lanes, counter = hn::Add(counter, step)) {
        V64 r = multiply(hn::Xor(counter, hn::ShiftRight<30>(counter)), 0xBF58476D1CE4E5B9u);
        r = multiply(hn::Xor(r, hn::ShiftRight<27>(r)), 0x94D049BB133111EBu);
        r = hn::Xor(r, hn::ShiftRight<31>(r));
        const V64 sign = hn::ShiftLeft<signShift>(hn::And(r, hn::Set(d, 1)));
        const V64 exponent = hn::ShiftLeft<mantissaBits>(hn::Add(remainder(hn::ShiftRight<1>(r)), lo));
        const V64 mantissa = hn::And(hn::ShiftRight<mantissaShift>(r), mantissaMask);
        hn::StoreU(hn::TruncateTo(dWord, hn::Or(sign, hn::Or(exponent, mantissa))), dWord, words + done);
    }
    return done;
}
#endif

/// One word by the written formula.
template <int mantissaBits, int mantissaShift, class WordType>
WordType cutPlainly(std::uint64_t r, FloatCut cut) {
    constexpr int signShift = int(sizeof(WordType)) * 8 - 1;
    const std::uint64_t exponent = (r >> 1) % cut.exponentCount + cut.exponentLo;
    const std::uint64_t mantissa = r >> mantissaShift & ((std::uint64_t(1) << mantissaBits) - 1);
    return WordType((r & 1) << signShift | exponent << mantissaBits | mantissa);
}

template <int mantissaBits, int mantissaShift, class WordType>
void generateWords(std::uint64_t first, std::size_t count, std::uint64_t seed, FloatCut cut, WordType* words) {
    std::size_t done = generateInVectors<mantissaBits, mantissaShift>(first, count, seed, cut, words);
    for (; done < count; ++done)
        words[done] = cutPlainly<mantissaBits, mantissaShift, WordType>(generatorWord(first + done, seed), cut);
}

void generateBf16(std::uint64_t first, std::size_t count, std::uint64_t seed, FloatCut cut, std::uint16_t* words) {
    generateWords<7, 17>(first, count, seed, cut, words);
}
void generateFp32(std::uint64_t first, std::size_t count, std::uint64_t seed, FloatCut cut, std::uint32_t* words) {
    generateWords<23, 9>(first, count, seed, cut, words);
}

}  // namespace isobit::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isobit {
HWY_EXPORT(generateBf16);
HWY_EXPORT(generateFp32);

void generateBf16Words(std::uint64_t first, std::size_t count, std::uint64_t seed, FloatCut cut, std::uint16_t* words) {
    HWY_DYNAMIC_DISPATCH(generateBf16)(first, count, seed, cut, words);
}

void generateFp32Words(std::uint64_t first, std::size_t count, std::uint64_t seed, FloatCut cut, std::uint32_t* words) {
    HWY_DYNAMIC_DISPATCH(generateFp32)(first, count, seed, cut, words);
}

}  // namespace isobit
#endif
