// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hdf5.h>

#include <cstdint>

namespace isobit {

/// Opens one already open descriptor as an HDF5 file, read-only, through a driver of its own that can open nothing else.
/// Negative when the library refuses it. At most one file at a time in a process.
[[nodiscard]] hid_t openHdf5Descriptor(int descriptor, std::uint64_t fileBytes);

}  // namespace isobit
