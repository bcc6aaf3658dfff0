// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"

namespace isobit {

/// Reads one object of a document that somebody else wrote. The first problem is kept as one sentence: the document, the
/// place in it ("contracts[2].observed"), what was found and what was expected. After it every read gives an empty value,
/// so whoever reads asks once, at the end. A key that nobody asked for is a problem too: a misspelt one would be lost.
class ObjectReader {
public:
    /// `name` names the document in the sentence (a path); `object` outlives the reader.
    ObjectReader(const Json& object, std::string name);

    /// Whether the object has that key with something else than null.
    [[nodiscard]] bool has(const char* key) const;
    /// A text without control characters, of at most 4096 bytes. The second form: where the key is absent.
    [[nodiscard]] std::string text(const char* key);
    [[nodiscard]] std::string text(const char* key, std::string_view absent);
    /// One of `choices`.
    [[nodiscard]] std::string choice(const char* key, std::initializer_list<std::string_view> choices);
    [[nodiscard]] std::string choice(const char* key, std::initializer_list<std::string_view> choices,
                                     std::string_view absent);
    /// A whole number from `least` to `most`.
    [[nodiscard]] std::int64_t whole(const char* key, std::int64_t least = 0, std::int64_t most = kMostWhole);
    [[nodiscard]] std::int64_t wholeOr(const char* key, std::int64_t absent, std::int64_t least = 0,
                                       std::int64_t most = kMostWhole);
    [[nodiscard]] double number(const char* key);
    [[nodiscard]] double numberOr(const char* key, double absent);
    [[nodiscard]] bool truth(const char* key);
    [[nodiscard]] bool truthOr(const char* key, bool absent);
    /// "" or 64 lower-case hexadecimal digits.
    [[nodiscard]] std::string sha256(const char* key);
    /// Lists; empty where the key is absent.
    [[nodiscard]] std::vector<std::string> texts(const char* key);
    [[nodiscard]] std::vector<std::int64_t> wholes(const char* key, std::int64_t least = 0,
                                                   std::int64_t most = kMostWhole);
    [[nodiscard]] std::vector<double> numbers(const char* key);
    /// An object of texts in its order; a number or a truth value becomes the text that JSON writes for it. Empty where
    /// the key is absent.
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> textMembers(const char* key);
    /// Any value, for whoever looks into it; null where the key is absent. Counts as asked for.
    [[nodiscard]] const Json& any(const char* key);

    /// Calls read(ObjectReader&) for every object of a list; not at all where the key is absent.
    template <class Read>
    void each(const char* key, Read&& read) {
        const Json* list = listOf(key);
        for (std::size_t i = 0; list != nullptr && i < list->size() && good(); ++i) {
            ObjectReader one((*list)[i], m_name, placeOf(key) + fmt::format("[{}]", i));
            if (one.good()) read(one);
            take(one);
        }
    }
    /// Calls read(ObjectReader&) for the object of that key, if there is one.
    template <class Read>
    void object(const char* key, Read&& read) {
        const Json* value = find(key);
        if (value == nullptr) return;
        ObjectReader one(*value, m_name, placeOf(key));
        if (one.good()) read(one);
        take(one);
    }

    /// Notes a problem of this object's own rules: "PLACE.key: sentence". The first one stays.
    void refuse(const char* key, std::string_view sentence);
    [[nodiscard]] bool good() const { return m_problem.empty(); }
    /// The problem, if there is one; else a key of the object that was never asked for is one.
    [[nodiscard]] Result<void> finish();

    static constexpr std::int64_t kMostWhole = 9'007'199'254'740'991;  ///< 2^53 - 1: exact in every JSON reader
    static constexpr std::size_t kMostText = 4096;
    static constexpr std::size_t kMostElements = 1u << 20;

private:
    ObjectReader(const Json& object, std::string name, std::string place);
    [[nodiscard]] const Json* find(const char* key);
    [[nodiscard]] const Json* required(const char* key, std::string_view expected);
    [[nodiscard]] const Json* listOf(const char* key);
    [[nodiscard]] std::string placeOf(const char* key) const;
    void expected(const std::string& place, const Json& found, std::string_view what);
    std::string textOf(const std::string& place, const Json& value);
    std::int64_t wholeOf(const std::string& place, const Json& value, std::int64_t least, std::int64_t most);
    void take(ObjectReader& child);

    const Json& m_object;
    std::string m_name;
    std::string m_place;
    std::set<std::string, std::less<>> m_asked;
    std::string m_problem;
};

/// Whether a text has no control characters: none that moves a cursor, starts a command of a terminal or turns the
/// direction of text. `text` is UTF-8.
[[nodiscard]] bool isPlainText(std::string_view text);

/// A value for a sentence: JSON in ASCII, at most 60 bytes.
[[nodiscard]] std::string shownJson(const Json& value);

}  // namespace isobit
