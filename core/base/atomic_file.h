// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace isobit {

/// Runs write(temporaryPath), where the temporary file is new, unique and in the folder of `path`; then syncs it and
/// renames it to `path`. Whatever fails, `path` keeps its old bytes and the temporary file is gone.
[[nodiscard]] Result<void> writeAtomically(const std::string& path,
                                           const std::function<Result<void>(const std::string& temporaryPath)>& write);

/// The same for a text that is already in memory.
[[nodiscard]] Result<void> writeTextAtomically(const std::string& path, std::string_view text);

/// A whole small file as text. Fails when it is larger than `limitBytes`, before any of it is read.
[[nodiscard]] Result<std::string> readTextFile(const std::string& path, std::size_t limitBytes = 64u << 20);

}  // namespace isobit
