// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "core/base/result.h"

namespace isobit {

/// JSON whose keys keep the order in which they were written, so that output reads as it was meant.
using Json = nlohmann::ordered_json;

/// Parses one document strictly: duplicate keys, nesting deeper than 64 levels, and anything after the document are
/// refused. `name` names the text in the error (a path), which also gives the byte offset.
[[nodiscard]] Result<Json> parseJsonStrictly(std::string_view text, std::string_view name);

}  // namespace isobit
