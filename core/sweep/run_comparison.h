// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/sweep/run.h"

namespace isobit {

enum class CellMatch : std::uint8_t {
    Equal,       ///< every output has the same words in both runs, on either side
    Different,   ///< some output has other words, or another shape
    OnlyFirst,   ///< the second run has no such cell
    OnlySecond,  ///< the first run has no such cell
    NoWords,     ///< in one of the runs the cell failed or was not run, so that nothing can be said
};

/// "equal", "different", "only_first", "only_second", "no_words".
[[nodiscard]] std::string_view nameOf(CellMatch match);

/// One cell of two runs, by the digests of their words.
struct CellComparison {
    std::string id;
    CellMatch match = CellMatch::NoWords;
    std::vector<std::string> differing;  ///< "input x", "out of the trainer", "residual_out of the sampler"
    std::uint64_t differentFirst = 0;    ///< in the first run: words that differ between its trainer and its sampler
    std::uint64_t differentSecond = 0;   ///< in the second run
};

/// Two runs, cell by cell: those of the first in its order, then those that only the second has.
struct RunComparison {
    bool samePlan = false;
    std::vector<CellComparison> cells;

    [[nodiscard]] std::size_t count(CellMatch match) const;
    /// Every cell of either run is Equal.
    [[nodiscard]] bool equal() const { return !cells.empty() && count(CellMatch::Equal) == cells.size(); }
};

/// Compares the digests of the words of two runs; cells meet by their ids, outputs by their names.
[[nodiscard]] RunComparison compareRuns(const Run& first, const Run& second);

/// {verdict, same_plan, cells_total, cells_equal, cells_different, cells_only_first, cells_only_second, cells_no_words,
/// cells: [{id, match, differing, different_first, different_second}]}; verdict is "equal", "different", or
/// "incomplete" where nothing differs but some cells have no words.
[[nodiscard]] Json toJson(const RunComparison& comparison);
/// The same for people: one line of verdict, then a line for each cell that is not equal.
[[nodiscard]] std::string textOf(const RunComparison& comparison);

}  // namespace isobit
