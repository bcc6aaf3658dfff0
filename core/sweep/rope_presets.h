// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/sweep/presets.h"

namespace isobit {

/// The presets of rotary embedding, in the order in which they are listed.
[[nodiscard]] std::vector<Preset> ropePresets();

}  // namespace isobit
