// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/measured_cell.h"

#include <algorithm>

#include "kernels/clocks.h"

namespace isobit::cuda {

Result<GeneratedInput> cellInput(const Plan& plan, const CellResult& cell, std::string_view name) {
    const auto inputs = inputsOf(plan, cell.coordinates, 0);
    const auto spec = std::ranges::find(plan.inputs, name, &InputSpec::name);
    if (spec == plan.inputs.end()) return failure("the plan has no input \"{}\"", name);
    GeneratedInput input = inputs[static_cast<std::size_t>(spec - plan.inputs.begin())];
    const auto digest = std::ranges::find(cell.inputs, name, &InputDigest::name);
    if (digest != cell.inputs.end()) input.seed = digest->seed;
    return input;
}

Result<void> timeSeries(const std::vector<TimedSeries>& series, const CellResult& cell, const TimingProtocol& protocol,
                        Measurement& measurement) {
    std::vector<LaunchCall> calls;
    for (const TimedSeries& one : series) calls.push_back(one.call);
    auto samples = timeInTurns(calls, protocol);
    if (!samples) return failureOf(samples);
    for (std::size_t i = 0; i < series.size(); ++i)
        measurement.samples.push_back({cell.id, series[i].name, std::move((*samples)[i].replaysNs)});
    return {};
}

void stateDevice(const DeviceInfo& info, const TimingProtocol& protocol, Measurement& measurement) {
    auto& provenance = measurement.provenance;
    provenance["gpu_name"] = info.name;
    provenance["multiprocessors"] = std::to_string(info.multiprocessors);
    provenance["l2_bytes"] = std::to_string(info.l2Bytes);
    provenance["cuda_driver"] = info.driver;
    provenance["cuda_runtime"] = info.runtime;
    provenance["calls_per_sample"] = std::to_string(protocol.calls);
    provenance["replays"] = std::to_string(protocol.replays);
}

std::string methodText(const TimingProtocol& protocol) {
    const std::string rest =
        protocol.rest > 0 ? fmt::format(", each followed by a rest of {} times its time", protocol.rest) : "";
    return fmt::format(
        "{} warm-up calls, a graph of {} calls, {} replays in turns with the other series, each between two events{}; "
        "same buffers every call",
        protocol.warmups, protocol.calls, protocol.replays, rest);
}

void stateClocks(Measurement& measurement) {
    const Clocks clocks = readClocks();
    if (!clocks.driver.empty()) measurement.provenance["driver"] = clocks.driver;
    if (clocks.smMhz > 0) measurement.provenance["sm_clock_mhz_at_end"] = std::to_string(clocks.smMhz);
}

}  // namespace isobit::cuda
