// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/base/result.h"

namespace isobit {

struct SandboxLimits {
    std::uint64_t memoryBytes = std::uint64_t{1} << 30;  ///< that the process may add to what it has when it enters
    std::uint64_t cpuSeconds = 20;                       ///< of its whole life
};

/// From here on this process can compute on the memory it has, read and write files that are already open, and end: it
/// can open no file, make no connection, start nothing and write no new file. There is no way back. An Error if the
/// system refuses, in which case nothing hostile may be touched. The one sandbox of the product: everything that runs
/// the HDF5 library on a foreign file runs it in here.
[[nodiscard]] Result<void> enterSandbox(const SandboxLimits& limits = {});

}  // namespace isobit
