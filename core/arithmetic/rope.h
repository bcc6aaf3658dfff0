// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <stop_token>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/arithmetic/fields.h"

namespace isobit {

/// Which elements of a head make pair i of H = R / 2.
enum class RopePairing {
    HalfSplit,    ///< (x[i], x[i + H])
    Interleaved,  ///< (x[2i], x[2i + 1])
};

/// What becomes of one quantity of the rotation.
enum class RopeRounding {
    Input,  ///< rounded to the input's element type
    Fp32,   ///< kept as the FP32 result
};

/// Which product of o1 = x1 c - x2 s, o2 = x2 c + x1 s is left to a fused multiply-add. A product that a field rounds
/// to the input's type is never fused.
enum class RopeContraction {
    None,           ///< four multiplications, a subtraction and an addition
    CosineProduct,  ///< fma(x1, c, -(x2 s)), fma(x2, c, x1 s): the compiled form
    SineProduct,    ///< fma(-x2, s, x1 c), fma(x1, s, x2 c)
};

/// Forward, or the explicit adjoint: the same rotation with s negated.
enum class RopeDirection { Forward, Adjoint };

enum class RopeElement { Bf16, Fp16, Fp32 };
enum class RopeOutput { Input, Fp32 };

/// Everything that can change a bit of a rotation. Source: rope.md 2 and 3; the eight roundings are those of its table.
struct RopeArithmetic {
    RopeElement element = RopeElement::Bf16;      ///< of x
    RopeRounding cosine = RopeRounding::Input;    ///< 1: c
    RopeRounding sine = RopeRounding::Input;      ///< 2: s
    RopeRounding x1Cosine = RopeRounding::Input;  ///< 3: a1 = x1 c
    RopeRounding x2Sine = RopeRounding::Input;    ///< 4: a2 = x2 s
    RopeRounding first = RopeRounding::Input;     ///< 5: o1 = a1 - a2
    RopeRounding x2Cosine = RopeRounding::Input;  ///< 6: b1 = x2 c
    RopeRounding x1Sine = RopeRounding::Input;    ///< 7: b2 = x1 s
    RopeRounding second = RopeRounding::Input;    ///< 8: o2 = b1 + b2
    RopeContraction contraction = RopeContraction::None;
    RopePairing pairing = RopePairing::HalfSplit;  ///< unless the call names one
    RopeDirection direction = RopeDirection::Forward;
    RopeOutput output = RopeOutput::Input;  ///< element type of what is stored
    /// Roundings 1 and 2 happen from this layer on; a layer below it sees the table as it was built. Counted as the
    /// call counts its layers; 0: everywhere.
    int tableRoundedFromLayer = 0;
    friend bool operator==(const RopeArithmetic&, const RopeArithmetic&) = default;
};

template <class Visitor, class AnyArithmetic>
requires std::same_as<std::remove_const_t<AnyArithmetic>, RopeArithmetic>
void visitFields(AnyArithmetic& arithmetic, Visitor&& visit) {
    visit("element", arithmetic.element);
    visit("cosine", arithmetic.cosine);
    visit("sine", arithmetic.sine);
    visit("x1_cosine", arithmetic.x1Cosine);
    visit("x2_sine", arithmetic.x2Sine);
    visit("first", arithmetic.first);
    visit("x2_cosine", arithmetic.x2Cosine);
    visit("x1_sine", arithmetic.x1Sine);
    visit("second", arithmetic.second);
    visit("contraction", arithmetic.contraction);
    visit("pairing", arithmetic.pairing);
    visit("direction", arithmetic.direction);
    visit("output", arithmetic.output);
    visit("table_rounded_from_layer", arithmetic.tableRoundedFromLayer);
}

/// Whether the arithmetic is of Class B, one FP32 chain: no rounding but that of the two results. Only the FP32 table
/// of the build may enter it.
[[nodiscard]] bool isRopeClassB(const RopeArithmetic& arithmetic);

/// An arithmetic with the name under which contracts, golden files and programs know it.
struct NamedRope {
    std::string_view name;     ///< "rope.class_a"
    std::string_view summary;  ///< one line for `isobit list`
    RopeArithmetic arithmetic;
};
[[nodiscard]] const std::vector<NamedRope>& namedRopes();
[[nodiscard]] const NamedRope* findRope(std::string_view name);

/// One rotation of every head of every token; strides in elements, heads' elements contiguous.
struct RopeCall {
    std::int64_t tokens = 0;
    std::int64_t heads = 0;
    std::int64_t headSize = 0;    ///< D
    std::int64_t rotarySize = 0;  ///< R, even, at most D; elements [R, D) are copied bit for bit
    const void* x = nullptr;      ///< [tokens, heads, D] of the arithmetic's element type
    std::int64_t tokenStride = 0;
    std::int64_t headStride = 0;
    const float* cosine = nullptr;  ///< [tokens, R / 2]
    const float* sine = nullptr;
    std::int64_t layer = 0;  ///< of the model, for tableRoundedFromLayer
    void* out = nullptr;     ///< [tokens, heads, D], contiguous; may be x where that is contiguous and of out's type
};

/// out. A NaN result becomes the device's: 0x7FFF, in FP32 0x7FFFFFFF. No bit depends on `threads`. Returns false when
/// stopped.
bool evaluateRope(const RopeArithmetic& arithmetic, const RopeCall& call, unsigned threads = 0,
                  std::stop_token stop = {});

template <>
std::span<const Choice<RopePairing>> choicesOf<RopePairing>();
template <>
std::span<const Choice<RopeRounding>> choicesOf<RopeRounding>();
template <>
std::span<const Choice<RopeContraction>> choicesOf<RopeContraction>();
template <>
std::span<const Choice<RopeDirection>> choicesOf<RopeDirection>();
template <>
std::span<const Choice<RopeElement>> choicesOf<RopeElement>();
template <>
std::span<const Choice<RopeOutput>> choicesOf<RopeOutput>();

}  // namespace isobit
