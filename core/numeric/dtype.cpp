// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/numeric/dtype.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

#include "core/numeric/ulp.h"

namespace isobit {
namespace {

struct Entry {
    DType dtype;
    std::string_view name;
    std::string_view shortName;
    std::size_t bytes;
};

constexpr std::array kEntries{
    Entry{DType::Bf16, "bfloat16", "bf16", 2},
    Entry{DType::Fp16, "float16", "fp16", 2},
    Entry{DType::Fp8E4M3, "float8_e4m3fn", "fp8_e4m3", 1},
    Entry{DType::Fp8E5M2, "float8_e5m2", "fp8_e5m2", 1},
    Entry{DType::Fp32, "float32", "fp32", 4},
    Entry{DType::Fp64, "float64", "fp64", 8},
    Entry{DType::I8, "int8", "i8", 1},
    Entry{DType::I16, "int16", "i16", 2},
    Entry{DType::I32, "int32", "i32", 4},
    Entry{DType::I64, "int64", "i64", 8},
    Entry{DType::U8, "uint8", "u8", 1},
    Entry{DType::U16, "uint16", "u16", 2},
    Entry{DType::U32, "uint32", "u32", 4},
    Entry{DType::U64, "uint64", "u64", 8},
    Entry{DType::Bool, "bool", "bool", 1},
    Entry{DType::Fp8E8M0, "float8_e8m0fnu", "fp8_e8m0", 1},
    Entry{DType::Fp4E2M1x2, "float4_e2m1fn_x2", "fp4_e2m1_x2", 1},
    Entry{DType::Raw8, "raw8", "raw8", 1},
    Entry{DType::Raw16, "raw16", "raw16", 2},
    Entry{DType::Raw32, "raw32", "raw32", 4},
    Entry{DType::Raw64, "raw64", "raw64", 8},
};

const Entry& entryOf(DType dtype) { return kEntries[static_cast<std::size_t>(dtype)]; }

// Calls visit with the typed word of a float type; `other` is the answer for the integer types.
template <class Visit, class Other>
auto withWord(DType dtype, std::uint64_t word, Visit visit, Other other) {
    switch (dtype) {
        case DType::Bf16: return visit(Bf16{std::uint16_t(word)});
        case DType::Fp16: return visit(Fp16{std::uint16_t(word)});
        case DType::Fp8E4M3: return visit(Fp8E4M3{std::uint8_t(word)});
        case DType::Fp8E5M2: return visit(Fp8E5M2{std::uint8_t(word)});
        case DType::Fp32: return visit(Fp32{std::uint32_t(word)});
        case DType::Fp64: return visit(Fp64{word});
        default: return other();
    }
}

bool isSigned(DType dtype) {
    return dtype == DType::I8 || dtype == DType::I16 || dtype == DType::I32 || dtype == DType::I64;
}

bool hasNoOrder(DType dtype) { return dtype >= DType::Fp4E2M1x2; }

constexpr std::uint64_t kE8M0Nan = 0xFF;

double e8m0Value(std::uint64_t word) {
    return word == kE8M0Nan ? std::numeric_limits<double>::quiet_NaN() : std::ldexp(1.0, static_cast<int>(word) - 127);
}

// OCP Microscaling Formats 1.0, table of E2M1 (sign, two bits of exponent, one of mantissa).
std::string fp4Decimal(std::uint64_t nibble) {
    constexpr std::array<std::string_view, 8> kMagnitudes{"0", "0.5", "1", "1.5", "2", "3", "4", "6"};
    return std::string((nibble & 8) != 0 ? "-" : "") + std::string(kMagnitudes[nibble & 7]);
}

std::int64_t signedValue(DType dtype, std::uint64_t word) {
    const int unused = 64 - 8 * static_cast<int>(bytesOf(dtype));
    return static_cast<std::int64_t>(word << unused) >> unused;
}

std::string decimalOfOther(DType dtype, std::uint64_t word) {
    if (dtype == DType::Fp8E8M0) return word == kE8M0Nan ? "nan(0xff)" : fmt::format("{}", e8m0Value(word));
    if (dtype == DType::Fp4E2M1x2) return fp4Decimal(word & 15) + " " + fp4Decimal(word >> 4);
    if (hasNoOrder(dtype)) return "0x" + hexOf(dtype, word);
    return isSigned(dtype) ? std::to_string(signedValue(dtype, word)) : std::to_string(word);
}

template <class Format>
int exponentBitsOf(Word<Format>) {
    return Format::kExponentBits;
}

template <class Format>
double toDouble(Word<Format> word) {
    if constexpr (Format::kBits == 64)
        return std::bit_cast<double>(word.bits);
    else
        return static_cast<double>(widen(word));
}

template <class Format>
bool readsBack(std::string_view text, Word<Format> word) {
    if constexpr (Format::kBits == 64) {
        double value = 0;
        std::from_chars(text.data(), text.data() + text.size(), value);
        return std::bit_cast<std::uint64_t>(value) == word.bits;
    } else {
        float value = 0;
        std::from_chars(text.data(), text.data() + text.size(), value);
        return narrow<Format>(value) == word;
    }
}

template <class Format>
std::string shortestDecimal(Word<Format> word) {
    if (isNan(word)) return fmt::format("nan(0x{:0{}x})", word.bits, Format::kBits / 4);
    const double value = toDouble(word);
    if (isInfinite(word)) return value < 0 ? "-inf" : "inf";
    for (int digits = 1; digits < 17; ++digits) {
        const std::string text = fmt::format("{:.{}g}", value, digits);
        if (readsBack(text, word)) return text;
    }
    return fmt::format("{:.17g}", value);
}

}  // namespace

std::string_view nameOf(DType dtype) { return entryOf(dtype).name; }

std::optional<DType> dtypeByName(std::string_view name) {
    for (const Entry& entry : kEntries)
        if (entry.name == name || entry.shortName == name) return entry.dtype;
    return std::nullopt;
}

std::size_t bytesOf(DType dtype) { return entryOf(dtype).bytes; }

bool isFloat(DType dtype) { return dtype <= DType::Fp64; }

std::optional<std::uint64_t> ulpDistance(DType dtype, std::uint64_t a, std::uint64_t b) {
    const auto integers = [&]() -> std::optional<std::uint64_t> {
        if (hasNoOrder(dtype)) return std::nullopt;
        if (dtype == DType::Fp8E8M0 && (a == kE8M0Nan || b == kE8M0Nan)) return std::nullopt;
        if (!isSigned(dtype)) return a > b ? a - b : b - a;
        const std::int64_t signedA = signedValue(dtype, a);
        const std::int64_t signedB = signedValue(dtype, b);
        const auto difference = static_cast<std::uint64_t>(signedA) - static_cast<std::uint64_t>(signedB);
        return signedA > signedB ? difference : 0 - difference;
    };
    return withWord(
        dtype, a,
        [&](auto wordA) -> std::optional<std::uint64_t> {
            decltype(wordA) wordB{static_cast<decltype(wordA.bits)>(b)};
            return ulpDistance(wordA, wordB);
        },
        integers);
}

WordClass classify(DType dtype, std::uint64_t word) {
    return withWord(
        dtype, word, [](auto typed) { return classify(typed); },
        [&] {
            if (dtype == DType::Fp8E8M0) return word == kE8M0Nan ? WordClass::QuietNan : WordClass::Normal;
            return word == 0 ? WordClass::PositiveZero : WordClass::Normal;
        });
}

double valueOf(DType dtype, std::uint64_t word) {
    return withWord(
        dtype, word, [](auto typed) { return toDouble(typed); },
        [&] {
            if (dtype == DType::Fp8E8M0) return e8m0Value(word);
            if (hasNoOrder(dtype)) return std::numeric_limits<double>::quiet_NaN();
            return isSigned(dtype) ? static_cast<double>(signedValue(dtype, word)) : static_cast<double>(word);
        });
}

std::string decimalOf(DType dtype, std::uint64_t word) {
    return withWord(
        dtype, word, [](auto typed) { return shortestDecimal(typed); },
        [&] { return decimalOfOther(dtype, word); });
}

std::string hexOf(DType dtype, std::uint64_t word) { return fmt::format("{:0{}x}", word, 2 * bytesOf(dtype)); }

std::string bitsOf(DType dtype, std::uint64_t word) {
    const int bits = 8 * static_cast<int>(bytesOf(dtype));
    const std::string all = fmt::format("{:0{}b}", word, bits);
    const int exponentBits =
        withWord(dtype, word, [](auto typed) { return exponentBitsOf(typed); }, [] { return 0; });
    if (exponentBits == 0) return all;
    return all.substr(0, 1) + ' ' + all.substr(1, exponentBits) + ' ' + all.substr(1 + exponentBits);
}

}  // namespace isobit
