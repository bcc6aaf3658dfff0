// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/silicon/sm90_tables.h"

namespace isobit {

/// Where a table was measured. All fields are required, none is empty.
struct SiliconProvenance {
    std::string gpu;           ///< as the driver names it
    std::string driver;        ///< driver version
    std::string toolkit;       ///< CUDA toolkit that built the capture
    std::string sourceSha256;  ///< of the capture's and the model's sources
};

/// A table file in memory.
struct SiliconTable {
    SiliconProvenance provenance;
    sm90::Tables tables;
    std::string fileSha256;  ///< of the file's bytes
    Json header;             ///< as stored: functions, their digests, provenance
};

/// The file: "isobit.silicon/1", the byte counts of header and payload (little-endian 32 bit), the header (JSON), the
/// payload (zlib, the integers of `Tables` in order, little-endian 32 bit).
[[nodiscard]] std::vector<std::byte> packSiliconTable(const sm90::Tables& tables, const SiliconProvenance& provenance);

/// Reads and checks a table file: magic, version, sizes, digest of every table. `name` names it in the Error.
[[nodiscard]] Result<SiliconTable> parseSiliconTable(std::span<const std::byte> bytes, std::string_view name);

/// The sm_90 table that is part of this program.
[[nodiscard]] const Result<SiliconTable>& embeddedSm90Table();

}  // namespace isobit
