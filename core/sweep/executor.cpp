// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/sweep/executor.h"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <vector>

#include "core/base/parallel.h"

namespace isobit {

ThreadExecutor::ThreadExecutor(unsigned threads) : m_threads(threads == 0 ? availableThreads() : threads) {}

void ThreadExecutor::run(std::span<const CellJob> jobs, const Work& work, const Deliver& deliver, std::stop_token stop) {
    std::vector<CellJob> sorted(jobs.begin(), jobs.end());
    std::stable_sort(sorted.begin(), sorted.end(), [](const CellJob& a, const CellJob& b) { return a.cost > b.cost; });
    std::int64_t rest = std::accumulate(sorted.begin(), sorted.end(), std::int64_t(0),
                                        [](std::int64_t sum, const CellJob& job) { return sum + job.cost; });
    std::mutex delivering;
    const auto runOne = [&](const CellJob& job, unsigned threads) {
        std::optional<CellResult> cell = work(job.index, threads);
        if (!cell) return;
        const std::scoped_lock lock(delivering);
        deliver(job.index, std::move(*cell));
    };
    std::size_t next = 0;
    for (; next < sorted.size() && !stop.stop_requested(); ++next) {
        if (sorted[next].cost * static_cast<std::int64_t>(m_threads) <= rest) break;
        rest -= sorted[next].cost;
        runOne(sorted[next], m_threads);
    }
    parallelFor(sorted.size() - next, m_threads, [&](std::size_t i) { runOne(sorted[next + i], 1); }, stop);
}

}  // namespace isobit
