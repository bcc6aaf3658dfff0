// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "evidence/text_rules.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "evidence/utc.h"

namespace isobit::evidence {
namespace {

constexpr std::size_t kNameLimitBytes = 200;
constexpr std::string_view kDataPrefix = "data/";

bool isLowerOrDigit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

bool isNameCharacter(char c) { return isLowerOrDigit(c) || c == '_' || c == '-'; }

// Windows opens a device under these names, whatever extension follows.
bool isReserved(std::string_view component) {
    const std::string_view stem = component.substr(0, component.find('.'));
    if (stem == "con" || stem == "nul" || stem == "aux" || stem == "prn") return true;
    return stem.size() == 4 && (stem.starts_with("com") || stem.starts_with("lpt")) && stem[3] >= '0' && stem[3] <= '9';
}

// Calls holds for each part between slashes; an empty part never holds.
bool allComponents(std::string_view path, bool (*holds)(std::string_view)) {
    while (true) {
        const std::size_t slash = path.find('/');
        if (!holds(path.substr(0, slash))) return false;
        if (slash == std::string_view::npos) return true;
        path.remove_prefix(slash + 1);
    }
}

bool isSourceComponent(std::string_view part) {
    return !part.empty() && part[0] != '.' && part[0] != '-' && std::all_of(part.begin(), part.end(), [](char c) {
        return isNameCharacter(c) || (c >= 'A' && c <= 'Z') || c == '.' || c == '+';
    });
}

bool isSha256(std::string_view text) { return isHex(text, 64); }

}  // namespace

bool isHex(std::string_view text, std::size_t length) {
    return text.size() == length && std::all_of(text.begin(), text.end(), [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
           });
}

bool isPlainComponent(std::string_view text) {
    if (text.empty() || text.size() > kNameLimitBytes || !isLowerOrDigit(text[0]) || text.back() == '.') return false;
    for (std::size_t i = 1; i < text.size(); ++i)
        if (!isNameCharacter(text[i]) && !(text[i] == '.' && text[i - 1] != '.')) return false;
    return !isReserved(text);
}

bool isDataName(std::string_view text) {
    return text.size() <= kNameLimitBytes && text.starts_with(kDataPrefix) &&
           allComponents(text.substr(kDataPrefix.size()), isPlainComponent);
}

bool isSourcePath(std::string_view text) { return text.size() <= 1024 && allComponents(text, isSourceComponent); }

bool isDecimal64(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    return !text.empty() && problem == std::errc() && end == text.data() + text.size() &&
           (text == "0" || text[0] != '0');
}

namespace rule {
const TextRule anyText{"a text", [](std::string_view) { return true; }};
const TextRule notEmpty{"a text that is not empty", [](std::string_view text) { return !text.empty(); }};
const TextRule sha256{"64 lower-case hexadecimal digits", isSha256};
const TextRule sha256OrEmpty{"64 lower-case hexadecimal digits or nothing",
                             [](std::string_view text) { return text.empty() || isSha256(text); }};
const TextRule sha256OrNone{"64 lower-case hexadecimal digits, none or unknown", [](std::string_view text) {
                                return text == "none" || text == "unknown" || isSha256(text);
                            }};
const TextRule gitId{"a Git object id", [](std::string_view text) { return isHex(text, 40) || isHex(text, 64); }};
const TextRule token{"32 lower-case hexadecimal digits", [](std::string_view text) { return isHex(text, 32); }};
const TextRule component{"a name of [a-z0-9_-] and single dots", isPlainComponent};
const TextRule dataName{"data/ and names of [a-z0-9_-] and single dots, at most 200 bytes", isDataName};
const TextRule sourcePath{"a path below the repository's root", isSourcePath};
const TextRule decimal{"a decimal integer of at most 64 bits", isDecimal64};
const TextRule decimalOrEmpty{"a decimal integer of at most 64 bits or nothing",
                              [](std::string_view text) { return text.empty() || isDecimal64(text); }};
const TextRule utc{"a time such as 2026-01-31T09:30:00Z", isUtcText};
}  // namespace rule

}  // namespace isobit::evidence
