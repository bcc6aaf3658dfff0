// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>

namespace isobit {

/// Held by whoever calls the HDF5 library: the serial build of it is not thread-safe, whatever the file.
inline std::mutex& hdf5Mutex() {
    static std::mutex mutex;
    return mutex;
}

}  // namespace isobit
