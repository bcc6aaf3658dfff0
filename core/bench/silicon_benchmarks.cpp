// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/bench/silicon_benchmarks.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "core/silicon/silicon.h"
#include "core/silicon/tensor_chain.h"
#include "core/silicon/tensor_operands.h"

namespace isobit {
namespace {

constexpr std::size_t kChainDepth = 4096;
constexpr std::size_t kChainRows = 8;
constexpr std::size_t kChainColumns = 128;
constexpr double kGiga = 1e9;

std::vector<std::uint16_t> ordinaryWords(std::size_t count, std::uint64_t seed) {
    std::vector<std::uint16_t> words(count);
    for (std::size_t i = 0; i < count; ++i)
        words[i] = static_cast<std::uint16_t>(
            randomOperand<sm90::TensorBf16>(OperandClass::Ordinary, OperandRole::A, mixBits(seed + i)));
    return words;
}

struct Chain {
    std::vector<TensorRow> rows;
    TensorColumns columns;
    std::vector<float> sums = std::vector<float>(kChainRows * kChainColumns);

    static std::shared_ptr<Chain> make() {
        const std::vector<std::uint16_t> a = ordinaryWords(kChainRows * kChainDepth, 1);
        const std::vector<std::uint16_t> b = ordinaryWords(kChainDepth * kChainColumns, 1u << 24);
        std::vector<TensorRow> rows;
        for (std::size_t row = 0; row < kChainRows; ++row)
            rows.emplace_back(TensorOperand::Bf16, std::span(a).subspan(row * kChainDepth, kChainDepth));
        return std::make_shared<Chain>(
            Chain{std::move(rows),
                  TensorColumns(TensorOperand::Bf16, {b.data(), kChainDepth, kChainColumns, std::ptrdiff_t(kChainColumns), 1})});
    }
};

constexpr double kChainWork = double(kChainRows) * double(kChainDepth) * double(kChainColumns) / kGiga;

}  // namespace

Result<BenchmarkPass> prepareTensorChain() {
    return [chain = Chain::make()] {
        std::ranges::fill(chain->sums, 0.0f);
        sm90TensorChain(chain->rows, chain->columns, chain->sums);
        return kChainWork;
    };
}

Result<BenchmarkPass> prepareTensorChainAvx2() {
    const auto targets = sm90TensorChainTargets();
    const auto avx2 = std::ranges::find(targets, std::string_view("AVX2"), &TensorChainTarget::name);
    if (avx2 == targets.end()) return failure("this processor has no AVX2");
    return [chain = Chain::make(), run = avx2->run] {
        std::ranges::fill(chain->sums, 0.0f);
        run(chain->rows, chain->columns, chain->sums);
        return kChainWork;
    };
}

Result<BenchmarkPass> prepareTensorStep() {
    const Result<const Silicon*> silicon = sm90Silicon();
    if (!silicon) return failureOf(silicon);
    constexpr std::size_t steps = 65536;
    return [hopper = *silicon,
            words = std::make_shared<const std::vector<std::uint16_t>>(ordinaryWords(2 * 16 * steps, 1)),
            sum = std::make_shared<float>(0.0f)] {
        *sum = 0.0f;
        for (std::size_t i = 0; i < steps; ++i)
            *sum = hopper->tensorStepBf16(*sum, std::span<const std::uint16_t, 16>(words->data() + 32 * i, 16),
                                          std::span<const std::uint16_t, 16>(words->data() + 32 * i + 16, 16));
        return 16.0 * double(steps) / kGiga;
    };
}

}  // namespace isobit
