// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/object_reader.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace isobit {
namespace {

const Json kNull;

bool isSha256(std::string_view text) {
    return text.size() == 64 && std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

}  // namespace

bool isPlainText(std::string_view text) {
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (byte(i) < 0x20 || byte(i) == 0x7F) return false;
        if (byte(i) == 0xC2 && byte(i + 1) < 0xA0) return false;  // C1: U+0080 to U+009F
        if (byte(i) != 0xE2) continue;
        const bool marks = byte(i + 1) == 0x80 && ((byte(i + 2) >= 0x8E && byte(i + 2) <= 0x8F) ||
                                                   (byte(i + 2) >= 0xA8 && byte(i + 2) <= 0xAE));
        const bool isolates = byte(i + 1) == 0x81 && byte(i + 2) >= 0xA6 && byte(i + 2) <= 0xA9;
        if (marks || isolates) return false;
    }
    return true;
}

std::string shownJson(const Json& value) {
    if (value.is_object()) return fmt::format("an object of {} keys", value.size());
    if (value.is_array()) return fmt::format("a list of {}", value.size());
    std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
    if (text.size() > 60) text = text.substr(0, 57) + "...";
    return text;
}

ObjectReader::ObjectReader(const Json& object, std::string name) : ObjectReader(object, std::move(name), "") {}

ObjectReader::ObjectReader(const Json& object, std::string name, std::string place)
    : m_object(object), m_name(std::move(name)), m_place(std::move(place)) {
    if (!m_object.is_object()) expected(m_place.empty() ? "the document" : m_place, m_object, "an object");
}

bool ObjectReader::has(const char* key) const {
    if (!m_object.is_object()) return false;
    const auto found = m_object.find(key);
    return found != m_object.end() && !found->is_null();
}

const Json* ObjectReader::find(const char* key) {
    m_asked.insert(key);
    if (!good() || !has(key)) return nullptr;
    return &*m_object.find(key);
}

const Json* ObjectReader::required(const char* key, std::string_view what) {
    const Json* value = find(key);
    if (value == nullptr && good()) m_problem = fmt::format("{}: {} is missing, expected {}", m_name, placeOf(key), what);
    return value;
}

std::string ObjectReader::placeOf(const char* key) const { return m_place.empty() ? key : m_place + "." + key; }

void ObjectReader::expected(const std::string& place, const Json& found, std::string_view what) {
    if (good()) m_problem = fmt::format("{}: {} is {}, expected {}", m_name, place, shownJson(found), what);
}

void ObjectReader::refuse(const char* key, std::string_view sentence) {
    if (good()) m_problem = fmt::format("{}: {}: {}", m_name, placeOf(key), sentence);
}

void ObjectReader::take(ObjectReader& child) {
    const Result<void> done = child.finish();
    if (!done && good()) m_problem = done.error().message;
}

std::string ObjectReader::textOf(const std::string& place, const Json& value) {
    if (!value.is_string()) {
        expected(place, value, "a text");
        return {};
    }
    const auto& text = value.get_ref<const std::string&>();
    if (text.size() > kMostText || !isPlainText(text)) {
        expected(place, value, fmt::format("a text of at most {} bytes without control characters", kMostText));
        return {};
    }
    return text;
}

std::int64_t ObjectReader::wholeOf(const std::string& place, const Json& value, std::int64_t least, std::int64_t most) {
    const bool fits = value.is_number_unsigned() ? value.get<std::uint64_t>() <= static_cast<std::uint64_t>(kMostWhole)
                                                 : value.is_number_integer();
    const std::int64_t number = fits ? value.get<std::int64_t>() : 0;
    if (fits && number >= least && number <= most) return number;
    expected(place, value, fmt::format("a whole number from {} to {}", least, most));
    return least;
}

std::string ObjectReader::text(const char* key) {
    const Json* value = required(key, "a text");
    return value == nullptr ? std::string() : textOf(placeOf(key), *value);
}

std::string ObjectReader::text(const char* key, std::string_view absent) {
    const Json* value = find(key);
    return value == nullptr ? std::string(absent) : textOf(placeOf(key), *value);
}

std::string ObjectReader::choice(const char* key, std::initializer_list<std::string_view> choices) {
    std::string found = text(key);
    if (!good() || std::ranges::find(choices, found) != choices.end()) return found;
    expected(placeOf(key), Json(found), fmt::format("one of {}", fmt::join(choices, ", ")));
    return {};
}

