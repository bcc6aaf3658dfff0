// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "core/packing/row.h"

namespace isobit {

// Merging packed rows into one, with a record of where each came from. Source: packing.md 2. A row is its document as
// toJson(PackedRow) writes it, with further sequences [[...]] and scalars.

/// How many rows are merged: a whole number from 1, null for the default. Booleans and anything else are refused.
[[nodiscard]] Result<std::int64_t> rowBatchSize(const Json& value, std::int64_t absent);

/// Whether a row can be merged at all: ids, labels and positions are single-row lists of one length, and every other field
/// that is no metadata is such a list or a plain scalar.
[[nodiscard]] bool isMergeable(const Json& row);
/// Whether rows can be merged with each other: the same sequences, the same scalars of equal values.
[[nodiscard]] bool areMergeable(const std::vector<Json>& rows);

/// Takes the next `size` rows and merges them, else gives the first alone and goes on with the next. A size of 1 or a
/// single row: the rows untouched. Else every row gets its index as batch_id and "provenance": {batch_ids, request_ids,
/// sample_counts, spans: [[start, end)], group_size}; provenance that is there already is carried on with its spans moved.
[[nodiscard]] std::vector<Json> batchRows(const std::vector<Json>& rows, std::int64_t size);

}  // namespace isobit
