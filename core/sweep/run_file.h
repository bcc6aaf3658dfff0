// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/sweep/run.h"
#include "core/sweep/run_layout.h"

namespace isobit {

/// The bytes of a run file, `isobit.run/1` in HDF5: the same run gives the same bytes. A run without `measurement` holds no
/// clock, host or path. Layout: README.md of this folder.
[[nodiscard]] Result<std::vector<std::byte>> runFileImage(const Run& run);

/// Writes runFileImage(run) to `path` atomically and returns the SHA-256 of the file.
[[nodiscard]] Result<std::string> writeRunFile(const Run& run, const std::string& path);

/// Reads a run from the bytes of a run file. The bytes are hostile: their structure is checked against the layout before
/// any element is read, and whatever does not belong (links, filters, attributes, other objects) is refused.
[[nodiscard]] Result<Run> readRunImage(std::span<const std::byte> image, std::string_view name);

/// The same for a file, and the SHA-256 of exactly the bytes that were read.
struct RunFile {
    Run run;
    std::string sha256;
};
[[nodiscard]] Result<RunFile> readRunFile(const std::string& path);

/// SHA-256 of the raw little-endian elements of one dataset: survives a repacking of the file, which its own digest does not.
struct ContentDigest {
    std::string path;
    std::string type;  ///< "u8", "u64le", "i64le"
    std::vector<std::uint64_t> shape;
    std::string sha256;
};
/// In the order in which the file holds them; those of a measured run repeat but for /measured.
[[nodiscard]] std::vector<ContentDigest> contentDigests(const Run& run);

}  // namespace isobit
