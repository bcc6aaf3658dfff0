// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/arithmetic/transcendental.h"

namespace isobit {

/// Where the softmax stands.
enum class RouterSoftmax {
    BeforeSelection,  ///< over all experts, then the k largest
    AfterSelection,   ///< over the k selected logits
};

/// Everything that can change a bit of an expert choice and its weights. Ties go to the lower expert index, everywhere.
/// The exponentials' sum runs over the experts, or the selected ones, ascending; source of the rest: gemm.md 10.
struct RouterArithmetic {
    RouterSoftmax softmax = RouterSoftmax::BeforeSelection;
    bool renormalise = true;  ///< weights over their FP32 sum, left to right from the first, IEEE division
    ExpForm exp = ExpForm::Ex2OfProduct;
    friend bool operator==(const RouterArithmetic&, const RouterArithmetic&) = default;
};

template <class Visitor, class AnyArithmetic>
requires std::same_as<std::remove_const_t<AnyArithmetic>, RouterArithmetic>
void visitFields(AnyArithmetic& arithmetic, Visitor&& visit) {
    visit("softmax", arithmetic.softmax);
    visit("renormalise", arithmetic.renormalise);
    visit("exp", arithmetic.exp);
}

/// An arithmetic with the name under which programs know it.
struct NamedRouter {
    std::string_view name;     ///< "router.softmax_top_k"
    std::string_view summary;  ///< one line for `isobit list`
    RouterArithmetic arithmetic;
};
[[nodiscard]] const std::vector<NamedRouter>& namedRouters();

/// ids [rows, k] and weights [rows, k] FP32, largest logit first, from logits [rows, experts], contiguous FP32; 1 <= k
/// <= experts. A NaN logit is below every other.
void evaluateRouter(const RouterArithmetic& arithmetic, const Silicon& silicon, const float* logits, std::int64_t rows,
                    std::int64_t experts, std::int64_t k, std::int64_t* ids, float* weights);

template <>
std::span<const Choice<RouterSoftmax>> choicesOf<RouterSoftmax>();

}  // namespace isobit
