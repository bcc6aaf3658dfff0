// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/contracts/dispatch_rule.h"
#include "core/sweep/run.h"

namespace isobit {

/// Measured times of one shape.
struct DispatchCell {
    DispatchFacts facts;
    std::map<std::string, double> timeUs;  ///< microseconds a call, by realisation: "fused", "split", "cluster"

    /// The fastest of the named realisations that were measured (of all if none is named). A tie goes to the one that
    /// is first in the order fused, cluster, split.
    [[nodiscard]] std::string_view oracle(const std::vector<std::string>& among = {}) const;
};

/// What the lab works on: one device, a grid of shapes, the time of each realisation.
struct DispatchTable {
    std::string source;  ///< name of the file
    std::string device;  ///< "NVIDIA H200"
    std::vector<DispatchCell> cells;
    std::string statistic;                      ///< what a time is: "median of 11 replays"
    std::optional<double> copyBytesPerSecond{};  ///< copy bandwidth of the same device in the same run, if stated
};

/// Which of a cell's samples stands for it.
enum class TimeStatistic { Median, Minimum };
[[nodiscard]] std::string_view nameOf(TimeStatistic statistic);

/// The table of a measured run: axes H and M, /measured series named after realisations, their provenance
/// "multiprocessors", "gpu_name", "calls_per_sample"; cells in the order of the run's. An Error if the run was not
/// measured, or lacks one of these.
[[nodiscard]] Result<DispatchTable> dispatchTableOf(const Run& run, std::string_view source, TimeStatistic statistic);

/// One derived field of the public artifact that does not recompute from its own times.
struct ArtifactDeviation {
    std::string where;  ///< "cells[48] (H 12288, M 1) regret_x"
    std::string recorded;
    std::string recomputed;
    bool rounding = false;  ///< the recorded value lies within what the rounding of the recorded times allows
};

/// The public 72-cell artifact (norm.md 10.1): its times, and every derived field recomputed from them.
struct DispatchArtifact {
    DispatchTable table;
    std::size_t fieldsChecked = 0;
    std::vector<ArtifactDeviation> deviations;
};
[[nodiscard]] Result<DispatchArtifact> readDispatchArtifact(const Json& document, std::string_view source);

}  // namespace isobit
