// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/tensors/tensor_file.h"

namespace isobit {

/// How a headerless array of words lies in a file.
struct RawLayout {
    DType dtype = DType::Fp32;
    Shape shape;               ///< empty: one dimension, as many elements as the file holds after the offset
    std::uint64_t offset = 0;  ///< bytes before element 0
    bool bigEndian = false;
};

/// What the user said about a file; everything else comes from the file's content.
struct OpenOptions {
    std::optional<RawLayout> raw;  ///< read the file as one headerless array
    std::optional<DType> as;       ///< read raw or integer words of this width as this type (bf16 kept as uint16 or V2)
    std::string inputRoot;         ///< files must lie below it, see confinement.h; empty: ISOBIT_INPUT_ROOT, if it is set
    std::string linkRoot;          ///< links found in folders and sets may lead below it (confinement.h); empty: none
    bool checksums = true;         ///< archive members must fit their CRC-32
    std::uint64_t unpackLimit = std::uint64_t(4) << 30;  ///< bytes that one packed member may grow to
};

/// Opens a file or a folder that the user named and reads its list of tensors, not their elements. The format is told
/// from the content, never from the name. Writes nothing.
/// Errors are one sentence with the file, the offset, what was found and what was expected.
[[nodiscard]] Result<TensorFile> openTensorFile(const std::string& path, const OpenOptions& options = {});

}  // namespace isobit
