// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/compare/comparison_json.h"

#include "core/compare/commentary.h"

namespace isobit {
namespace {

template <class T>
Json orNull(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

std::string_view verdictOf(const Comparison& comparison) {
    if (comparison.different != 0) return "different";
    return comparison.complete ? "equal" : "incomplete";
}

Json orNull(DType dtype, const std::optional<ElementDifference>& difference) {
    return difference ? toJson(dtype, *difference) : Json(nullptr);
}

}  // namespace

Json toJson(DType dtype, const ElementDifference& difference) {
    return {{"index", difference.index},
            {"trainer", hexOf(dtype, difference.trainer)},
            {"sampler", hexOf(dtype, difference.sampler)},
            {"trainer_value", decimalOf(dtype, difference.trainer)},
            {"sampler_value", decimalOf(dtype, difference.sampler)},
            {"ulp", orNull(difference.ulp)},
            {"absolute", orNull(absoluteDifference(dtype, difference))}};
}

Json toJson(const Comparison& comparison) {
    Json json{{"verdict", verdictOf(comparison)},
              {"dtype", nameOf(comparison.dtype)},
              {"elements", comparison.elements},
              {"different", comparison.different},
              {"max_ulp", comparison.maxUlp},
              {"first", orNull(comparison.dtype, comparison.first)},
              {"largest", orNull(comparison.dtype, comparison.largest)}};
    json["ulp_histogram"] = Json::array();
    for (std::size_t bin = 0; bin < kUlpBins; ++bin)
        json["ulp_histogram"].push_back(
            {{"bin", nameOf(static_cast<UlpBin>(bin))}, {"count", comparison.ulpHistogram[bin]}});
    json["flips_per_bit"] = Json::array();
    for (std::size_t bit = 0; bit < 8 * bytesOf(comparison.dtype); ++bit)
        json["flips_per_bit"].push_back(comparison.flipsPerBit[bit]);
    for (std::size_t kind = 0; kind < kDifferenceClasses; ++kind)
        json["classes"][std::string(nameOf(static_cast<DifferenceClass>(kind)))] = comparison.classes[kind];
    json["sampler_above"] = comparison.samplerAbove;
    json["sampler_below"] = comparison.samplerBelow;
    json["bias"] = nameOf(biasOf(comparison));
    json["precision"] = textOf(narrowingOf(comparison));
    json["listed"] = Json::array();
    for (const ElementDifference& difference : comparison.listed)
        json["listed"].push_back(toJson(comparison.dtype, difference));
    json["trainer_sha256"] = orNull(comparison.trainerSha256);
    json["sampler_sha256"] = orNull(comparison.samplerSha256);
    return json;
}

}  // namespace isobit
