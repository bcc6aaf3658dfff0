// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/arithmetic/attention_lse.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace isobit {
namespace {

std::string_view formulaOf(LseBases bases) {
    switch (bases) {
        case LseBases::Natural:
            return "m + ln(l)";
        case LseBases::Two:
            return "(m + ln(l)) * log2(e)";
        case LseBases::MixedBySum:
            return "m * log2(e) + ln(l)";
        case LseBases::MixedByLog:
            return "m + log2(l)";
    }
    return "";
}

}  // namespace

double lseInBases(LseBases bases, double reference, double sum) {
    switch (bases) {
        case LseBases::Natural:
            return reference + std::log(sum);
        case LseBases::Two:
            return (reference + std::log(sum)) * std::numbers::log2e;
        case LseBases::MixedBySum:
            return reference * std::numbers::log2e + std::log(sum);
        case LseBases::MixedByLog:
            return reference + std::log2(sum);
    }
    return 0.0;
}

std::vector<LseBases> basesOfLse(double reference, double sum, double observed) {
    std::vector<LseBases> found;
    for (const LseBases bases : {LseBases::Natural, LseBases::Two, LseBases::MixedBySum, LseBases::MixedByLog}) {
        const double expected = lseInBases(bases, reference, sum);
        if (std::isfinite(expected) && std::abs(expected - observed) <= 1e-5 * std::max(1.0, std::abs(expected)))
            found.push_back(bases);
    }
    return found;
}

std::string_view meaningOf(LseBases bases) {
    switch (bases) {
        case LseBases::Natural:
            return "m + ln(l): the natural logarithm";
        case LseBases::Two:
            return "(m + ln(l)) * log2(e): the logarithm to base 2 throughout";
        case LseBases::MixedBySum:
            return "base mismatch: m * log2(e) + ln(l), off by m * (log2(e) - 1), so that a merge weighs its ranges "
                   "wrongly";
        case LseBases::MixedByLog:
            return "base mismatch: m + log2(l), a natural reference with a sum in base 2";
    }
    return "";
}

std::string meaningOf(const std::vector<LseBases>& found) {
    if (found.empty()) return "none of the ways gives this value";
    if (found.size() == 1) return std::string(meaningOf(found[0]));
    std::vector<std::string_view> formulas;
    for (const LseBases bases : found) formulas.push_back(formulaOf(bases));
    const std::string same =
        fmt::format("{} give the same value here, so that the bases cannot be told apart", fmt::join(formulas, ", "));
    return found[0] == LseBases::Natural ? fmt::format("{}; {}", meaningOf(LseBases::Natural), same)
                                         : fmt::format("not the natural logarithm; {}", same);
}

}  // namespace isobit
