// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/sweep/plan.h"
#include "core/sweep/run.h"
#include "kernels/device.h"
#include "kernels/timing.h"

// What measurements over the cells of a run share.
namespace isobit::cuda {

/// A launch that is timed, and the name of its series in the run.
struct TimedSeries {
    std::string name;
    LaunchCall call;
};

/// The input of that name as the cell had it: its seed is the recorded one. An Error where the plan has none.
[[nodiscard]] Result<GeneratedInput> cellInput(const Plan& plan, const CellResult& cell, std::string_view name);

/// Times all series of a cell, their replays in turns, and adds the samples.
[[nodiscard]] Result<void> timeSeries(const std::vector<TimedSeries>& series, const CellResult& cell,
                                      const TimingProtocol& protocol, Measurement& measurement);

/// Chip, driver, library of the runtime and protocol, before the first cell.
void stateDevice(const DeviceInfo& info, const TimingProtocol& protocol, Measurement& measurement);
/// How timeSeries measures, in words.
[[nodiscard]] std::string methodText(const TimingProtocol& protocol);
/// The kernel driver, and the clock at the end.
void stateClocks(Measurement& measurement);

}  // namespace isobit::cuda
