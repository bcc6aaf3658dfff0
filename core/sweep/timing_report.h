// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/sweep/dispatch_table.h"

namespace isobit {

/// Where, for one width, the fastest realisation changes between two neighbouring numbers of rows.
struct Crossing {
    std::int64_t columns = 0;
    std::int64_t rowsBelow = 0, rowsAbove = 0;  ///< the measured neighbours
    std::string below, above;                   ///< the fastest at each: "cluster", "fused"
    /// Where the lines of both through their two measured points meet, on logarithmic axes. Empty if one of them was
    /// not measured at both.
    std::optional<double> rows;
    double timeUs = 0;  ///< at `rows`
};

/// Every change of the fastest realisation along the rows of each width, widths and rows ascending.
[[nodiscard]] std::vector<Crossing> crossingsOf(const DispatchTable& table);

/// Bytes that one call of a norm with residual must move: x, residual, residual_out and out once each, the weight once.
[[nodiscard]] double bytesMoved(std::int64_t rows, std::int64_t columns);

/// One shape of a report: a cell of its table, judged.
struct TimingCell {
    std::string oracle;  ///< the fastest realisation
    std::string picked;  ///< by the report's rule
    double pickedUs = 0;
    double regret = 1.0;  ///< time of the picked over time of the oracle
    /// Time in which a copy of the same device in the same run moves the bytes that must move. Empty if the run does not
    /// state the bandwidth.
    std::optional<double> floorUs;
    std::optional<double> roofline;      ///< floorUs over pickedUs; above 1 where the L2 cache serves
    std::optional<double> overlayUs;  ///< of the overlaid table: its fastest realisation of the same shape
    std::optional<double>
        overlayRatio;  ///< overlayUs over the time of this table's oracle: above 1, this one is faster
};

/// What a run's times say: cells in the order of the table.
struct TimingReport {
    DispatchTable table;
    std::optional<DispatchTable> overlay;
    std::string ruleName;  ///< "frozen", or "shipped" where the frozen rule picks what was not measured
    std::string rule;      ///< its text
    std::vector<TimingCell> cells;
    std::vector<Crossing> crossings;         ///< of the table
    std::vector<Crossing> overlayCrossings;  ///< of the overlay
    std::size_t misclassified = 0;
    double worstRegret = 1.0;
};

/// Judges a table by the product's frozen rule, or by the shipped one where that cannot be judged. An Error if neither
/// can.
[[nodiscard]] Result<TimingReport> timingReport(DispatchTable table, std::optional<DispatchTable> overlay = {});

}  // namespace isobit
