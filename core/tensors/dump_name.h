// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/tensors/tensor_file.h"

namespace isobit {

/// What a dumper wrote into a file's name.
struct DumpName {
    std::string tensor;  ///< the tensor's name; the stem where nothing else is said
    TextPairs tags;      ///< "rank" and "0", "step" and "3" ...
};

/// Reads the stem of a file's name: either KEY=VALUE pieces joined by "___", as the SGLang dumper writes them
/// (forward_pass_id=1___rank=0___name=q_proj___dump_index=7), or words joined by "_", "-" or "." among which rank, step and
/// the like carry a number (step3_rank0_q_proj).
[[nodiscard]] DumpName parseDumpName(std::string_view stem);

/// Order of names that puts layer 2 before layer 10: runs of digits compare as numbers.
[[nodiscard]] bool naturallyBefore(std::string_view a, std::string_view b);

}  // namespace isobit
