// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace isobit::fuzz {

/// One reader under hostile input: opens the bytes as a file of its format and reads every tensor that results. The
/// sanitizers decide; an Error is a right answer.
struct Target {
    std::string_view name;  ///< also the folder of its seeds
    void (*run)(std::span<const std::byte> input);
};

/// All targets; a new reader adds a line in targets.cpp.
[[nodiscard]] std::span<const Target> targets();

}  // namespace isobit::fuzz
