// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/base/json.h"
#include "core/compare/comparison.h"

namespace isobit {

/// The comparison as JSON, with stable keys: verdict "equal", "different" or "incomplete"; dtype; elements; different;
/// max_ulp, the largest distance among pairs without a NaN; first and largest, null or {index, trainer, sampler,
/// trainer_value, sampler_value, ulp, absolute}; ulp_histogram, a list of {bin, count} over all bins; flips_per_bit,
/// one count a bit, the lowest first; classes, an object of counts; sampler_above, sampler_below and bias; listed, the
/// first differences; trainer_sha256 and sampler_sha256, null if they were not asked for. Words are hexadecimal text
/// with all digits, values decimal text that reads back to the same word; ulp is null where a NaN is involved, and
/// absolute where a side is not finite.
[[nodiscard]] Json toJson(const Comparison& comparison);

/// One difference in the form above.
[[nodiscard]] Json toJson(DType dtype, const ElementDifference& difference);

}  // namespace isobit
