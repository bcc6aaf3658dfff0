// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "app/cli/command.h"
#include "core/tensors/formats.h"

namespace isobit::cli {

/// What every command that opens tensor files takes: --as, --dtype, --shape, --offset, --big-endian, --input-root,
/// --follow-links, --no-checksums.
struct OpenArguments {
    std::string as;
    std::string dtype;
    std::string shape;
    std::uint64_t offset = 0;
    bool bigEndian = false;
    bool noChecksums = false;
    std::string inputRoot;
    std::string linkRoot;

    /// The same for core, or one sentence on a type or a shape that does not exist.
    [[nodiscard]] Result<OpenOptions> options() const;
};

/// "64,3840" as sizes; "" has no dimension, which stands for one of the size that the file gives.
[[nodiscard]] Result<Shape> parseShape(const std::string& text);

/// Adds these options to a command; the values are there when its callback runs.
std::shared_ptr<OpenArguments> addOpenArguments(CLI::App& command);

/// Opens a file under these options. With --as, at least one of its tensors must have taken the type.
[[nodiscard]] Result<TensorFile> openFile(const std::string& path, const OpenArguments& arguments);

}  // namespace isobit::cli
