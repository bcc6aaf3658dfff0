// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/sample_run.h"

namespace isobit::support {

/// The sample run with times: one call a sample, so that a nanosecond is a nanosecond. One block is faster
/// for few rows, the cluster for 8: there the frozen rule is wrong by a quarter.
inline Run timedRun() {
    Run run = sampleRun();
    Measurement measurement;
    measurement.provenance = {{"gpu_name", "NVIDIA H200"},
                              {"multiprocessors", "132"},
                              {"calls_per_sample", "1"},
                              {"copy_bytes_per_second", "4000000000000"}};
    for (const CellResult& cell : run.cells) {
        const bool few = cell.coordinates[1] < 4;
        measurement.samples.push_back({cell.id, "fused", {2000, 1900, 2500}});
        measurement.samples.push_back({cell.id, "split", {4000, 4000, 4000}});
        const std::uint64_t cluster = few ? 2500 : 1600;
        measurement.samples.push_back({cell.id, "cluster", {cluster, cluster, cluster}});
    }
    run.measurement = std::move(measurement);
    return run;
}

}  // namespace isobit::support
