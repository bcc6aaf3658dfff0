// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/sweep/cell.h"
#include "core/sweep/run.h"

namespace isobit {

/// A named plan. Its program references hold names only: `bindPrograms` completes them from the programs at hand.
struct Preset {
    std::string summary;  ///< one line, for lists
    Plan plan;
};

/// All of them, in the order in which they are listed.
[[nodiscard]] std::span<const Preset> presets();
/// The preset of that name; an Error lists the known ones.
[[nodiscard]] Result<Preset> presetByName(std::string_view name);

/// Completes the plan's two program references from the programs of those names. An unknown name is an Error that lists
/// the programs of the plan's operation. The programs must outlive the result.
[[nodiscard]] Result<PairingPrograms> bindPrograms(Plan& plan, const ProgramList& programs);

}  // namespace isobit
