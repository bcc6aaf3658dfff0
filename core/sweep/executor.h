// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>

#include "core/sweep/run.h"

namespace isobit {

/// One cell to run: its place in the plan and its cost, in any unit.
struct CellJob {
    std::size_t index = 0;
    std::int64_t cost = 0;
};

/// Where the cells of a sweep run. Cells are independent; their results are merged by index, so that neither the order nor
/// the place in which they ran shows. An executor of several processes ships a result as its JSON (json_form.h).
class CellExecutor {
public:
    /// Runs one cell with so many threads; empty: stopped. Called from several threads at once.
    using Work = std::function<std::optional<CellResult>(std::size_t index, unsigned threads)>;
    /// Takes a finished cell; calls never overlap.
    using Deliver = std::function<void(std::size_t index, CellResult cell)>;

    virtual ~CellExecutor() = default;
    /// Returns when every job was delivered, or after a stop as soon as the running cells have noticed it.
    virtual void run(std::span<const CellJob> jobs, const Work& work, const Deliver& deliver, std::stop_token stop) = 0;
};

/// Threads of this process. Small cells run side by side, one thread each, the largest first; a cell so large that the
/// others could not keep the remaining threads busy meanwhile runs by itself, on all threads.
class ThreadExecutor final : public CellExecutor {
public:
    explicit ThreadExecutor(unsigned threads);  ///< 0: all available
    void run(std::span<const CellJob> jobs, const Work& work, const Deliver& deliver, std::stop_token stop) override;

private:
    unsigned m_threads;
};

}  // namespace isobit
