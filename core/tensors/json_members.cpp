// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/tensors/json_members.h"

#include <algorithm>
#include <unordered_set>

#include "core/base/json.h"
#include "core/tensors/confinement.h"

namespace isobit {
namespace {

class Splitter {
public:
    Splitter(std::string_view text, std::string_view where) : m_text(text), m_where(where) {}

    Result<std::vector<JsonMember>> split() {
        std::vector<JsonMember> members;
        std::unordered_set<std::string_view> keys;
        if (!take('{')) return notJson();
        for (bool more = !next('}'); more; more = take(',')) {
            auto member = takeMember();
            if (!member) return failureOf(member);
            members.push_back(std::move(*member));
        }
        if (!take('}')) return notJson();
        skipBlanks();
        if (m_at != m_text.size()) return notJson();
        for (const JsonMember& member : members)
            if (!keys.insert(member.key).second)
                return failure("{}: offset {}: duplicate key \"{}\" in one object", m_where, member.offset,
                               printable(member.key));
        return members;
    }

private:
    [[nodiscard]] tl::unexpected<Error> notJson() const { return failure("{}: is not JSON at byte {}", m_where, m_at); }
    void skipBlanks() {
        m_at = std::min(m_text.find_first_not_of(" \t\r\n", m_at), m_text.size());
    }
    bool next(char c) {
        skipBlanks();
        return m_at < m_text.size() && m_text[m_at] == c;
    }
    bool take(char c) {
        if (!next(c)) return false;
        ++m_at;
        return true;
    }

    Result<JsonMember> takeMember() {
        if (!next('"')) return notJson();
        const std::size_t offset = m_at;
        skipText();
        const auto key = parseJsonStrictly(m_text.substr(offset, m_at - offset), m_where);
        if (!key || !key->is_string()) return failure("{}: is not JSON at byte {}", m_where, offset);
        if (!take(':')) return notJson();
        skipBlanks();
        const std::size_t begin = m_at;
        skipValue();
        if (m_at == begin) return notJson();
        return JsonMember{key->get<std::string>(), m_text.substr(begin, m_at - begin), offset};
    }

    // From a quote to behind the one that ends the text.
    void skipText() {
        for (++m_at; m_at < m_text.size() && m_text[m_at] != '"'; ++m_at)
            if (m_text[m_at] == '\\') ++m_at;
        m_at = std::min(m_at + 1, m_text.size());
    }
    void skipValue() {
        std::size_t depth = 0;
        while (m_at < m_text.size()) {
            const char c = m_text[m_at];
            if (c == '"') {
                skipText();
                if (depth == 0) return;
                continue;
            }
            if (depth == 0 && (c == ',' || c == '}' || c == ']')) return;
            if (c == '{' || c == '[') ++depth;
            ++m_at;
            if ((c == '}' || c == ']') && --depth == 0) return;
        }
    }

    std::string_view m_text;
    std::string_view m_where;
    std::size_t m_at = 0;
};

}  // namespace

Result<std::vector<JsonMember>> membersOf(std::string_view text, std::string_view where) {
    return Splitter(text, where).split();
}

const JsonMember* findMember(const std::vector<JsonMember>& members, std::string_view key) {
    const auto found = std::find_if(members.begin(), members.end(), [&](const JsonMember& m) { return m.key == key; });
    return found == members.end() ? nullptr : &*found;
}

}  // namespace isobit
