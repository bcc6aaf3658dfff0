// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "core/base/result.h"

namespace isobit {

/// Environment variables of one engine's process, as its receipt records them.
using Environment = std::map<std::string, std::string>;

/// Whether families v2 (norms and the LM head together) are on in that environment: on unless XORL_FAMILIES_V2 or
/// SGLANG_FAMILIES_V2 is 0, false or no, in any case of letters; "off" does not disable. Source: norm.md 9.
[[nodiscard]] bool familiesV2Enabled(const Environment& environment);

/// An Error if trainer and sampler are set differently: v1 and v2 are different trees, so such a pair is invalid.
[[nodiscard]] Result<void> checkFamiliesPaired(const Environment& trainer, const Environment& sampler);

}  // namespace isobit
