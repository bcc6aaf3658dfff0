// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace isobit {

/// One choice of an enumeration field of an arithmetic: its stable name in files and on the command line, and what it
/// means in the notation of the specification pages.
template <class Enum>
struct Choice {
    Enum value;
    std::string_view name;
    std::string_view meaning;
};

/// The choices of an enumeration field. Specialised beside each enumeration; the only list of its names.
template <class Enum>
std::span<const Choice<Enum>> choicesOf();

template <class Enum>
std::string_view nameOfChoice(Enum value) {
    for (const Choice<Enum>& choice : choicesOf<Enum>())
        if (choice.value == value) return choice.name;
    return "";
}

template <class Enum>
std::optional<Enum> choiceByName(std::string_view name) {
    for (const Choice<Enum>& choice : choicesOf<Enum>())
        if (choice.name == name) return choice.value;
    return std::nullopt;
}

}  // namespace isobit
