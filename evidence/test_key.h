// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace isobit::evidence {

/// The keys of this repository's own records are public knowledge: RFC 8032, section 7.1, TEST 1 to 3
/// (resources/scripts/public_test_key.sh writes them). Whatever one of them signed says so wherever it shows.
[[nodiscard]] bool isPublicTestKey(std::string_view fingerprint);

/// What to say beside such a fingerprint; empty beside any other.
[[nodiscard]] std::string_view testKeyNote(std::string_view fingerprint);

/// A fingerprint and its note: "SHA256:... (public TEST KEY ...)".
[[nodiscard]] std::string fingerprintText(std::string_view fingerprint);

}  // namespace isobit::evidence
