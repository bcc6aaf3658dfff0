// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "kernels/norm_launch.h"

namespace isobit::cuda {

/// The three ways to run norm v2; all give the same bits.
enum class NormRealisation {
    Fused,    ///< one block a row, one launch
    Split,    ///< the factorised tree: tile sums, then scaling, two launches
    Cluster,  ///< a thread-block cluster a row, one launch, partial sums through distributed shared memory
};

/// "fused", "split", "cluster".
[[nodiscard]] std::string_view nameOf(NormRealisation realisation);

/// What a plan depends on besides the shape.
struct NormDevice {
    int multiprocessors = 0;
    std::int64_t l2Bytes = 0;
};

/// A realisation made definite for one shape: which kernel, how large, which accesses.
struct NormPlan {
    enum class Kernel { Row, Narrow, Stream, Split };
    Kernel kernel = Kernel::Row;
    RowGeometry geometry;          ///< of Kernel::Row
    std::int64_t heads = 1;        ///< of Kernel::Narrow: rows side by side in one strided row (QK norm)
    bool aligned = false;          ///< 16-byte accesses; else 2-byte ones
    std::size_t scratchBytes = 0;  ///< of Kernel::Split: fp32 tile sums

    /// "row 512x2, cluster of 4, 16-byte accesses".
    [[nodiscard]] std::string description() const;
};

/// Chooses the kernel of a realisation. An Error if the realisation cannot hold the row: a cluster holds 524288
/// columns.
[[nodiscard]] Result<NormPlan> planNorm(NormRealisation realisation, const NormArguments& arguments,
                                        const NormDevice& device);

/// The realisation that the frozen dispatch rule (core/contracts) chooses; fused where the chosen one cannot hold the
/// row.
[[nodiscard]] NormRealisation dispatchedNorm(const NormArguments& arguments, const NormDevice& device);

/// The plan of QK norm: `heads` rows of arguments.columns (at most 256) columns in each strided row; arguments.rows
/// counts head rows. out may be x.
[[nodiscard]] Result<NormPlan> planQkNorm(const NormArguments& arguments, std::int64_t heads);

/// Puts the kernels of a plan on the stream. `scratch`: plan.scratchBytes of device memory, or null if that is 0.
[[nodiscard]] Result<void> launchNorm(const NormPlan& plan, const NormArguments& arguments, void* scratch,
                                      const LaunchOptions& options);

}  // namespace isobit::cuda
