// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/golden/lora_fit.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/arithmetic/output_cast.h"
#include "core/programs/call_inputs.h"

namespace isobit {
namespace {

constexpr double kNear = 0.05;  // a fitted c this close to a scaling is that scaling: rounding to bf16 blurs it

struct Scaling {
    std::string_view name;
    double value;
    std::string_view sentence;
};

// The first is the contract's. Those that are the same number are one.
std::vector<Scaling> scalingsOf(double alpha, std::int64_t rank) {
    const auto r = static_cast<double>(rank);
    std::vector<Scaling> list;
    for (const Scaling& one :
         {Scaling{"alpha / r", alpha / r, "alpha / r, as it should be"},
          Scaling{"alpha", alpha, "alpha instead of alpha / r"}, Scaling{"1", 1.0, "alpha assumed = rank"},
          Scaling{"alpha / sqrt(r)", alpha / std::sqrt(r), "alpha / sqrt(r), the rank-stabilised one"}})
        if (std::ranges::none_of(list, [&](const Scaling& other) { return other.value == one.value; }))
            list.push_back(one);
    return list;
}

// Everything widened, and the merged words as they are stored.
struct Words {
    std::int64_t rows = 0, columns = 0, rank = 0;
    std::vector<float> weight, a, b, merged;
    bool weightIsFp32 = false, mergedIsFp32 = false;
};

Result<Words> wordsOf(const LoraMerge& merge) {
    if (!(std::isfinite(merge.alpha) && merge.alpha > 0))
        return failure("alpha is {}, expected a number above zero", merge.alpha);
    const OperationCall call{
        "lora fit", {{"W", merge.weight}, {"A", merge.a}, {"B", merge.b}, {"merged", merge.merged}}, {}};
    for (const char* name : {"W", "merged"}) {
        const TensorView& view = call.inputs.at(name);
        if (view.dtype != DType::Bf16 && view.dtype != DType::Fp32)
            return failure("{} is {}, expected bfloat16 or float32", name, nameOf(view.dtype));
        if (view.shape.size() != 2 || view.elements() == 0)
            return failure("{} has shape {}, expected [out, in], neither of them 0", name, textOf(view.shape));
    }
    if (merge.b.shape.size() != 2 || merge.b.shape[1] == 0)
        return failure("B has shape {}, expected [out, rank], neither of them 0", textOf(merge.b.shape));
    Words words{merge.weight.shape[0],
                merge.weight.shape[1],
                merge.b.shape[1],
                {},
                {},
                {},
                {},
                merge.weight.dtype == DType::Fp32,
                merge.merged.dtype == DType::Fp32};
    const auto read = [&](const char* name, std::int64_t rows, std::int64_t columns,
                          std::vector<float>& into) -> Result<void> {
        auto matrix = requireWidenedMatrix(call, name, rows, columns);
        if (!matrix) return failureOf(matrix);
        into = std::move(matrix->values);
        return {};
    };
    if (const auto done = read("W", words.rows, words.columns, words.weight); !done) return failureOf(done);
    if (const auto done = read("A", words.rank, words.columns, words.a); !done) return failureOf(done);
    if (const auto done = read("B", words.rows, words.rank, words.b); !done) return failureOf(done);
    if (const auto done = read("merged", words.rows, words.columns, words.merged); !done) return failureOf(done);
    return words;
}

std::uint32_t wordOf(float value) { return std::bit_cast<std::uint32_t>(value); }
float bf16Rounded(float value) { return bf16Value(storedBf16(value)); }

// What the capture's element type makes of a value.
float stored(const Words& words, float value) { return words.mergedIsFp32 ? value : bf16Rounded(value); }

// The delta of one arithmetic and scaling; empty when stopped.
std::vector<float> deltaOf(const Words& words, const LoraFoldArithmetic& arithmetic, double scaling,
                           const RunOptions& options) {
    std::vector<float> delta(words.weight.size());
    const std::vector<std::uint16_t> none(words.weight.size());
    std::vector<std::uint16_t> ignored(words.weight.size());
    const LoraFoldCall call{words.rows,
                            words.columns,
                            words.rank,
                            words.a.data(),
                            words.b.data(),
                            none.data(),
                            static_cast<float>(scaling),
                            delta.data(),
                            ignored.data()};
    if (!evaluateLoraFold(arithmetic, call, options.threads, options.stop)) delta.clear();
    return delta;
}

std::uint64_t differingOf(const Words& words, const LoraFold& fold, const std::vector<float>& delta) {
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < delta.size(); ++i) {
        const float base = fold.baseRounded ? bf16Rounded(words.weight[i]) : words.weight[i];
        count += wordOf(stored(words, foldedSum(fold.sum, base, delta[i]))) != wordOf(words.merged[i]) ? 1 : 0;
    }
    return count;
}

void addFolds(LoraFit& fit, const Words& words, LoraFold fold, const std::vector<float>& delta) {
    for (const bool rounded : {false, true}) {
        if (rounded && !words.weightIsFp32) continue;
        for (const FoldSum sum : {FoldSum::OneRounding, FoldSum::TwoRoundings}) {
            fold.baseRounded = rounded;
            fold.sum = sum;
            fold.differing = differingOf(words, fold, delta);
            fit.folds.push_back(fold);
        }
    }
}

// c and what became of the update, from the contract's own delta at scaling 1 and at the one that was used.
void measure(LoraFit& fit, const Words& words, const std::vector<float>& product, const std::vector<float>& delta) {
    double across = 0, along = 0;
    for (std::size_t i = 0; i < product.size(); ++i) {
        const double step = static_cast<double>(words.merged[i]) - static_cast<double>(words.weight[i]);
        across += step * product[i];
        along += static_cast<double>(product[i]) * product[i];
        const float before = stored(words, words.weight[i]);
        if (delta[i] != 0.0f) {
            ++fit.updated;
            fit.unmoved += wordOf(words.merged[i]) == wordOf(before) ? 1 : 0;
        }
        fit.unrestored += wordOf(stored(words, words.merged[i] - delta[i])) != wordOf(before) ? 1 : 0;
    }
    fit.fitted = along > 0 ? across / along : 0;
}

std::string sentenceOf(const LoraFit& fit, const std::vector<Scaling>& scalings) {
    if (fit.updated == 0) return "B A is zero: there is no update to fit";
    if (!std::isfinite(fit.fitted)) return "c cannot be fitted: a word is infinite or NaN";
    const std::string_view byWords = fit.folds.front().fits() ? fit.folds.front().scaling : "";
    for (const Scaling& scaling : scalings) {
        if (byWords.empty() ? std::abs(fit.fitted / scaling.value - 1.0) > kNear : scaling.name != byWords) continue;
        const double times = scaling.value / fit.expected;
        if (scaling.value == fit.expected) return std::string(scaling.sentence);
        return fmt::format("{}: the update is {:.6g} times {}", scaling.sentence, times > 1 ? times : 1 / times,
                           times > 1 ? "too strong" : "too weak");
    }
    if (std::abs(fit.fitted / fit.expected) < kNear) return "nearly 0: nothing of the update was merged";
    return fmt::format("neither alpha / r nor alpha, 1 or alpha / sqrt(r): {:.6g} times alpha / r",
                       fit.fitted / fit.expected);
}

}  // namespace

