// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/tensors/dump_name.h"

#include <algorithm>
#include <array>

namespace isobit {
namespace {

constexpr std::array<std::string_view, 9> kCounters{"rank", "step", "tp", "pp", "dp", "ep", "cp", "iter", "pass"};

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool allDigits(std::string_view text) { return !text.empty() && std::all_of(text.begin(), text.end(), isDigit); }
bool isSeparator(char c) { return c == '_' || c == '-' || c == '.'; }

std::vector<std::string_view> splitAt(std::string_view text, std::string_view separator) {
    std::vector<std::string_view> pieces;
    for (std::size_t at; (at = text.find(separator)) != std::string_view::npos; text.remove_prefix(at + separator.size()))
        pieces.push_back(text.substr(0, at));
    pieces.push_back(text);
    return pieces;
}

// KEY=VALUE pieces, or nothing when one of them is none.
DumpName parsePairs(std::string_view stem) {
    DumpName name;
    for (const std::string_view piece : splitAt(stem, "___")) {
        const auto equals = piece.find('=');
        if (equals == 0 || equals == std::string_view::npos) return {};
        const std::string_view key = piece.substr(0, equals);
        const std::string_view value = piece.substr(equals + 1);
        if (key == "name") name.tensor = value;
        else name.tags.emplace_back(key, value);
    }
    return name;
}

struct NameWord {
    std::string_view text;
    std::size_t begin;
    std::size_t end;  // behind the separator that follows
};

std::vector<NameWord> wordsOf(std::string_view stem) {
    std::vector<NameWord> words;
    for (std::size_t begin = 0; begin < stem.size();) {
        std::size_t end = begin;
        while (end < stem.size() && !isSeparator(stem[end])) ++end;
        words.push_back({stem.substr(begin, end - begin), begin, std::min(end + 1, stem.size())});
        begin = end + 1;
    }
    return words;
}

}  // namespace

DumpName parseDumpName(std::string_view stem) {
    if (stem.find('=') != std::string_view::npos) {
        DumpName pairs = parsePairs(stem);
        if (!pairs.tensor.empty()) return pairs;
    }
    DumpName name;
    const std::vector<NameWord> words = wordsOf(stem);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string_view word = words[i].text;
        const auto counter = std::find_if(kCounters.begin(), kCounters.end(), [&](std::string_view c) {
            return word.starts_with(c) && (word.size() == c.size() || allDigits(word.substr(c.size())));
        });
        const bool numberFollows = i + 1 < words.size() && allDigits(words[i + 1].text);
        if (counter != kCounters.end() && (word.size() > counter->size() || numberFollows)) {
            const std::string_view number = word.size() > counter->size() ? word.substr(counter->size()) : words[++i].text;
            name.tags.emplace_back(*counter, number);
        } else {
            name.tensor += stem.substr(words[i].begin, words[i].end - words[i].begin);
        }
    }
    while (!name.tensor.empty() && isSeparator(name.tensor.back())) name.tensor.pop_back();
    if (name.tensor.empty()) name.tensor = stem;
    return name;
}

bool naturallyBefore(std::string_view a, std::string_view b) {
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < a.size() && j < b.size()) {
        if (!isDigit(a[i]) || !isDigit(b[j])) {
            if (a[i] != b[j]) return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[j]);
            ++i;
            ++j;
            continue;
        }
        while (i < a.size() && a[i] == '0') ++i;
        while (j < b.size() && b[j] == '0') ++j;
        std::size_t endA = i;
        std::size_t endB = j;
        while (endA < a.size() && isDigit(a[endA])) ++endA;
        while (endB < b.size() && isDigit(b[endB])) ++endB;
        if (endA - i != endB - j) return endA - i < endB - j;
        const int order = a.substr(i, endA - i).compare(b.substr(j, endB - j));
        if (order != 0) return order < 0;
        i = endA;
        j = endB;
    }
    if ((i < a.size()) != (j < b.size())) return j < b.size();
    return a < b;  // equal but for leading zeros: any fixed order
}

}  // namespace isobit
