// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/programs/program.h"
#include "evidence/manifest.h"
#include "evidence/review_statement.h"

namespace isobit::evidence {

/// Which cells to compute again. "all", "random:N" (a nonce from the operating system decides, after the author has
/// signed), or ids. An Error for an id that is no cell, or a number that is none.
[[nodiscard]] Result<Selection> selectCells(const std::vector<std::string>& request, const Manifest& manifest);

/// The N cells that a nonce picks: those with the smallest SHA-256 of the nonce followed by the id. Anybody can repeat
/// it.
[[nodiscard]] std::vector<std::string> drawCells(const std::vector<std::string>& ids, const std::string& nonce,
                                                 std::size_t count);

/// Chance that k cells drawn at random from `total` show at least one of `forged` ones.
[[nodiscard]] double detectionChance(std::uint64_t total, std::uint64_t forged, std::uint64_t drawn);

/// What computing one cell again gave: "EQUAL", "DIFFERENT" or "NOT_COMPARABLE", never something in between.
struct CellRerun {
    std::string id;
    std::string outcome;
    std::string detail;        ///< one sentence unless equal
    std::string outputSha256;  ///< over "name trainer_sha256 sampler_sha256" lines of the words computed here
};

struct RerunReport {
    std::string engine;
    std::string environmentSha256;  ///< of what computed: engine, programs and their versions
    std::uint64_t cellsTotal = 0;   ///< of the artifact
    std::vector<CellRerun> cells;
    [[nodiscard]] std::uint64_t count(std::string_view outcome) const;
};

struct RerunOptions {
    std::string engine = "reference";
    unsigned threads = 0;
    std::stop_token stop{};
    std::function<void(const CellRerun& cell, std::size_t done, std::size_t all)> cellDone{};
};

/// Makes the inputs of the cells again from their seeds, runs both sides' arithmetics on an engine, and compares the
/// digests of every input and of both sides' words with the manifest's. `programs` are the engine's. An Error if the
/// manifest's plan cannot be run at all; a cell that cannot be judged is NOT_COMPARABLE.
[[nodiscard]] Result<RerunReport> rerunCells(const Manifest& manifest, const std::vector<std::string>& ids,
                                             const ProgramList& programs, const RerunOptions& options);

/// {engine, cells_total, cells_rerun, equal, different, not_comparable, cells: [{id, outcome, detail}]}.
[[nodiscard]] nlohmann::ordered_json toJson(const RerunReport& report);

}  // namespace isobit::evidence
