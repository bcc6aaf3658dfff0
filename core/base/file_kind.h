// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <string_view>

namespace isobit {

/// What a file is, by its mode, for a sentence: "a FIFO", "a folder", "a regular file".
[[nodiscard]] std::string_view kindOf(mode_t mode);

}  // namespace isobit
