// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace isobit::evidence {

inline constexpr std::string_view kInTotoPayloadType = "application/vnd.in-toto+json";

/// The bytes that a DSSE signature is over (protocol 1.0.2, "pre-authentication encoding"); lengths count bytes.
[[nodiscard]] std::string dssePreAuthenticationEncoding(std::string_view payloadType, std::string_view payload);

struct DsseSignature {
    std::string keyId;      ///< a hint only
    std::string signature;  ///< raw bytes
};

/// A DSSE envelope: the payload travels in base64, so what was verified is what gets parsed.
struct DsseEnvelope {
    std::string payloadType;
    std::string payload;
    std::vector<DsseSignature> signatures;
};

/// One JSON document and a line feed.
[[nodiscard]] std::string writeDsse(const DsseEnvelope& envelope);
[[nodiscard]] Result<DsseEnvelope> readDsse(std::string_view text, std::string_view name);

/// Empty if at least `threshold` different ones of the Ed25519 keys (32 bytes each) signed the envelope and its type is
/// `payloadType`; else the reason. A key counts once, however often it signed.
[[nodiscard]] std::string refusalOfDsse(const DsseEnvelope& envelope, std::string_view payloadType,
                                        const std::vector<std::string>& keys, std::size_t threshold);

}  // namespace isobit::evidence
