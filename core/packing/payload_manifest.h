// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/json.h"

namespace isobit {

/// What a batch says of its routing payload: where it lies, so that only the wanted items are fetched.
struct PayloadReference {
    std::string manifest;  ///< absolute path of a file of the exact name manifest.json
    std::string kind;      ///< "ids" (int32) or "weights" (float32)
    std::int64_t count = 0;
    std::int64_t offset = 0;  ///< of the wanted slice
    std::int64_t wanted = 0;
};

/// Bytes of one item, as they are stored.
struct PayloadItem {
    std::vector<std::int64_t> shape;  ///< [tokens, layers, topk]
    std::string bytes;                ///< 4 an element, little-endian
};

/// Reads a reference {"manifest", "kind", "count", "offset", "wanted"}. Anything in the old form of serialised objects
/// ("pickle", "payload", or a text) is refused: reading it would run code.
[[nodiscard]] Result<PayloadReference> readPayloadReference(const Json& value, const std::string& where);

/// The wanted items, and no other. Refused: a manifest that is a link or not of that name, another format, version or kind,
/// counts that do not agree, shapes that are not three sizes, sizes other than the product times 4 in the manifest or on
/// disk, items outside the kind's folder or through a link, a slice out of range. Source: packing.md 5.
[[nodiscard]] Result<std::vector<PayloadItem>> fetchPayload(const PayloadReference& reference);

}  // namespace isobit
