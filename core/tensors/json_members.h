// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace isobit {

/// One "key": value of a JSON object.
struct JsonMember {
    std::string key;
    std::string_view value;  ///< its text, not yet parsed
    std::uint64_t offset;    ///< of the key in the text
};

/// Splits the one object that `text` is into its members, in their order, in a time that grows with the text alone (a
/// document of the JSON library looks through all keys for each new one). Refuses a key that occurs twice and what follows
/// the object. The values are found by their brackets and quotes; whoever uses one parses it, which checks the rest.
/// `where` names the text in errors, which give the byte offset.
[[nodiscard]] Result<std::vector<JsonMember>> membersOf(std::string_view text, std::string_view where);

/// The member of this key, or nullptr.
[[nodiscard]] const JsonMember* findMember(const std::vector<JsonMember>& members, std::string_view key);

}  // namespace isobit
