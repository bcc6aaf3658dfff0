// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/json.h"
#include "core/base/result.h"

namespace isobit::json_fields {

/// Thrown while a document is taken apart and caught by `reading`: never leaves a source file.
struct Problem {
    std::string message;
};

[[noreturn]] inline void refuse(std::string message) { throw Problem{std::move(message)}; }

inline const Json& field(const Json& object, const char* key) {
    if (!object.is_object()) refuse(fmt::format("found {}, expected an object with \"{}\"", object.type_name(), key));
    const auto found = object.find(key);
    if (found == object.end()) refuse(fmt::format("key \"{}\" is missing", key));
    return *found;
}

inline std::uint64_t unsignedField(const Json& object, const char* key) {
    const Json& value = field(object, key);
    if (!value.is_number_unsigned()) refuse(fmt::format("\"{}\": expected a whole number from 0", key));
    return value.get<std::uint64_t>();
}

inline std::int64_t signedField(const Json& object, const char* key) {
    const Json& value = field(object, key);
    if (!value.is_number_integer() || (value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX))
        refuse(fmt::format("\"{}\": expected a whole number", key));
    return value.get<std::int64_t>();
}

inline bool booleanField(const Json& object, const char* key) {
    const Json& value = field(object, key);
    if (!value.is_boolean()) refuse(fmt::format("\"{}\": expected true or false", key));
    return value.get<bool>();
}

inline const std::string& textField(const Json& object, const char* key) {
    const Json& value = field(object, key);
    if (!value.is_string()) refuse(fmt::format("\"{}\": expected a string", key));
    return value.get_ref<const std::string&>();
}

inline const Json& arrayField(const Json& object, const char* key) {
    const Json& value = field(object, key);
    if (!value.is_array()) refuse(fmt::format("\"{}\": expected an array", key));
    return value;
}

/// A number in a string: words in base 16, seeds in base 10.
inline std::uint64_t numberInText(const Json& object, const char* key, int base) {
    const std::string& text = textField(object, key);
    std::uint64_t value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (text.empty() || problem != std::errc() || end != text.data() + text.size())
        refuse(fmt::format("\"{}\": \"{}\" is not a number of base {}", key, text, base));
    return value;
}

/// Runs `take` and turns a Problem, or a JSON library's exception, into "NAME: sentence".
template <class T, class Take>
[[nodiscard]] Result<T> reading(std::string_view name, Take&& take) {
    try {
        return take();
    } catch (const Problem& problem) {
        return failure("{}: {}", name, problem.message);
    } catch (const Json::exception& problem) {
        return failure("{}: {}", name, problem.what());
    }
}

}  // namespace isobit::json_fields
