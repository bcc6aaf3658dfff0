// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/tensors/tensor_file.h"

namespace isobit {

/// What a capture says about how it was made, beyond its tensors.
struct SideFacts {
    TextPairs values;                ///< keys in lower case with "_" between words; the file's own before the sidecar's
    std::string sidecar;             ///< path of the sidecar that was read; empty: none
    std::vector<std::string> notes;  ///< one sentence for a sidecar that could not be used
};

/// The file's metadata (safetensors metadata, HDF5 attributes, tags of a dump folder), then what a JSON object beside the
/// capture says: NAME.json, STEM.json or STEM.metadata.json for a file, metadata.json, meta.json or capture.json in a
/// folder. Nested objects give keys with "_"; lists are left out. `inputRoot` as when the capture was opened.
[[nodiscard]] SideFacts factsOf(const TensorFile& file, const std::string& inputRoot = {});

}  // namespace isobit
