// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/numeric/dtype.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <charconv>
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

std::int64_t signedValue(DType dtype, std::uint64_t word) {
    const int unused = 64 - 8 * static_cast<int>(bytesOf(dtype));
    return static_cast<std::int64_t>(word << unused) >> unused;
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
        [&] { return word == 0 ? WordClass::PositiveZero : WordClass::Normal; });
}

double valueOf(DType dtype, std::uint64_t word) {
    return withWord(
        dtype, word, [](auto typed) { return toDouble(typed); },
        [&] {
            return isSigned(dtype) ? static_cast<double>(signedValue(dtype, word)) : static_cast<double>(word);
        });
}

std::string decimalOf(DType dtype, std::uint64_t word) {
    return withWord(
        dtype, word, [](auto typed) { return shortestDecimal(typed); },
        [&] { return isSigned(dtype) ? std::to_string(signedValue(dtype, word)) : std::to_string(word); });
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
