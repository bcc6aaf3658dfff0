// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/packing/shift.h"

namespace isobit {

/// One micro-batch [1, T]: a value a token in every list.
struct PackedRow {
    Integers ids;
    Integers labels;
    std::optional<Integers> targets;
    Integers positions;
    std::map<std::string, Numbers> fields;                ///< a value a token, or of another length: stored once, last wins
    std::map<std::string, std::vector<Numbers>> vectors;  ///< a vector a token
    Integers sampleLengths;   ///< after the shift, without padding
    Integers cumulative;      ///< int32 starts and the total; empty where none are attached
    std::int64_t longest = 0;
    std::int64_t samples = 0;
    bool shifted = true;      ///< AND over samples of "came shifted"
    Integers teacherIds, teacherPositions, keptIndices, globalCache, localCache;
};

/// How a row is ended and what is attached to it.
struct RowOptions {
    std::int64_t multiple = 128;    ///< rows are padded to a multiple of it
    std::int64_t positionCycle = 0;  ///< padding positions are j mod this; 0: one padding document 0, 1, 2 ...
    std::int64_t contextParallel = 1;
    bool keepPositions = false;     ///< unpacked mode
};

/// Concatenates shifted samples, pads, and attaches cumulative lengths where there is no context parallelism and more than
/// one sample; the padding counts as a document there. `warnings` takes a sentence for what is legal and surprising.
[[nodiscard]] PackedRow buildRow(const std::vector<ShiftedSample>& samples, const RowOptions& options,
                                 std::vector<std::string>& warnings);

/// Indices where a document begins: positions that are 0.
[[nodiscard]] Integers documentStarts(const Integers& positions);

/// int32 starts and the total, as buildRow attaches them. Source of merged rows' lengths, too.
void attachLengths(PackedRow& row);

/// The document of a row: the single-row lists [[...]] of a batch, and its metadata.
[[nodiscard]] Json toJson(const PackedRow& row);

}  // namespace isobit
