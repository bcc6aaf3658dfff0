// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "evidence/test_key.h"

#include <algorithm>
#include <iterator>

namespace isobit::evidence {
namespace {

constexpr std::string_view kPublicTestKeys[] = {
    "SHA256:bbXpuKG6zhzdmnxq256TlqzFBzRl2f6OOg722cYNbU8",
    "SHA256:F34nin7tcaYH6WR5LSWSfj6weFBPfBpuyUUoPFP9YjA",
    "SHA256:s3Z2A+mldeflHo5TMMEUA7MlkMg96xvtqH9DGLHHZmE",
};

}  // namespace

bool isPublicTestKey(std::string_view fingerprint) {
    return std::find(std::begin(kPublicTestKeys), std::end(kPublicTestKeys), fingerprint) != std::end(kPublicTestKeys);
}

std::string_view testKeyNote(std::string_view fingerprint) {
    return isPublicTestKey(fingerprint) ? "public TEST KEY of RFC 8032: vouches for nothing" : "";
}

std::string fingerprintText(std::string_view fingerprint) {
    std::string text(fingerprint);
    if (isPublicTestKey(fingerprint)) text += " (" + std::string(testKeyNote(fingerprint)) + ")";
    return text;
}

}  // namespace isobit::evidence
