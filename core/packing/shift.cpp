// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/packing/shift.h"

#include <algorithm>

namespace isobit {
namespace {

Result<void> checkLength(const Sample& sample, std::string_view what, std::size_t found) {
    if (found == sample.ids.size()) return {};
    return failure("{}: {} {}, expected {} as the ids", sample.name, found, what, sample.ids.size());
}

Result<void> checkLengths(const Sample& sample) {
    if (sample.weights)
        if (const auto fits = checkLength(sample, "weights", sample.weights->size()); !fits) return fits;
    if (sample.advantages)
        if (const auto fits = checkLength(sample, "advantages", sample.advantages->size()); !fits) return fits;
    if (sample.positions)
        if (const auto fits = checkLength(sample, "positions", sample.positions->size()); !fits) return fits;
    if (sample.targets)
        if (const auto fits = checkLength(sample, "targets", sample.targets->size()); !fits) return fits;
    if (sample.labels)
        if (const auto fits = checkLength(sample, "labels", sample.labels->size()); !fits) return fits;
    for (const double weight : sample.weights.value_or(Numbers()))
        if (weight != 0 && weight != 1) return failure("{}: a weight is {}, expected 0 or 1", sample.name, weight);
    return {};
}

template <class List>
void dropFirst(List& list) {
    if (!list.empty()) list.erase(list.begin());
}

void maskZeros(const std::optional<Numbers>& factors, Sample& sample) {
    if (!factors) return;
    for (std::size_t i = 0; i < factors->size(); ++i) {
        if ((*factors)[i] != 0) continue;
        if (sample.labels && i < sample.labels->size()) (*sample.labels)[i] = kIgnoredLabel;
        if (sample.targets && i < sample.targets->size()) (*sample.targets)[i] = kIgnoredLabel;
    }
}

// Context fields end with the context: with the ids before the shift, or already with those after it.
Result<void> alignContext(Sample& sample, std::size_t rawLength, bool shifted) {
    for (auto& [name, values] : sample.context) {
        if (shifted && values.size() == rawLength) values.pop_back();
        if (values.size() != sample.ids.size())
            return failure("{}: the teacher field {} has {} elements, expected {} or {}", sample.name, name, values.size(),
                           rawLength, sample.ids.size());
    }
    return {};
}

}  // namespace

Result<ShiftedSample> shiftSample(Sample sample, bool packed) {
    if (sample.ids.empty()) return failure("{}: has no ids", sample.name);
    if (const auto fits = checkLengths(sample); !fits) return failureOf(fits);
    const std::size_t rawLength = sample.ids.size();
    ShiftedSample result;
    result.wasShifted = sample.targets.has_value();
    const bool hasLabels = sample.labels || sample.targets;
    const bool shift = !result.wasShifted && (hasLabels || packed);
    if (!hasLabels) sample.labels = packed ? Integers(rawLength, kIgnoredLabel) : Integers();
    if (result.wasShifted && !sample.labels) sample.labels = sample.targets;
    if (shift) {
        sample.ids.pop_back();
        dropFirst(*sample.labels);
        if (sample.positions) sample.positions->pop_back();
        if (sample.weights) dropFirst(*sample.weights);
        if (sample.advantages) dropFirst(*sample.advantages);
    }
    if (const auto aligned = alignContext(sample, rawLength, shift); !aligned) return failureOf(aligned);
    maskZeros(sample.weights, sample);
    maskZeros(sample.advantages, sample);
    result.sample = std::move(sample);
    return result;
}

}  // namespace isobit
