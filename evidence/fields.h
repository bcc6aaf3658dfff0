// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "evidence/ej1.h"
#include "evidence/text_rules.h"

// Each record of a signed statement has one function visitFields(record, visit) that calls visit("key", member) or
// visit("key", textMember, rule) for every field. Reading, writing, comparing and showing all walk that one list.

namespace isobit::evidence {

struct FieldProbe {
    template <class T>
    void operator()(const char*, T&, const TextRule& = rule::anyText) const {}
};

template <class T>
concept Record = requires(T& record, FieldProbe probe) {
    visitFields(record, probe);
};

template <class T>
struct IsList : std::false_type {};
template <class T>
struct IsList<std::vector<T>> : std::true_type {};

/// The JSON value of a record, a list or a plain value.
template <class T>
[[nodiscard]] CanonicalJson jsonOf(const T& value) {
    if constexpr (Record<T>) {
        CanonicalJson object = CanonicalJson::object();
        visitFields(const_cast<T&>(value), [&](const char* key, auto& member, const TextRule& = rule::anyText) {
            object[key] = jsonOf(member);
        });
        return object;
    } else if constexpr (IsList<T>::value) {
        CanonicalJson list = CanonicalJson::array();
        for (const auto& element : value) list.push_back(jsonOf(element));
        return list;
    } else {
        return CanonicalJson(value);
    }
}

/// Fills `value` from its JSON value. Every field must be there, with its type and in its rule, and nothing else; the
/// first problem is left in `problem` as one sentence that names the place.
template <class T>
void readFields(const CanonicalJson& json, T& value, const TextRule& textRule, const std::string& place,
                std::string& problem) {
    const auto refuse = [&](std::string_view found, std::string_view expected) {
        if (problem.empty()) problem = fmt::format("{} is {}, expected {}", place, found, expected);
    };
    if (!problem.empty()) return;
    if constexpr (Record<T>) {
        if (!json.is_object()) return refuse(json.type_name(), "an object");
        std::size_t known = 0;
        visitFields(value, [&](const char* key, auto& member, const TextRule& memberRule = rule::anyText) {
            const std::string memberPlace = place.empty() ? key : place + "." + key;
            const auto found = json.find(key);
            if (found == json.end()) {
                if (problem.empty()) problem = memberPlace + " is missing";
                return;
            }
            ++known;
            readFields(*found, member, memberRule, memberPlace, problem);
        });
        if (problem.empty() && known != json.size()) {
            for (const auto& item : json.items()) {
                const std::string& key = item.key();
                bool isKnown = false;
                visitFields(value,
                            [&](const char* name, auto&, const TextRule& = rule::anyText) { isKnown |= key == name; });
                if (!isKnown && problem.empty())
                    problem =
                        fmt::format("{} has the unknown key \"{}\"", place.empty() ? "the statement" : place, key);
            }
        }
    } else if constexpr (IsList<T>::value) {
        if (!json.is_array()) return refuse(json.type_name(), "a list");
        value.resize(json.size());
        for (std::size_t i = 0; i < json.size(); ++i)
            readFields(json[i], value[i], textRule, fmt::format("{}[{}]", place, i), problem);
    } else if constexpr (std::same_as<T, std::string>) {
        if (!json.is_string()) return refuse(json.type_name(), "a text");
        value = json.get_ref<const std::string&>();
        if (!textRule.holds(value)) refuse(fmt::format("\"{}\"", value), textRule.expected);
    } else if constexpr (std::same_as<T, bool>) {
        if (!json.is_boolean()) return refuse(json.type_name(), "true or false");
        value = json;
    } else {
        static_assert(std::same_as<T, std::uint64_t>, "the profile has no other kind of value");
        if (!json.is_number_unsigned()) return refuse(json.type_name(), "an integer");
        value = json;
    }
}

/// A record from the document that readEj1 gave; `name` names the text in the error.
template <Record T>
[[nodiscard]] Result<T> recordOf(const CanonicalJson& document, std::string_view name) {
    T record;
    std::string problem;
    readFields(document, record, rule::anyText, "", problem);
    if (!problem.empty()) return failure("{}: {}", name, problem);
    return record;
}

/// True if the elements are in strictly rising order of `keyOf`, so sorted and unique.
template <class T, class KeyOf>
[[nodiscard]] bool isStrictlySorted(const std::vector<T>& list, KeyOf keyOf) {
    return std::adjacent_find(list.begin(), list.end(), [&](const T& left, const T& right) {
               return !(keyOf(left) < keyOf(right));
           }) == list.end();
}

}  // namespace isobit::evidence
