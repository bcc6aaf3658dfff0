// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/bench/compare_benchmarks.h"

#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/sha256.h"
#include "core/compare/comparison.h"

namespace isobit {
namespace {

constexpr std::size_t kElements = std::size_t(64) << 20;
constexpr double kGigabyte = 1e9;

// A linear congruential generator (Knuth, MMIX constants): the same words everywhere.
class Words {
public:
    std::uint16_t next() {
        m_state = m_state * 6364136223846793005u + 1442695040888963407u;
        return static_cast<std::uint16_t>(m_state >> 48);
    }

private:
    std::uint64_t m_state = 1;
};

struct Sides {
    std::vector<std::uint16_t> trainer = std::vector<std::uint16_t>(kElements);
    std::vector<std::uint16_t> sampler;
    Sides() {
        Words words;
        for (std::uint16_t& word : trainer) word = words.next();
        sampler = trainer;
    }
};

Result<BenchmarkPass> comparisonOf(std::shared_ptr<const Sides> sides) {
    return [sides] {
        const auto trainer = std::as_bytes(std::span(sides->trainer));
        const auto sampler = std::as_bytes(std::span(sides->sampler));
        const Comparison comparison = compareWords(DType::Bf16, trainer, sampler);
        return comparison.elements == kElements ? 2.0 * static_cast<double>(trainer.size()) / kGigabyte : 0.0;
    };
}

}  // namespace

Result<BenchmarkPass> prepareEqual() { return comparisonOf(std::make_shared<Sides>()); }

Result<BenchmarkPass> prepareFewDiffer() {
    const auto sides = std::make_shared<Sides>();
    for (std::size_t i = 2047; i < kElements; i += 4096) sides->sampler[i] ^= 1;
    return comparisonOf(sides);
}

Result<BenchmarkPass> prepareAllDiffer() {
    const auto sides = std::make_shared<Sides>();
    Words flips;
    for (std::uint16_t& word : sides->sampler) word = static_cast<std::uint16_t>(word ^ (flips.next() | 1));
    return comparisonOf(sides);
}

Result<BenchmarkPass> prepareSha256() {
    const auto bytes = std::make_shared<std::vector<std::byte>>(std::size_t(64) << 20);
    return [bytes] {
        return sha256Hex(std::span<const std::byte>(*bytes)).size() == 64 ? static_cast<double>(bytes->size()) / kGigabyte
                                                                          : 0.0;
    };
}

}  // namespace isobit
