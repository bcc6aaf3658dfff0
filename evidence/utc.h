// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace isobit::evidence {

/// Seconds since 1970-01-01T00:00:00Z.
using UtcSeconds = std::int64_t;

[[nodiscard]] UtcSeconds utcNow();
/// "2026-01-31T09:30:00Z" (RFC 3339).
[[nodiscard]] std::string utcText(UtcSeconds time);
/// "20260131093000Z", as `ssh-keygen -Overify-time=` takes it.
[[nodiscard]] std::string utcDigits(UtcSeconds time);
/// YYYYMMDD[HHMM[SS]] with or without a final Z: both are read as UTC, so that the answer is the same everywhere.
[[nodiscard]] Result<UtcSeconds> readUtcDigits(std::string_view text);
/// Whether the text is a time as utcText writes it.
[[nodiscard]] bool isUtcText(std::string_view text);

}  // namespace isobit::evidence
