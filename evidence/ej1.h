// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace isobit::evidence {

/// JSON whose keys are sorted by byte, as the profile EJ1 wants them.
using CanonicalJson = nlohmann::json;

inline constexpr std::size_t kEj1LimitBytes = std::size_t{4} << 20;
inline constexpr int kEj1DepthLimit = 16;
inline constexpr std::uint64_t kEj1LargestInteger = (std::uint64_t{1} << 53) - 1;

/// Reads one document of the profile EJ1 and refuses every other spelling of it: printable ASCII and LF, at most 4 MiB,
/// at most 16 levels, sorted unique keys, two spaces of indent, integers 0 ... 2^53 - 1, no null, no float, the escapes
/// \" and \\ only, one final LF. The rule is checked, never applied: a document is authentic as its bytes stand. `name`
/// names the text in the error.
[[nodiscard]] Result<CanonicalJson> readEj1(std::string_view text, std::string_view name);

/// The only bytes of a document in the profile; the same as `jq -S --indent 2 .` prints. The document must hold only
/// what the profile can (objects, arrays, printable ASCII, booleans, integers from 0).
[[nodiscard]] std::string writeEj1(const CanonicalJson& document);

}  // namespace isobit::evidence
