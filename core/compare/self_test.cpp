// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/compare/self_test.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>

#include "core/compare/plain_comparison.h"
#include "core/numeric/word.h"

namespace isobit {
namespace {

constexpr std::size_t kRows = 4096;
constexpr std::size_t kColumns = 4096;
constexpr std::size_t kElements = kRows * kColumns;
constexpr std::uint16_t kBf16Sign = 0x8000;

using Words = std::vector<std::uint16_t>;
/// Changes some elements of the sampler (and, for zeros, of the trainer) and gives their indices in ascending order.
using Spoil = std::function<std::vector<std::size_t>(Words& trainer, Words& sampler)>;

struct Trap {
    const char* name;
    Spoil spoil;
};

// bf16 words of both signs with exponents 118 to 127, so that the values lie in [2^-9, 2).
Words ordinaryWords() {
    Words words(kElements);
    std::uint64_t state = 1;
    for (std::uint16_t& word : words) {
        state = state * 6364136223846793005u + 1442695040888963407u;  // Knuth, MMIX
        const auto random = static_cast<std::uint32_t>(state >> 32);
        const std::uint32_t exponent = 118 + (random & 0xFFFF) * 10 / 0x10000;
        word = static_cast<std::uint16_t>((random >> 16 & kBf16Sign) | exponent << 7 | (random >> 16 & 0x7F));
    }
    return words;
}

// Elements spread over the array, one up and the next one down by 1 ULP, so that pairs of changes cancel in sums of
// words.
Spoil oneUlpIn(std::size_t count) {
    return [count](Words&, Words& sampler) {
        std::vector<std::size_t> changed;
        for (std::size_t i = 0; i < count; ++i) {
            std::size_t index = i * (kElements / count) + 100;
            while ((sampler[index] & 1) != i % 2) ++index;
            sampler[index] ^= 1;
            changed.push_back(index);
        }
        return changed;
    };
}

std::vector<std::size_t> swapTwoRows(Words&, Words& sampler) {
    constexpr std::size_t one = 7;
    constexpr std::size_t other = 4000;
    const auto rowAt = [&](std::size_t row) { return sampler.begin() + static_cast<std::ptrdiff_t>(row * kColumns); };
    std::swap_ranges(rowAt(one), rowAt(one + 1), rowAt(other));
    std::vector<std::size_t> changed;
    for (const std::size_t row : {one, other})
        for (std::size_t column = 0; column < kColumns; ++column) changed.push_back(row * kColumns + column);
    return changed;
}

// The first value in [2^-9, 2^-8): twice that is within the tolerance.
std::vector<std::size_t> flipOneSign(Words&, Words& sampler) {
    const auto small = std::ranges::find_if(sampler, [](std::uint16_t word) { return (word >> 7 & 0xFF) == 118; });
    *small ^= kBf16Sign;
    return {static_cast<std::size_t>(small - sampler.begin())};
}

std::vector<std::size_t> opposeOneZero(Words& trainer, Words& sampler) {
    constexpr std::size_t index = kElements / 2 + 11;
    trainer[index] = 0;
    sampler[index] = kBf16Sign;
    return {index};
}

Comparison expectedOf(const Words& trainer, const Words& sampler, const std::vector<std::size_t>& changed) {
    Comparison expected;
    expected.dtype = DType::Bf16;
    for (const std::size_t index : changed)
        addComparisonPlainly(DType::Bf16, std::as_bytes(std::span(&trainer[index], 1)).data(),
                             std::as_bytes(std::span(&sampler[index], 1)).data(), 1, index, 64, expected);
    expected.elements += kElements - changed.size();
    expected.ulpHistogram[0] += kElements - changed.size();
    return expected;
}

bool withinTolerance(const Words& trainer, const Words& sampler) {
    for (std::size_t i = 0; i < kElements; ++i) {
        const float a = bf16Value(trainer[i]);
        if (std::abs(bf16Value(sampler[i]) - a) > 0.01f + 0.01f * std::abs(a)) return false;
    }
    return true;
}

// Multiples of 2^-16 below 2 a value and 2^24 of them: no sum needs more than 41 bits.
double sumOf(const Words& words) {
    double sum = 0;
    for (const std::uint16_t word : words) sum += static_cast<double>(bf16Value(word));
    return sum;
}

// FNV-1a of each row's words, added up.
std::uint64_t rowHashSum(const Words& words) {
    std::uint64_t sum = 0;
    for (std::size_t row = 0; row < kRows; ++row) {
        std::uint64_t hash = 0xCBF29CE484222325u;
        for (std::size_t column = 0; column < kColumns; ++column)
            hash = (hash ^ words[row * kColumns + column]) * 0x100000001B3u;
        sum += hash;
    }
    return sum;
}

TrapResult spring(const Trap& trap, Words trainer, unsigned threads) {
    Words sampler = trainer;
    const std::vector<std::size_t> changed = trap.spoil(trainer, sampler);
    CompareOptions options;
    options.threads = threads;
    TrapResult result;
    result.name = trap.name;
    result.expected = expectedOf(trainer, sampler, changed);
    result.found =
        compareWords(DType::Bf16, std::as_bytes(std::span(trainer)), std::as_bytes(std::span(sampler)), options);
    result.toleranceEqual = withinTolerance(trainer, sampler);
    result.sumEqual = sumOf(trainer) == sumOf(sampler);
    result.rowHashEqual = rowHashSum(trainer) == rowHashSum(sampler);
    return result;
}

bool allPassed(const std::vector<TrapResult>& traps) {
    return std::ranges::all_of(traps, [](const TrapResult& trap) { return trap.passed(); });
}

}  // namespace

std::vector<TrapResult> runCompareSelfTest(unsigned threads) {
    const Trap traps[] = {
        {"1 ULP in 1 element", oneUlpIn(1)},      {"1 ULP in 2 elements", oneUlpIn(2)},
        {"1 ULP in 107 elements", oneUlpIn(107)}, {"1 ULP in 10000 elements", oneUlpIn(10000)},
        {"two rows swapped", swapTwoRows},        {"one sign flipped", flipOneSign},
        {"+0 against -0", opposeOneZero},
    };
    const Words words = ordinaryWords();
    std::vector<TrapResult> results;
    for (const Trap& trap : traps) results.push_back(spring(trap, words, threads));
    return results;
}

Json toJson(const std::vector<TrapResult>& traps) {
    Json json{{"passed", allPassed(traps)}, {"cases", Json::array()}};
    for (const TrapResult& trap : traps)
        json["cases"].push_back({{"name", trap.name},
                                 {"passed", trap.passed()},
                                 {"expected_different", trap.expected.different},
                                 {"different", trap.found.different},
                                 {"max_ulp", trap.found.maxUlp},
                                 {"worst_bin", nameOf(trap.found.worstBin())},
                                 {"tolerance_says_equal", trap.toleranceEqual},
                                 {"sum_says_equal", trap.sumEqual},
                                 {"row_hash_says_equal", trap.rowHashEqual}});
    return json;
}

std::string textOf(const std::vector<TrapResult>& traps) {
    const auto says = [](bool equal) { return equal ? "equal" : "differ"; };
    std::string text = fmt::format("Two arrays of {} bf16 words, [{}, {}], that differ in a known way.\n\n", kElements,
                                   kRows, kColumns);
    text += fmt::format("{:<24} {:>9} {:>9}  {:<22} {:<10} {:<7} {:<9}\n", "trap", "expected", "found", "worst",
                        "tolerance", "sum", "row hash");
    for (const TrapResult& trap : traps)
        text += fmt::format("{:<24} {:>9} {:>9}  {:<22} {:<10} {:<7} {:<9}{}\n", trap.name, trap.expected.different,
                            trap.found.different, labelOf(trap.found.worstBin()), says(trap.toleranceEqual),
                            says(trap.sumEqual), says(trap.rowHashEqual), trap.passed() ? "" : " FAILED");
    text +=
        "\ntolerance: |sampler - trainer| <= 0.01 + 0.01 |trainer|; sum: of all values, exact; row hash: sum of a "
        "hash of each row\n";
    return text + (allPassed(traps) ? "All counts, places, bins, bits and classes are as expected.\n"
                                    : "The comparison is broken: it did not find what was changed.\n");
}

}  // namespace isobit
