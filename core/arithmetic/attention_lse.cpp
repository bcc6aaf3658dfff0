// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/arithmetic/attention_lse.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace isobit {

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

std::optional<LseBases> basesOfLse(double reference, double sum, double observed) {
    std::optional<LseBases> found;
    for (const LseBases bases : {LseBases::Natural, LseBases::Two, LseBases::MixedBySum, LseBases::MixedByLog}) {
        const double expected = lseInBases(bases, reference, sum);
        if (!(std::abs(expected - observed) <= 1e-5 * std::max(1.0, std::abs(expected)))) continue;
        if (found) return std::nullopt;
        found = bases;
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
            return "base mismatch: m * log2(e) + ln(l), off by m * (log2(e) - 1), so that a merge weighs its ranges wrongly";
        case LseBases::MixedByLog:
            return "base mismatch: m + log2(l), a natural reference with a sum in base 2";
    }
    return "";
}

}  // namespace isobit
