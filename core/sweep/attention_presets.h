// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/sweep/presets.h"

namespace isobit {

/// The presets of attention, in the order in which they are listed. B counts the requests of a launch, so that the check
/// of batch invariance compares every request alone with the same request in company.
[[nodiscard]] std::vector<Preset> attentionPresets();

}  // namespace isobit
