// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/norm.h"

#include <algorithm>
#include <cassert>
#include <optional>

#include "core/contracts/dispatch_rule.h"
#include "kernels/device.h"

namespace isobit::cuda {
namespace {

constexpr std::int64_t kTile = 512;      // columns of a tile of the split form
constexpr int kNarrowColumns = 256;      // one warp's share
constexpr int kPortableCluster = 8;       // blocks that every Hopper part grants a cluster
constexpr int kMostBlocksACluster = 16;  // the largest non-portable cluster of Hopper

bool multipleOf16(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer) % 16 == 0; }

/// 16-byte accesses need every row of every tensor to start on 16 bytes and to hold whole groups of 8 columns.
bool isAligned(const NormArguments& a) {
    const bool pointers = multipleOf16(a.x) && multipleOf16(a.residual) && multipleOf16(a.weight) &&
                          multipleOf16(a.out) && multipleOf16(a.residualOut);
    const std::int64_t strides =
        a.xStride | a.outStride | (a.residual != nullptr ? a.residualStride | a.residualOutStride : 0);
    return pointers && strides % 8 == 0 && a.columns % 8 == 0 && !a.weightIsFp32;
}

constexpr std::int64_t share(RowGeometry geometry) { return std::int64_t{8} * geometry.threads * geometry.vectors; }

std::int64_t blocksHolding(std::int64_t columns, RowGeometry geometry) {
    return (columns + share(geometry) - 1) / share(geometry);
}

std::optional<RowGeometry> smallestHolding(std::int64_t columns, std::initializer_list<RowGeometry> geometries) {
    for (const RowGeometry geometry : geometries)
        if (share(geometry) >= columns) return geometry;
    return std::nullopt;
}

/// Streaming stores help while inputs and results together do not fit the L2 cache but the inputs nearly do: then
/// results do not push out rows that have not been read yet.
bool wantsStreaming(const NormArguments& a, const NormDevice& device) {
    const std::int64_t bytes = 8 * a.rows * a.columns;
    return 2 * bytes > device.l2Bytes && 4 * bytes < 5 * device.l2Bytes;
}

/// One block a row. The choices were measured, see norm_notes.md.
std::optional<RowGeometry> blockGeometry(const NormArguments& a, bool aligned, const NormDevice& device) {
    if (!aligned) return smallestHolding(a.columns, {{128, 1}, {256, 2}, {512, 2}, {512, 8}});
    const std::int64_t waves = (a.rows + device.multiprocessors - 1) / device.multiprocessors;
    auto geometry = smallestHolding(a.columns, {{128, 1},
                                                {256, 1},
                                                {512, 1},
                                                waves <= 4 ? RowGeometry{256, 4} : RowGeometry{512, 2},
                                                waves <= 2 ? RowGeometry{512, 4} : RowGeometry{512, 3},
                                                {512, 4},
                                                {1024, 3},
                                                {1024, 4}});
    if (geometry)
        geometry->dependents = waves > 1 && waves <= 4 && a.columns > 2048 ? DependentsStart::BeforeLastStores
                                                                           : DependentsStart::AfterLoads;
    return geometry;
}

/// A block's share of a row for a few rows: small blocks start early, more of them than a few start too slowly.
RowGeometry fewRowsShare(const NormArguments& a) {
    constexpr RowGeometry kSmallest{128, 1, 1, DependentsStart::First};
    constexpr RowGeometry kSmall{256, 1, 1, DependentsStart::AfterLoads};
    constexpr std::int64_t kFewBlocks = 80;  // of all rows
    if (a.rows <= 2 && a.columns <= kMostBlocksACluster * share(kSmallest)) return kSmallest;
    if (a.rows <= 2) return {256, 1, 1, DependentsStart::First};
    const std::int64_t smallest = blocksHolding(a.columns, kSmallest);
    if (smallest <= kPortableCluster && a.rows * smallest <= kFewBlocks) return kSmallest;
    if (a.columns > 16384) return {256, 2, 1, DependentsStart::AfterLoads};
    if (a.columns > 8192 && a.rows <= 16) return {128, 2, 1, DependentsStart::AfterLoads};
    const std::int64_t idle = blocksHolding(a.columns, kSmall) * share(kSmall) - a.columns;
    // More than an eighth of the small blocks' columns.
    const bool wasteful = 7 * idle > a.columns && smallest <= kPortableCluster;
    return wasteful ? kSmallest : kSmall;
}

/// A block's share of a row for many rows: as few blocks as hold it.
RowGeometry manyRowsShare(const NormArguments& a) {
    if (a.columns <= 4096) return {256, 1, 1, DependentsStart::First};
    if (a.columns <= 8192) return {128, 4, 1, DependentsStart::BeforeLastStores};
    if (a.columns <= 16384) return {256, 4, 1, DependentsStart::BeforeLastStores};
    return {512, 4, 1, DependentsStart::AfterLoads};
}

RowGeometry clusterShare(const NormArguments& a, bool aligned) {
    if (!aligned) {
        for (const RowGeometry geometry : {RowGeometry{128, 1}, RowGeometry{256, 2}})
            if (blocksHolding(a.columns, geometry) <= kPortableCluster) return geometry;
        return {512, 8};
    }
    constexpr std::int64_t kManyRows = 128;
    if (a.columns <= 32768) return a.rows < kManyRows ? fewRowsShare(a) : manyRowsShare(a);
    if (a.columns <= kMostBlocksACluster * share({512, 4})) return {512, 4, 1, DependentsStart::AfterLoads};
    return {512, 8, 1, DependentsStart::AfterLoads};
}

/// A cluster a row, at least two blocks. More than 8, which not every Hopper part grants, only for one or two rows, or
/// beyond 131072 columns.
std::optional<RowGeometry> clusterGeometry(const NormArguments& a, bool aligned) {
    RowGeometry geometry = clusterShare(a, aligned);
    const std::int64_t blocks = std::max<std::int64_t>(2, blocksHolding(a.columns, geometry));
    if (blocks > kMostBlocksACluster) return std::nullopt;
    geometry.cluster = static_cast<int>(blocks);
    return geometry;
}

}  // namespace

