// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/tensors/json_record.h"

#include <array>
#include <bit>
#include <limits>
#include <string>

namespace isobit {
namespace {

using namespace std::string_view_literals;

// Each stands in the JSON that the parser sees as a text which begins with a NUL; a line that has such texts of its own
// is left as it is.
constexpr std::array kTokens{"NaN"sv, "Infinity"sv, "-Infinity"sv};
constexpr std::string_view kEscapedNul = "\\u0000";

bool isWordCharacter(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || c == '-';
}

// The token at the front of `rest`, or empty.
std::string_view tokenAt(std::string_view rest) {
    for (const std::string_view token : kTokens)
        if (rest.starts_with(token) && (rest.size() == token.size() || !isWordCharacter(rest[token.size()]))) return token;
    return {};
}

std::string withTokensQuoted(std::string_view line) {
    std::string result;
    bool inText = false;
    for (std::size_t at = 0; at < line.size(); ++at) {
        const bool startsWord = !inText && (at == 0 || !isWordCharacter(line[at - 1]));
        if (const auto token = startsWord ? tokenAt(line.substr(at)) : ""sv; !token.empty()) {
            result += fmt::format("\"{}{}\"", kEscapedNul, token);
            at += token.size() - 1;
            continue;
        }
        if (line[at] == '"') inText = !inText;
        result += line[at];
        if (inText && line[at] == '\\' && at + 1 < line.size()) result += line[++at];
    }
    return result;
}

void putNumbersBack(Json& value) {
    if (value.is_structured()) {
        for (Json& element : value) putNumbersBack(element);
    } else if (value.is_string()) {
        const auto& text = value.get_ref<const std::string&>();
        if (text == "\0NaN"sv) value = std::numeric_limits<double>::quiet_NaN();
        else if (text == "\0Infinity"sv) value = std::numeric_limits<double>::infinity();
        else if (text == "\0-Infinity"sv) value = -std::numeric_limits<double>::infinity();
    }
}

}  // namespace

Result<Json> parseRecord(std::string_view line, std::string_view where) {
    auto record = parseJsonStrictly(line, where);
    if (record || line.find(kEscapedNul) != std::string_view::npos) return record;
    auto quoted = parseJsonStrictly(withTokensQuoted(line), where);
    if (!quoted) return record;  // whose error has the offset in the line itself
    putNumbersBack(*quoted);
    return quoted;
}

std::optional<double> numberOf(const Json& value) {
    if (value.is_number()) return value.get<double>();
    if (value.is_null()) return std::bit_cast<double>(kMissingNumber);
    return std::nullopt;
}

}  // namespace isobit
