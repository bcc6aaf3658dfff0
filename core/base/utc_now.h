// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace isobit {

/// The time now, to the second: "2026-03-01T12:00:00Z" (RFC 3339).
[[nodiscard]] std::string utcNow();

}  // namespace isobit