std::string_view nameOf(NormRealisation realisation) {
    switch (realisation) {
        case NormRealisation::Fused:
            return "fused";
        case NormRealisation::Split:
            return "split";
        case NormRealisation::Cluster:
            return "cluster";
    }
    return "";
}

std::string NormPlan::description() const {
    const std::string_view accesses = aligned ? "16-byte accesses" : "2-byte accesses";
    switch (kernel) {
        case Kernel::Row:
            if (geometry.cluster == 1)
                return fmt::format("row {}x{}, one block, {}", geometry.threads, geometry.vectors, accesses);
            return fmt::format("row {}x{}, cluster of {}, {}", geometry.threads, geometry.vectors, geometry.cluster,
                               accesses);
        case Kernel::Narrow:
            return fmt::format("narrow, {} a strided row, {}", heads, accesses);
        case Kernel::Stream:
            return fmt::format("stream, one block, {}", accesses);
        case Kernel::Split:
            return fmt::format("split, two launches, {}", accesses);
    }
    return "";
}

Result<NormPlan> planNorm(NormRealisation realisation, const NormArguments& arguments, const NormDevice& device) {
    NormPlan plan;
    plan.aligned = isAligned(arguments);
    switch (realisation) {
        case NormRealisation::Split:
            plan.kernel = NormPlan::Kernel::Split;
            plan.scratchBytes =
                static_cast<std::size_t>(arguments.rows * ((arguments.columns + kTile - 1) / kTile)) * sizeof(float);
            return plan;
        case NormRealisation::Fused:
            if (arguments.columns <= kNarrowColumns) {
                plan.kernel = NormPlan::Kernel::Narrow;
            } else if (const auto geometry = blockGeometry(arguments, plan.aligned, device)) {
                plan.geometry = *geometry;
                plan.geometry.streaming = plan.aligned && wantsStreaming(arguments, device);
            } else {
                plan.kernel = NormPlan::Kernel::Stream;
            }
            return plan;
        case NormRealisation::Cluster:
            if (const auto geometry = clusterGeometry(arguments, plan.aligned)) {
                plan.geometry = *geometry;
                plan.geometry.streaming = plan.aligned && wantsStreaming(arguments, device);
                return plan;
            }
            return failure("a thread-block cluster holds at most {} columns of a row, and this one has {}",
                           kMostBlocksACluster * share({512, 8}), arguments.columns);
    }
    return plan;
}

NormRealisation dispatchedNorm(const NormArguments& arguments, const NormDevice& device) {
    static const Result<DispatchRule> rule = parseDispatchRule(frozenDispatch().rule);
    assert(rule);  // a test parses it
    const std::string_view chosen = rule->choose({arguments.rows, arguments.columns, device.multiprocessors});
    for (const auto realisation : {NormRealisation::Split, NormRealisation::Cluster})
        if (chosen == nameOf(realisation) && planNorm(realisation, arguments, device)) return realisation;
    return NormRealisation::Fused;
}

Result<NormPlan> planQkNorm(const NormArguments& arguments, std::int64_t heads) {
    if (arguments.columns > kNarrowColumns)
        return failure("QK norm takes a head of at most {} columns, found {}", kNarrowColumns, arguments.columns);
    NormPlan plan;
    plan.kernel = NormPlan::Kernel::Narrow;
    plan.heads = heads;
    plan.aligned = isAligned(arguments);
    return plan;
}

Result<void> launchNorm(const NormPlan& plan, const NormArguments& arguments, void* scratch,
                        const LaunchOptions& options) {
    const auto launch = [&]() -> CudaStatus {
        switch (plan.kernel) {
            case NormPlan::Kernel::Row:
                return launchRowNorm(arguments, plan.geometry, plan.aligned, options);
            case NormPlan::Kernel::Narrow:
                return launchNarrowNorm(arguments, plan.heads, plan.aligned, options);
            case NormPlan::Kernel::Stream:
                return launchStreamNorm(arguments, plan.aligned, options);
            case NormPlan::Kernel::Split:
                return launchSplitNorm(arguments, static_cast<float*>(scratch), plan.aligned, options);
        }
        return 0;
    };
    return checked(launch(), "launching a norm kernel");
}

}  // namespace isobit::cuda
