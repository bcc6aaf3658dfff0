// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/parallel.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace isobit {

unsigned availableThreads() {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return std::max(1, CPU_COUNT(&allowed));
    return std::max(1u, std::thread::hardware_concurrency());
}

bool parallelFor(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& work,
                 std::stop_token stop) {
    if (threads == 0) threads = availableThreads();
    const std::size_t workers = std::min<std::size_t>(threads, count);
    std::atomic<std::size_t> next{0};
    std::atomic<std::size_t> finished{0};
    const auto drain = [&] {
        for (std::size_t index; !stop.stop_requested() && (index = next.fetch_add(1)) < count;) {
            work(index);
            finished.fetch_add(1);
        }
    };
    {
        std::vector<std::jthread> others;
        for (std::size_t worker = 1; worker < workers; ++worker) others.emplace_back(drain);
        drain();
    }
    return finished.load() == count;
}

}  // namespace isobit
