// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"

namespace isobit::evidence {

/// Standard base64 (RFC 4648, section 4) with padding and without line breaks.
[[nodiscard]] std::string toBase64(std::string_view bytes);
/// The bytes; refuses everything that toBase64 would not have written, for example bits behind the last byte.
[[nodiscard]] Result<std::string> fromBase64(std::string_view text);

/// Two lower-case hexadecimal digits a byte.
[[nodiscard]] std::string toHex(std::string_view bytes);

}  // namespace isobit::evidence
