// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>

#include "core/tensors/formats.h"
#include "core/tensors/mapped_file.h"

namespace isobit {

/// One file format. A new one is a file NAME_reader.cpp, its two functions below, and a line in formats.cpp.
struct Format {
    std::string_view name;
    /// Whether a file that begins with `head` (its first bytes, kHeadBytes at most) is of this format.
    bool (*recognises)(std::string_view head);
    /// Reads the list of tensors. Parses only bytes that it copied out of the map.
    Result<TensorFile> (*open)(const std::shared_ptr<const MappedFile>& file, const OpenOptions& options);
};

inline constexpr std::size_t kHeadBytes = 1024;

bool isSafetensors(std::string_view head);
Result<TensorFile> openSafetensors(const std::shared_ptr<const MappedFile>& file, const OpenOptions& options);
bool isNpy(std::string_view head);
Result<TensorFile> openNpy(const std::shared_ptr<const MappedFile>& file, const OpenOptions& options);
/// For what is known and cannot hold tensors: always an Error that says what the file is instead.
bool isKnownMisfit(std::string_view head);
Result<TensorFile> openKnownMisfit(const std::shared_ptr<const MappedFile>& file, const OpenOptions& options);

/// One headerless array, as options.raw says.
Result<TensorFile> openRaw(const std::shared_ptr<const MappedFile>& file, const OpenOptions& options);

}  // namespace isobit
