// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>

namespace isobit {

/// Number of threads to use when the user asks for none in particular: the processors this process may run on.
[[nodiscard]] unsigned availableThreads();

/// Calls work(i) once for every i in [0, count), on `threads` threads (0: availableThreads()), in no stated order: each
/// call must write only what belongs to its index, which keeps every result independent of the number of threads.
/// Indices not begun when a stop is requested are left out; returns false in that case.
bool parallelFor(std::size_t count, unsigned threads, const std::function<void(std::size_t index)>& work,
                 std::stop_token stop = {});

}  // namespace isobit
