// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/packing/row.h"
#include "core/tensors/tensor_file.h"

namespace isobit {

/// One rule that packed rows break.
struct PackingFinding {
    std::string rule;  ///< stable name: "positions.restart", "lengths.cumulative" ...
    std::string row;
    std::string sentence;
};

/// A row as it was found, wherever it came from; absent members are not checked.
struct FoundRow {
    std::string name;
    Integers ids;
    std::optional<Integers> labels;
    std::optional<Integers> targets;
    std::optional<Integers> positions;
    std::optional<Integers> cumulative;
    std::optional<std::int64_t> longest;
    std::optional<Integers> sampleLengths;
    std::optional<std::int64_t> samples;
    std::optional<Json> provenance;
    std::vector<std::pair<std::string, std::size_t>> fields;  ///< other lists of a value a token: name and length
};

/// Rows with what belongs to all of them.
struct FoundBatch {
    std::optional<std::int64_t> limit;  ///< tokens a row
    std::vector<FoundRow> rows;
    std::optional<std::vector<std::size_t>> order;  ///< original index of each sample
    std::optional<std::int64_t> routingItems;       ///< of a routing payload
    std::vector<std::string> warnings;              ///< of the packing: samples that were dropped and the like
};

/// Lengths that agree, positions that restart at 0 and count up, cumulative lengths that are the positions' zeros with
/// the padding as a document, per-sample lengths that add up, spans inside their row, every sample once, no row above
/// the limit, at least one label that is not ignored over all rows, and as many routing items as samples (upstream only
/// warns).
[[nodiscard]] std::vector<PackingFinding> checkRows(const FoundBatch& batch);

/// Reads an "isobit.packed/1" document.
[[nodiscard]] Result<FoundBatch> readPackedBatch(const Json& document, const std::string& name);

/// The rows of a capture: tensors whose last name part is token_ids or input_ids, labels, positions or position_ids,
/// cu_seqlens or cumulative_lengths. An Error if there are no ids.
[[nodiscard]] Result<FoundBatch> rowsOfCapture(const TensorFile& capture);

}  // namespace isobit
