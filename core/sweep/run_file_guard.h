// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/sweep/run_layout.h"

namespace isobit {

/// Checks the first 48 bytes: HDF5 signature at 0, superblock version 3, base address 0, and an end of file that is the
/// number of bytes. A user block, trailing bytes, another version or a truncation end here, before the library is called.
[[nodiscard]] Result<void> checkSuperblock(std::span<const std::byte> image, std::string_view name);

/// Walks every object of an open file without reading an element and returns the datasets, bytes still empty. Refused:
/// links other than one hard link an object, attributes, paths, types, ranks or fixed sizes outside runFileRules(), storage
/// other than chunks with the one checksum filter, more elements than are stored.
[[nodiscard]] Result<std::vector<Dataset>> checkStructure(hid_t file, std::size_t fileBytes, std::string_view name);

}  // namespace isobit
