// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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

/// The command that runs one cell of a plan again, with the cell's own seeds: the preset, the axes and programs in which
/// the plan departs from it, and the cell's id.
[[nodiscard]] std::string cellCommand(const Plan& plan, const std::vector<std::int64_t>& coordinates);

/// The programs of an engine ("reference", "cuda"), or the sentence that says why there are none.
using ProgramsOfEngine = std::function<Result<const ProgramList*>(std::string_view engine)>;

/// Completes the plan's two program references from the programs of those names; the engine is the name up to the colon.
/// An unknown name is an Error that lists the engine's programs for the plan's operation.
[[nodiscard]] Result<PairingPrograms> bindPrograms(Plan& plan, const ProgramsOfEngine& programsOf);

/// Moves each side of a plan to the program of the same arithmetic on another engine, where that engine has one; an Error
/// if it has none for either side.
[[nodiscard]] Result<void> moveToEngine(Plan& plan, std::string_view engine, const ProgramsOfEngine& programsOf);

}  // namespace isobit
