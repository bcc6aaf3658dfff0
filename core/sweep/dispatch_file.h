// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "core/sweep/dispatch_table.h"

namespace isobit {

/// A file with times of realisations: a run file, or the public artifact, whose derived fields were recomputed.
struct DispatchFile {
    DispatchTable table;
    std::optional<DispatchArtifact> artifact;  ///< only of the public one; holds the same table
};

/// Reads a run file, or the public JSON artifact where the name ends in ".json". `statistic` is of a run file; the
/// artifact records minima only.
[[nodiscard]] Result<DispatchFile> readDispatchFile(const std::string& path, TimeStatistic statistic);

}  // namespace isobit
