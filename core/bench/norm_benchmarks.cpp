// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/bench/norm_benchmarks.h"

#include <memory>
#include <vector>

#include "core/arithmetic/norm_evaluate.h"

namespace isobit {
namespace {

constexpr std::int64_t kRows = 512;
constexpr std::int64_t kHiddenSize = 4096;
constexpr double kBillion = 1e9;

struct NormTensors {
    std::vector<std::uint16_t> x, residual, out, residualOut;
    std::vector<float> weight = std::vector<float>(kHiddenSize, 1.5f);

    NormTensors() : x(kRows * kHiddenSize), residual(x.size()), out(x.size()), residualOut(x.size()) {
        for (std::size_t i = 0; i < x.size(); ++i) {
            x[i] = static_cast<std::uint16_t>(0x3c00 + i * 40503 % 1024);
            residual[i] = static_cast<std::uint16_t>(0xbc00 + i * 30011 % 1024);
        }
    }
};

Result<BenchmarkPass> prepare(std::string_view name) {
    const auto silicon = sm90Silicon();
    if (!silicon) return failureOf(silicon);
    return [tensors = std::make_shared<NormTensors>(), &arithmetic = findNorm(name)->arithmetic, hopper = *silicon] {
        const RowLayout rows{.outerStride = kHiddenSize};
        const NormCall call{.rows = kRows, .hiddenSize = kHiddenSize,
                            .x = tensors->x.data(), .xLayout = rows,
                            .residual = tensors->residual.data(), .residualLayout = rows,
                            .weight = tensors->weight.data(),
                            .out = tensors->out.data(), .outLayout = rows,
                            .residualOut = tensors->residualOut.data()};
        evaluateNorm(arithmetic, *hopper, call, 1);
        return static_cast<double>(kRows * kHiddenSize) / kBillion;
    };
}

}  // namespace

Result<BenchmarkPass> prepareNormV2() { return prepare("norm.v2"); }
Result<BenchmarkPass> prepareNormFamily2() { return prepare("norm.v1.family2"); }

}  // namespace isobit
