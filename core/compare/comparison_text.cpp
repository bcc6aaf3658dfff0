// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/compare/comparison_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/compare/commentary.h"

namespace isobit {
namespace {

std::string placeOf(std::uint64_t index, std::span<const std::int64_t> shape) {
    if (shape.size() < 2) return fmt::format("element {}", index);
    std::vector<std::uint64_t> coordinates(shape.size());
    std::uint64_t rest = index;
    for (std::size_t i = shape.size(); i-- > 0;) {
        coordinates[i] = rest % static_cast<std::uint64_t>(shape[i]);
        rest /= static_cast<std::uint64_t>(shape[i]);
    }
    return fmt::format("element {} = [{}]", index, fmt::join(coordinates, ", "));
}

std::string wordLine(std::string_view side, DType dtype, std::uint64_t word) {
    return fmt::format("             {}  {}  {}  {}\n", side, hexOf(dtype, word), bitsOf(dtype, word),
                       decimalOf(dtype, word));
}

std::string distanceText(DType dtype, const ElementDifference& difference) {
    if (!difference.ulp) return ulpDistance(dtype, 0, 0) ? "a NaN has no distance" : "these words have no order";
    return fmt::format("{} {}", *difference.ulp, isFloat(dtype) ? "ULP" : "apart");
}

std::string differenceText(std::string_view label, DType dtype, const ElementDifference& difference,
                           std::span<const std::int64_t> shape) {
    std::string text =
        fmt::format("{:<12} {}, {}", label, placeOf(difference.index, shape), distanceText(dtype, difference));
    if (const auto absolute = absoluteDifference(dtype, difference); absolute && isFloat(dtype))
        text += fmt::format(", absolute {:.6g}", *absolute);
    if (looksLikeCancellation(dtype, difference)) text += " (far apart in ULP: as sums that cancel leave it)";
    return text + '\n' + wordLine("trainer", dtype, difference.trainer) +
           wordLine("sampler", dtype, difference.sampler);
}

std::string_view labelOf(DType dtype, UlpBin bin) {
    const bool ordered = ulpDistance(dtype, 0, 0).has_value();
    return ordered || bin != UlpBin::SignOrClass ? labelOf(bin) : "different words";
}

std::string histogramText(const Comparison& comparison) {
    std::string text = fmt::format("{:<12} {:<22} {:>14}\n", "histogram", "equal", comparison.count(UlpBin::Equal));
    for (std::size_t bin = 1; bin < kUlpBins; ++bin)
        if (comparison.ulpHistogram[bin] != 0)
            text += fmt::format("             {:<22} {:>14}\n", labelOf(comparison.dtype, static_cast<UlpBin>(bin)),
                                comparison.ulpHistogram[bin]);
    return text;
}

std::string flipsText(const Comparison& comparison) {
    std::string text;
    std::string line = fmt::format("{:<12}", "bits flipped");
    for (std::size_t bit = 8 * bytesOf(comparison.dtype); bit-- > 0;) {
        if (comparison.flipsPerBit[bit] == 0) continue;
        const std::string entry = fmt::format(" {}:{}", bit, comparison.flipsPerBit[bit]);
        if (line.size() + entry.size() > 118) {
            text += line + '\n';
            line = std::string(12, ' ');
        }
        line += entry;
    }
    return text + line + '\n';
}

std::string classesText(const Comparison& comparison) {
    constexpr std::string_view labels[] = {"sign of zero", "NaN payload", "infinity or NaN", "subnormal", "ordinary"};
    std::vector<std::string> present;
    for (std::size_t kind = 0; kind < kDifferenceClasses; ++kind)
        if (comparison.classes[kind] != 0)
            present.push_back(fmt::format("{} {}", labels[kind], comparison.classes[kind]));
    return fmt::format("{:<12} {}\n", "classes", fmt::join(present, ", "));
}

std::string magnitudeText(const Comparison& comparison) {
    std::string_view reading;
    switch (biasOf(comparison)) {
        case Bias::TooFew:
            break;
        case Bias::TowardZero:
            reading = ": rounding toward zero, not noise";
            break;
        case Bias::AwayFromZero:
            reading = ": away from zero, not noise";
            break;
        case Bias::BothWays:
            reading = ": both ways";
            break;
    }
    return fmt::format("{:<12} sampler larger {}, smaller {}{}\n", "magnitudes", comparison.samplerAbove,
                       comparison.samplerBelow, reading);
}

}  // namespace

std::string verdictLine(const Comparison& comparison) {
    if (comparison.different != 0)
        return fmt::format("different: {} of {} words ({:.3g}%){}", comparison.different, comparison.elements,
                           100.0 * static_cast<double>(comparison.different) / static_cast<double>(comparison.elements),
                           comparison.complete ? "" : ", stopped before the end");
    if (!comparison.complete) return fmt::format("incomplete: stopped after {} equal words", comparison.elements);
    return fmt::format("equal: all {} words", comparison.elements);
}

std::string listText(const Comparison& comparison, std::span<const std::int64_t> shape) {
    const DType dtype = comparison.dtype;
    std::string text;
    for (const ElementDifference& one : comparison.listed)
        text += fmt::format("{}: {} {}, {} against {}, {}\n", placeOf(one.index, shape), hexOf(dtype, one.trainer),
                            hexOf(dtype, one.sampler), decimalOf(dtype, one.trainer), decimalOf(dtype, one.sampler),
                            distanceText(dtype, one));
    return text;
}

std::string textOf(const Comparison& comparison, std::span<const std::int64_t> shape) {
    std::string text = verdictLine(comparison) + '\n';
    if (comparison.first && comparison.largest) {
        text += differenceText("first", comparison.dtype, *comparison.first, shape);
        text += comparison.largest == comparison.first
                    ? fmt::format("{:<12} the same\n", "largest")
                    : differenceText("largest", comparison.dtype, *comparison.largest, shape);
        text += histogramText(comparison) + flipsText(comparison) + classesText(comparison) + magnitudeText(comparison);
        if (const std::string narrowing = textOf(narrowingOf(comparison)); !narrowing.empty())
            text += fmt::format("{:<12} {}\n", "precision", narrowing);
    }
    if (comparison.trainerSha256) text += fmt::format("{:<12} trainer  {}\n", "SHA-256", *comparison.trainerSha256);
    if (comparison.samplerSha256) text += fmt::format("             sampler  {}\n", *comparison.samplerSha256);
    return text;
}

}  // namespace isobit
