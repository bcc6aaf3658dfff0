// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/head_measurement.h"

#include "kernels/cublaslt.h"
#include "kernels/head_buffers.h"
#include "kernels/library_gemm.h"
#include "kernels/measured_cell.h"

namespace isobit::cuda {
namespace {

Result<std::shared_ptr<HeadBuffers>> buffersOf(const Plan& plan, const CellResult& cell) {
    const auto hidden = cellInput(plan, cell, "h");
    if (!hidden) return failureOf(hidden);
    const auto weight = cellInput(plan, cell, "W");
    if (!weight) return failureOf(weight);
    const auto ids = cellInput(plan, cell, "ids");
    if (!ids) return failureOf(ids);
    if (hidden->generator != "bf16" || weight->generator != "bf16" || ids->generator != "index")
        return failure("only sweeps of lm_head over bf16 \"h\" and \"W\" and generated \"ids\" can be timed");
    return HeadBuffers::create(*hidden, *weight, *ids);
}

TimedSeries ownSeries(const HeadBuffers& buffers) {
    return {"own", [&p = buffers.arguments](const LaunchOptions& options) { return launchHead(p, options); }};
}

// The plain product of the same operands; nothing where the library does not take the shape.
Result<std::vector<TimedSeries>> librarySeries(const std::shared_ptr<const CublasLt>& library, HeadBuffers& buffers) {
    const GemmArguments& p = buffers.arguments.product;
    if (p.columns % 8 != 0 || p.depth % 8 != 0) return std::vector<TimedSeries>{};
    auto made = LtProduct::create(library, p.rows, p.columns, p.depth, GemmOutputType::Bf16);
    if (!made) return failureOf(made);
    const auto product = std::make_shared<const LtProduct>(std::move(*made));
    const auto proposed = product->heuristics(1, kLibraryWorkspace);
    if (!proposed) return failureOf(proposed);
    void* const logits = buffers.device.allocate(static_cast<std::size_t>(p.rows * p.columns) * 2);
    void* const workspace = buffers.device.allocate(kLibraryWorkspace);
    if (const auto done = buffers.device.finish("making room for logits"); !done) return failureOf(done);
    std::vector<TimedSeries> series;
    for (const LtAlgorithm& algorithm : *proposed)
        series.push_back(
            {"cublaslt_product", [&p, product, algorithm, logits, workspace](const LaunchOptions& options) {
                 return product->run(algorithm, p.a, p.b, logits, workspace, options.stream);
             }});
    return series;
}

Result<void> timeCell(const Plan& plan, const CellResult& cell, const std::shared_ptr<const CublasLt>& library,
                      const TimingProtocol& protocol, Measurement& measurement) {
    const auto buffers = buffersOf(plan, cell);
    if (!buffers) return failureOf(buffers);
    std::vector<TimedSeries> series{ownSeries(**buffers)};
    if (library != nullptr) {
        auto added = librarySeries(library, **buffers);
        if (!added) return failureOf(added);
        series.insert(series.end(), added->begin(), added->end());
    }
    return timeSeries(series, cell, protocol, measurement);
}

}  // namespace

Result<Measurement> measureHeads(const Run& run, const HeadMeasurementOptions& options) {
    const auto info = discoverDevice();
    if (!info) return failureOf(info);
    Measurement measurement;
    stateDevice(*info, options.protocol, measurement);
    measurement.provenance["method"] = methodText(options.protocol);
    measurement.provenance["bytes_a_call"] = "2 * (V * K + M * K)";
    std::shared_ptr<const CublasLt> library;
    if (const auto opened = CublasLt::open())
        library = *opened;
    else
        measurement.provenance["cublaslt"] = opened.error().message;
    if (library != nullptr) measurement.provenance["cublaslt"] = std::to_string(library->version());
    if (auto done = raiseClocks(); !done) return failureOf(done);
    std::size_t finished = 0;
    for (const CellResult& cell : run.cells) {
        if (options.stop.stop_requested()) return failure("the measurement was stopped");
        if (auto done = timeCell(run.plan, cell, library, options.protocol, measurement); !done)
            return failure("cell {}: {}", cell.id, done.error().message);
        if (options.cellFinished) options.cellFinished(++finished, run.cells.size());
    }
    stateClocks(measurement);
    return measurement;
}

}  // namespace isobit::cuda