std::string ObjectReader::choice(const char* key, std::initializer_list<std::string_view> choices,
                                 std::string_view absent) {
    if (find(key) == nullptr) return std::string(absent);
    return choice(key, choices);
}

std::int64_t ObjectReader::whole(const char* key, std::int64_t least, std::int64_t most) {
    const Json* value = required(key, "a whole number");
    return value == nullptr ? least : wholeOf(placeOf(key), *value, least, most);
}

std::int64_t ObjectReader::wholeOr(const char* key, std::int64_t absent, std::int64_t least, std::int64_t most) {
    const Json* value = find(key);
    return value == nullptr ? absent : wholeOf(placeOf(key), *value, least, most);
}

double ObjectReader::number(const char* key) {
    const Json* value = required(key, "a number");
    if (value == nullptr) return 0;
    if (!value->is_number()) expected(placeOf(key), *value, "a number");
    return value->is_number() ? value->get<double>() : 0;
}

double ObjectReader::numberOr(const char* key, double absent) { return find(key) == nullptr ? absent : number(key); }

bool ObjectReader::truth(const char* key) {
    const Json* value = required(key, "true or false");
    if (value == nullptr) return false;
    if (!value->is_boolean()) expected(placeOf(key), *value, "true or false");
    return value->is_boolean() && value->get<bool>();
}

bool ObjectReader::truthOr(const char* key, bool absent) { return find(key) == nullptr ? absent : truth(key); }

std::string ObjectReader::sha256(const char* key) {
    std::string digest = text(key, "");
    if (!good() || digest.empty() || isSha256(digest)) return digest;
    expected(placeOf(key), Json(digest), "64 lower-case hexadecimal digits");
    return {};
}

const Json* ObjectReader::listOf(const char* key) {
    const Json* value = find(key);
    if (value == nullptr) return nullptr;
    if (!value->is_array()) expected(placeOf(key), *value, "a list");
    if (value->is_array() && value->size() > kMostElements)
        expected(placeOf(key), *value, fmt::format("a list of at most {}", kMostElements));
    return good() ? value : nullptr;
}

std::vector<std::string> ObjectReader::texts(const char* key) {
    std::vector<std::string> result;
    const Json* list = listOf(key);
    for (std::size_t i = 0; list != nullptr && i < list->size() && good(); ++i)
        result.push_back(textOf(placeOf(key) + fmt::format("[{}]", i), (*list)[i]));
    return result;
}

std::vector<std::int64_t> ObjectReader::wholes(const char* key, std::int64_t least, std::int64_t most) {
    std::vector<std::int64_t> result;
    const Json* list = listOf(key);
    for (std::size_t i = 0; list != nullptr && i < list->size() && good(); ++i)
        result.push_back(wholeOf(placeOf(key) + fmt::format("[{}]", i), (*list)[i], least, most));
    return result;
}

std::vector<double> ObjectReader::numbers(const char* key) {
    std::vector<double> result;
    const Json* list = listOf(key);
    for (std::size_t i = 0; list != nullptr && i < list->size() && good(); ++i) {
        const Json& value = (*list)[i];
        if (!value.is_number()) expected(placeOf(key) + fmt::format("[{}]", i), value, "a number");
        else result.push_back(value.get<double>());
    }
    return result;
}

std::vector<std::pair<std::string, std::string>> ObjectReader::textMembers(const char* key) {
    std::vector<std::pair<std::string, std::string>> result;
    const Json* value = find(key);
    if (value == nullptr) return result;
    if (!value->is_object()) expected(placeOf(key), *value, "an object of texts");
    for (auto member = value->begin(); good() && member != value->end(); ++member) {
        const std::string name = textOf(placeOf(key) + ": a key", Json(member.key()));
        const bool scalar = member->is_boolean() || member->is_number();
        result.emplace_back(name, scalar ? member->dump() : textOf(placeOf(key) + "." + name, *member));
    }
    return result;
}

const Json& ObjectReader::any(const char* key) {
    const Json* value = find(key);
    return value == nullptr ? kNull : *value;
}

Result<void> ObjectReader::finish() {
    for (auto member = m_object.begin(); good() && m_object.is_object() && member != m_object.end(); ++member)
        if (!m_asked.contains(member.key()))
            m_problem = fmt::format("{}: {}has an unknown key {}", m_name, m_place.empty() ? "" : m_place + " ",
                                    shownJson(Json(member.key())));
    if (good()) return {};
    return tl::unexpected<Error>(Error{m_problem});
}

}  // namespace isobit
