// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/sweep/run.h"

namespace isobit {

/// The checkpoint beside a run file that is not finished yet: a line with the plan's digest, then a line a finished cell,
/// each behind 16 digits of its own SHA-256 and synced. After a kill the last line may be torn: it does not count.
/// Only one process at a time can hold a checkpoint open.
class Journal {
public:
    /// Starts an empty checkpoint at `path`, replacing what is there.
    [[nodiscard]] static Result<Journal> start(const std::string& path, const Plan& plan);
    /// Opens the checkpoint at `path` to go on with it; there need not be one. A checkpoint of another plan is an Error.
    [[nodiscard]] static Result<Journal> resume(const std::string& path, const Plan& plan);

    Journal(Journal&& other) noexcept;
    Journal& operator=(Journal&&) = delete;
    ~Journal();

    /// Cells found by resume: place in the plan, and result.
    [[nodiscard]] const std::vector<std::pair<std::size_t, CellResult>>& cells() const { return m_cells; }
    /// Adds a cell. After an Error the checkpoint still ends with its last whole line.
    [[nodiscard]] Result<void> append(const Plan& plan, std::size_t index, const CellResult& cell);
    /// Deletes the file: the run file is written. Without a call the file stays, unless it holds no cell.
    void remove();

private:
    Journal(std::string path, int descriptor) : m_path(std::move(path)), m_descriptor(descriptor) {}
    [[nodiscard]] static Result<Journal> open(const std::string& path);
    [[nodiscard]] Result<void> appendLine(const std::string& payload);
    [[nodiscard]] Result<void> begin(const Plan& plan);
    [[nodiscard]] Result<void> readCells(const Plan& plan);

    std::string m_path;
    int m_descriptor;
    std::size_t m_end = 0;  ///< bytes of whole lines
    bool m_holdsCells = false;
    std::vector<std::pair<std::size_t, CellResult>> m_cells;
};

}  // namespace isobit
