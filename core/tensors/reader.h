// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>

#include "core/tensors/formats.h"
#include "core/tensors/json_members.h"
#include "core/tensors/mapped_file.h"

namespace isobit {

class ZipArchive;

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
bool isZip(std::string_view head);
Result<TensorFile> openZip(const std::shared_ptr<const MappedFile>& file, const OpenOptions& options);
/// The two kinds of zip archive.
Result<TensorFile> openNpz(const ZipArchive& archive, const std::string& path);
Result<TensorFile> openTorch(const ZipArchive& archive, const std::string& path);
bool isHdf5(std::string_view head);
Result<TensorFile> openHdf5(const std::shared_ptr<const MappedFile>& file, const OpenOptions& options);
/// The second half of openHdf5: the tensors that a listing (hdf5_child.h) gives. The child that wrote it may have been taken
/// over by the file it read, so the listing is checked like a file.
Result<TensorFile> openHdf5Listing(std::string_view text, const std::shared_ptr<const MappedFile>& file,
                                   const OpenOptions& options);
bool isJson(std::string_view head);
Result<TensorFile> openJson(const std::shared_ptr<const MappedFile>& file, const OpenOptions& options);
/// The index of a sharded safetensors set, split into its members, among them "weight_map"; the shards lie below its folder.
Result<TensorFile> openShardedSet(const std::vector<JsonMember>& index, const OpenedPath& indexFile,
                                  const OpenOptions& options);
/// Records of numbers, one JSON object a line.
Result<TensorFile> openJsonLines(std::string_view text, const std::string& path);
/// For what is known and cannot hold tensors: always an Error that says what the file is instead.
bool isKnownMisfit(std::string_view head);
Result<TensorFile> openKnownMisfit(const std::shared_ptr<const MappedFile>& file, const OpenOptions& options);

/// A folder of tensor files, or one that holds the index of a sharded set.
Result<TensorFile> openFolder(const OpenedPath& folder, const OpenOptions& options);
/// A file of any format, whose content decides.
Result<TensorFile> openContent(OpenedPath opened, const OpenOptions& options);
/// Whether openContent knows the content by its first bytes.
Result<bool> isKnownContent(const MappedFile& file);
/// The same for a file that is mapped already.
Result<TensorFile> openMapped(const std::shared_ptr<const MappedFile>& file, const OpenOptions& options);

/// One headerless array, as options.raw says.
Result<TensorFile> openRaw(const std::shared_ptr<const MappedFile>& file, const OpenOptions& options);

}  // namespace isobit
