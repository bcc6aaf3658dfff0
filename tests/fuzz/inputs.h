// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/tensors/formats.h"
#include "core/tensors/mapped_file.h"

namespace isobit::fuzz {

[[nodiscard]] std::string_view textOf(std::span<const std::byte> input);
/// The bytes as a mapped file without a name in any folder.
[[nodiscard]] std::shared_ptr<const MappedFile> fileOf(std::string_view bytes);
/// An empty folder below the system's temporary one that is removed at the end of its life.
class Folder {
public:
    Folder();
    ~Folder();
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    [[nodiscard]] const std::string& path() const { return m_path; }
    /// False when the system does not take the name.
    bool write(const std::string& name, std::string_view bytes) const;

private:
    std::string m_path;
};

/// A safetensors file of these tensors, each of one byte; the names must need no escape.
[[nodiscard]] std::string safetensorsOf(std::initializer_list<std::string_view> names);
/// A zip archive of stored members without checksums.
[[nodiscard]] std::string zipOf(std::initializer_list<std::pair<std::string_view, std::string_view>> members);

/// Reads up to 8192 elements from both ends of the first 16 tensors; an Error must be one line.
void readAll(const Result<TensorFile>& file);

/// The limits of OpenOptions, small enough for a fuzzer.
[[nodiscard]] OpenOptions smallOptions();

}  // namespace isobit::fuzz
