// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/norm_measurement.h"

#include <algorithm>

#include "core/base/machine.h"
#include "core/base/utc_now.h"
#include "kernels/clocks.h"
#include "kernels/device.h"
#include "kernels/kernel_builds.h"
#include "kernels/norm.h"
#include "kernels/norm_buffers.h"

namespace isobit::cuda {
namespace {

struct CellShape {
    std::int64_t rows = 0;
    std::int64_t columns = 0;
};

Result<CellShape> shapeOf(const Plan& plan, const CellResult& cell) {
    CellShape shape;
    for (std::size_t axis = 0; axis < plan.axes.size(); ++axis) {
        if (plan.axes[axis].name == "M") shape.rows = cell.coordinates[axis];
        if (plan.axes[axis].name == "H") shape.columns = cell.coordinates[axis];
    }
    if (plan.operation != "rms_norm" || shape.rows < 1 || shape.columns < 1)
        return failure("only sweeps of rms_norm over H and M can be timed, this is {}", plan.operation);
    return shape;
}

/// Which words the plan gives an input of this cell.
GeneratedInput inputOf(const Plan& plan, const CellResult& cell, std::string_view name, Shape shape) {
    GeneratedInput input{.generator = "bf16", .shape = std::move(shape), .exponentLo = 118, .exponentHi = 127};
    if (const auto spec = std::ranges::find(plan.inputs, name, &InputSpec::name); spec != plan.inputs.end()) {
        input.exponentLo = spec->exponentLo;
        input.exponentHi = spec->exponentHi;
    }
    if (const auto digest = std::ranges::find(cell.inputs, name, &InputDigest::name); digest != cell.inputs.end())
        input.seed = digest->seed;
    return input;
}

Result<void> timeCell(const Plan& plan, const CellResult& cell, const NormDevice& device,
                      const NormMeasurementOptions& options, Measurement& measurement) {
    const auto shape = shapeOf(plan, cell);
    if (!shape) return failureOf(shape);
    const Shape matrix{shape->rows, shape->columns};
    const auto buffers = NormBuffers::create(inputOf(plan, cell, "x", matrix), inputOf(plan, cell, "r", matrix),
                                             inputOf(plan, cell, "w", {shape->columns}));
    if (!buffers) return failureOf(buffers);
    const NormArguments a = buffers->arguments();
    DeviceBuffer partials;
    for (const auto realisation : {NormRealisation::Fused, NormRealisation::Split, NormRealisation::Cluster}) {
        const auto normPlan = planNorm(realisation, a, device);
        if (!normPlan) return failureOf(normPlan);
        if (normPlan->scratchBytes > 0) {
            auto scratch = DeviceBuffer::allocate(normPlan->scratchBytes);
            if (!scratch) return failureOf(scratch);
            partials = std::move(*scratch);
        }
        const LaunchCall launch = [&](const LaunchOptions& launchOptions) {
            return launchNorm(*normPlan, a, partials.data(), launchOptions);
        };
        auto hot = timeHot(launch, options.protocol);
        if (!hot) return failureOf(hot);
        const std::string name(nameOf(realisation));
        measurement.samples.push_back({cell.id, name, std::move(hot->replaysNs)});
        if (options.coldSamples == 0) continue;
        auto cold = timeCold(launch, options.coldSamples);
        if (!cold) return failureOf(cold);
        measurement.samples.push_back({cell.id, name + "_cold", std::move(cold->replaysNs)});
    }
    return {};
}

void stateDevice(const DeviceInfo& info, const TimingProtocol& protocol, Measurement& measurement) {
    auto& provenance = measurement.provenance;
    provenance["gpu_name"] = info.name;
    provenance["compute_capability"] = fmt::format("{}.{}", info.major, info.minor);
    provenance["multiprocessors"] = std::to_string(info.multiprocessors);
    provenance["l2_bytes"] = std::to_string(info.l2Bytes);
    provenance["memory_bytes"] = std::to_string(info.memoryBytes);
    provenance["ecc"] = info.ecc ? "on" : "off";
    provenance["cuda_driver"] = info.driver;
    provenance["cuda_runtime"] = info.runtime;
    provenance["sm_clock_khz_max"] = std::to_string(info.smClockKhz);
    provenance["memory_clock_khz_max"] = std::to_string(info.memoryClockKhz);
    provenance["calls_per_sample"] = std::to_string(protocol.calls);
    provenance["replays"] = std::to_string(protocol.replays);
    provenance["warm_ups"] = std::to_string(protocol.warmups);
    provenance["programmatic_dependent_launch"] = protocol.programmatic ? "on" : "off";
    provenance["method"] = fmt::format(
        "{} warm-up calls, a graph of {} calls, {} replays, each between two events; residual form, same buffers every "
        "call (hot cache); *_cold: one call between two events after the L2 cache was overwritten",
        protocol.warmups, protocol.calls, protocol.replays);
    provenance["bytes_a_call"] = "8 * H * M + 2 * H";
}

void stateMachine(std::map<std::string, std::string>& provenance) {
    const MachineFacts facts = machineFacts();
    for (const auto& [key, value] : {std::pair{"os", &facts.os}, {"kernel", &facts.kernel}, {"cpu", &facts.cpu}})
        if (!value->empty()) provenance[key] = *value;
}

void stateKernels(std::map<std::string, std::string>& provenance) {
    for (const KernelBuild& build : kernelBuilds()) {
        const std::string prefix = fmt::format("kernel.{}.", build.name);
        provenance[prefix + "source_path"] = build.sourcePath;
        provenance[prefix + "cubin_sha256"] = build.cubinSha256;
        provenance[prefix + "ptx_sha256"] = "none";
        provenance[prefix + "compiler"] = build.compiler;
        provenance[prefix + "flags"] = build.flags;
    }
}

/// What the driver's library says; read while the device is still warm, so that the clocks are those of the last cells.
void stateDriver(const Clocks& clocks, std::map<std::string, std::string>& provenance) {
    if (!clocks.driver.empty()) provenance["driver"] = clocks.driver;
    if (!clocks.vbios.empty()) provenance["vbios"] = clocks.vbios;
    if (clocks.mig == "off") provenance["mig_uuid"] = "none";
    if (clocks.smMhz > 0) provenance["sm_clock_mhz_at_end"] = std::to_string(clocks.smMhz);
    if (clocks.memoryMhz > 0) provenance["memory_clock_mhz_at_end"] = std::to_string(clocks.memoryMhz);
}

}  // namespace

Result<Measurement> measureNorms(const Run& run, const NormMeasurementOptions& options) {
    const auto info = discoverDevice();
    if (!info) return failureOf(info);
    Measurement measurement;
    stateDevice(*info, options.protocol, measurement);
    measurement.provenance["started_utc"] = utcNow();
    stateMachine(measurement.provenance);
    stateKernels(measurement.provenance);
    const NormDevice device{info->multiprocessors, info->l2Bytes};
    if (auto done = raiseClocks(); !done) return failureOf(done);
    const auto bandwidth = measureCopyBandwidth();
    if (!bandwidth) return failureOf(bandwidth);
    measurement.provenance["copy_bytes_per_second"] = fmt::format("{:.0f}", *bandwidth);
    std::size_t finished = 0;
    for (const CellResult& cell : run.cells) {
        if (options.stop.stop_requested()) return failure("the measurement was stopped");
        if (auto done = timeCell(run.plan, cell, device, options, measurement); !done)
            return failure("cell {}: {}", cell.id, done.error().message);
        if (options.cellFinished) options.cellFinished(++finished, run.cells.size());
    }
    stateDriver(readClocks(), measurement.provenance);
    measurement.provenance["finished_utc"] = utcNow();
    return measurement;
}

}  // namespace isobit::cuda
