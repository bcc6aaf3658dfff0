// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "core/base/json.h"

namespace isobit {

/// The word that stands for a null among numbers: a quiet NaN that no arithmetic makes, so that it equals only another
/// null. As FP32 it is 7fffffff.
inline constexpr std::uint64_t kMissingNumber = 0x7FFFFFFFE0000000;

/// Parses one record of a JSON lines file strictly (core/base/json.h), but for the NaN, Infinity and -Infinity that
/// engines write in the place of numbers and JSON does not know.
[[nodiscard]] Result<Json> parseRecord(std::string_view line, std::string_view where);

/// The number that a value of such a record is: NaN has the word 7ff8000000000000, a null is kMissingNumber. Nothing for
/// everything else.
[[nodiscard]] std::optional<double> numberOf(const Json& value);

}  // namespace isobit
