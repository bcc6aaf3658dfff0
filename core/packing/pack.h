// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/packing/bins.h"
#include "core/packing/row.h"

namespace isobit {

/// What becomes of a sample above the limit.
enum class Oversized { Error, Skip, Truncate };

struct PackRequest {
    std::int64_t limit = 0;  ///< tokens a row before the shift
    BinStrategy strategy = BinStrategy::Sequential;
    Oversized oversized = Oversized::Error;
    std::int64_t dataParallel = 1;
    bool packed = true;  ///< false: a row a sample
    RowOptions row;
    std::vector<Sample> samples;
};

struct PackedBatch {
    std::vector<PackedRow> rows;
    std::vector<std::size_t> order;  ///< original index of each sample across the rows, to reorder side arrays
    std::vector<std::string> warnings;
};

/// Measures, assigns and builds (packing.md 1). No sample at all: no row. Samples without ids are dropped with a warning; if
/// then nothing survives that is an Error that groups the reasons.
[[nodiscard]] Result<PackedBatch> packSamples(const PackRequest& request);

/// Reads an "isobit.packing/1" description: limit, strategy, oversized, data_parallel, packed, multiple, context_parallel,
/// samples.
[[nodiscard]] Result<PackRequest> readPackRequest(const Json& document, const std::string& name);

/// {format: "isobit.packed/1", rows, order, warnings}, which `isobit packing check` reads.
[[nodiscard]] Json toJson(const PackedBatch& batch, std::int64_t limit);

/// The slices of a per-token output, one a sample. Boundaries are the zeros of `positions`, of which the first `samples`
/// count; an output that is shorter by one a document has each sample one shorter. Any other length: plain slices as far as
/// they reach, and a warning.
struct UnpackedOutput {
    std::vector<Numbers> samples;
    std::string warning;
};
[[nodiscard]] UnpackedOutput unpackOutput(const Integers& positions, const Numbers& output, std::size_t samples);

}  // namespace isobit