bool LoraFit::holds() const {
    return std::ranges::any_of(folds, [](const LoraFold& fold) { return fold.fits() && fold.scaling == "alpha / r"; });
}

Result<LoraFit> fitLora(const LoraMerge& merge, const RunOptions& options) {
    const auto words = wordsOf(merge);
    if (!words) return failureOf(words);
    LoraFit fit;
    fit.rank = words->rank;
    fit.elements = words->weight.size();
    fit.expected = merge.alpha / static_cast<double>(words->rank);
    const std::vector<Scaling> scalings = scalingsOf(merge.alpha, words->rank);
    for (const NamedLoraFold& named : namedLoraFolds()) {
        if (named.arithmetic.sum != FoldSum::OneRounding) continue;  // the sum is tried for every product
        for (const Choice<ScalingPlace>& place : choicesOf<ScalingPlace>())
            for (const Scaling& scaling : scalings) {
                LoraFoldArithmetic arithmetic = named.arithmetic;
                arithmetic.scaling = place.value;
                const auto delta = deltaOf(*words, arithmetic, scaling.value, options);
                if (delta.empty()) return failure("lora fit: stopped");
                addFolds(fit, *words, {named.name, place.value, {}, false, scaling.name, 0}, delta);
            }
    }
    std::ranges::stable_sort(fit.folds, {}, &LoraFold::differing);
    // What was lost is asked of the scaling that was used, be it the right one or not.
    const auto used = std::ranges::find(scalings, fit.folds.front().scaling, &Scaling::name);
    const LoraFoldArithmetic& contract = namedLoraFolds().front().arithmetic;
    const auto product = deltaOf(*words, contract, 1.0, options);
    const auto delta = deltaOf(*words, contract, used->value, options);
    if (product.empty() || delta.empty()) return failure("lora fit: stopped");
    measure(fit, *words, product, delta);
    fit.scaling = sentenceOf(fit, scalings);
    return fit;
}

}  // namespace isobit
