// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "core/base/result.h"

namespace isobit {

/// What a guarded child does with an HDF5 file that is open for reading as `descriptor`; see guarded_child.h. Only the
/// file's own bytes are read: soft, external and user-defined links, external and virtual storage, plug-in filters,
/// references and data of variable length are listed under "ignored" and never followed.

/// One JSON document: {"tensors": [{name, type, big_endian, shape, stored, address, note}], "metadata": {...},
/// "ignored": [...]}. `address` is where contiguous data lies in the file, or null.
[[nodiscard]] Result<std::string> listHdf5(int descriptor, std::uint64_t fileBytes);

/// Reads a whole dataset, in the file's own type so that no word is converted, into `out`, which has its exact size.
[[nodiscard]] Result<std::string> readHdf5(int descriptor, std::uint64_t fileBytes, const std::string& dataset,
                                           std::span<std::byte> out);

}  // namespace isobit
