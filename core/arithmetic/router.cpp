// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/arithmetic/router.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace isobit {
namespace {

// Expert numbers, largest logit first; equal logits by number, so that no sort's habits decide.
std::vector<std::int64_t> ranking(std::span<const float> logits) {
    std::vector<std::int64_t> order(logits.size());
    std::iota(order.begin(), order.end(), std::int64_t(0));
    std::sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
        const bool aNan = std::isnan(logits[a]);
        const bool bNan = std::isnan(logits[b]);
        if (aNan != bNan) return bNan;
        if (!aNan && logits[a] != logits[b]) return logits[a] > logits[b];
        return a < b;
    });
    return order;
}

// weights[i] = softmax of values[i] over all of them; sum ascending.
std::vector<float> softmax(ExpForm form, const Silicon& silicon, std::span<const float> values) {
    const float maximum = *std::max_element(values.begin(), values.end());
    std::vector<float> weights;
    float total = 0.0f;
    for (const float value : values) {
        weights.push_back(expOf(form, silicon, value - maximum));
        total = total + weights.back();
    }
    for (float& weight : weights) weight = weight / total;
    return weights;
}

void renormalise(std::span<float> weights) {
    float total = weights[0];
    for (std::size_t i = 1; i < weights.size(); ++i) total = total + weights[i];
    for (float& weight : weights) weight = weight / total;
}

void oneRow(const RouterArithmetic& arithmetic, const Silicon& silicon, std::span<const float> logits,
            std::span<std::int64_t> ids, std::span<float> weights) {
    const auto order = ranking(logits);
    std::copy_n(order.begin(), ids.size(), ids.begin());
    if (arithmetic.softmax == RouterSoftmax::BeforeSelection) {
        const auto all = softmax(arithmetic.exp, silicon, logits);
        for (std::size_t i = 0; i < ids.size(); ++i) weights[i] = all[ids[i]];
    } else {
        std::vector<float> selected;
        for (const std::int64_t id : ids) selected.push_back(logits[id]);
        const auto some = softmax(arithmetic.exp, silicon, selected);
        std::copy(some.begin(), some.end(), weights.begin());
    }
    if (arithmetic.renormalise) renormalise(weights);
}

}  // namespace

const std::vector<NamedRouter>& namedRouters() {
    static const std::vector<NamedRouter> list{
        {"router.softmax_top_k", "softmax over all experts, the k largest, renormalised", {}},
        {"router.softmax_top_k.raw", "softmax over all experts, the k largest as they are", {.renormalise = false}},
        {"router.top_k_softmax",
         "the k largest logits, softmax over those",
         {.softmax = RouterSoftmax::AfterSelection, .renormalise = false}}};
    return list;
}

void evaluateRouter(const RouterArithmetic& arithmetic, const Silicon& silicon, const float* logits, std::int64_t rows,
                    std::int64_t experts, std::int64_t k, std::int64_t* ids, float* weights) {
    for (std::int64_t row = 0; row < rows; ++row)
        oneRow(arithmetic, silicon, {logits + row * experts, static_cast<std::size_t>(experts)},
               {ids + row * k, static_cast<std::size_t>(k)}, {weights + row * k, static_cast<std::size_t>(k)});
}

template <>
std::span<const Choice<RouterSoftmax>> choicesOf<RouterSoftmax>() {
    static constexpr std::array choices{
        Choice<RouterSoftmax>{RouterSoftmax::BeforeSelection, "before_selection", "over all experts"},
        Choice<RouterSoftmax>{RouterSoftmax::AfterSelection, "after_selection", "over the k selected"}};
    return choices;
}

}  // namespace isobit
