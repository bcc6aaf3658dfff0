// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "evidence/ej1.h"

#include <algorithm>
#include <set>
#include <vector>

namespace isobit::evidence {
namespace {

// Builds the document from the parser's events and stops at the first thing that the profile has no place for.
class Ej1Builder final : public nlohmann::json_sax<CanonicalJson> {
public:
    bool null() override { return refuse("holds null"); }
    bool boolean(bool value) override { return add(value); }
    bool number_integer(number_integer_t) override { return refuse("holds a number with a minus sign"); }
    bool number_unsigned(number_unsigned_t value) override {
        return value <= kEj1LargestInteger ? add(value) : refuse(fmt::format("holds {}, above 2^53 - 1", value));
    }
    bool number_float(number_float_t, const string_t& text) override {
        return refuse(fmt::format("holds the number {}, which is not an integer of at most 53 bits", text));
    }
    bool string(string_t& value) override {
        return isPlain(value) ? add(std::move(value)) : refuse("holds an escape other than \\\" and \\\\");
    }
    bool binary(binary_t&) override { return refuse("holds binary data"); }
    bool start_object(std::size_t) override { return open(CanonicalJson::object()); }
    bool start_array(std::size_t) override { return open(CanonicalJson::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(string_t& name) override {
        if (!isPlain(name)) return refuse("holds a key with an escape");
        if (!m_keys.back().insert(name).second)
            return refuse(fmt::format("key \"{}\" occurs twice in one object", name));
        m_key = name;
        return true;
    }
    bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
        return refuse(fmt::format("is not one JSON document: byte {}", position));
    }

    CanonicalJson document;
    std::string problem;

private:
    static bool isPlain(std::string_view text) {
        return std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c <= 0x7e; });
    }
    bool refuse(std::string reason) {
        problem = std::move(reason);
        return false;
    }
    CanonicalJson& place(CanonicalJson value) {
        if (m_open.empty()) return document = std::move(value);
        CanonicalJson& parent = *m_open.back();
        if (parent.is_object()) return parent[m_key] = std::move(value);
        parent.push_back(std::move(value));
        return parent.back();
    }
    bool add(CanonicalJson value) {
        place(std::move(value));
        return true;
    }
    bool open(CanonicalJson container) {
        if (m_open.size() == kEj1DepthLimit) return refuse(fmt::format("nested deeper than {} levels", kEj1DepthLimit));
        m_open.push_back(&place(std::move(container)));  // a parent's elements do not move while a child is open
        m_keys.emplace_back();
        return true;
    }
    bool close() {
        m_open.pop_back();
        m_keys.pop_back();
        return true;
    }

    std::vector<CanonicalJson*> m_open;
    std::vector<std::set<std::string>> m_keys;  // one set for each open container
    std::string m_key;
};

Result<void> checkBytes(std::string_view text, std::string_view name) {
    if (text.size() > kEj1LimitBytes)
        return failure("{}: {} bytes, expected at most {}", name, text.size(), kEj1LimitBytes);
    const auto foreign =
        std::find_if(text.begin(), text.end(), [](char c) { return c != '\n' && (c < 0x20 || c > 0x7e); });
    if (foreign == text.end()) return {};
    const std::size_t offset = static_cast<std::size_t>(foreign - text.begin());
    if (*foreign == '\r')
        return failure("{}: carriage return at byte {}: line endings were converted to CRLF (core.autocrlf)", name,
                       offset);
    return failure("{}: byte {:#04x} at offset {}, expected printable ASCII and LF", name,
                   static_cast<unsigned>(static_cast<unsigned char>(*foreign)), offset);
}

}  // namespace

Result<CanonicalJson> readEj1(std::string_view text, std::string_view name) {
    if (const Result<void> bytes = checkBytes(text, name); !bytes) return failureOf(bytes);
    Ej1Builder builder;
    if (!CanonicalJson::sax_parse(text.begin(), text.end(), &builder)) return failure("{}: {}", name, builder.problem);
    const std::string canonical = writeEj1(builder.document);
    if (canonical != text) {
        const auto [found, expected] = std::mismatch(text.begin(), text.end(), canonical.begin(), canonical.end());
        return failure("{}: not in canonical form from byte {} on (jq -S --indent 2 . gives the only accepted bytes)",
                       name, found - text.begin());
    }
    return std::move(builder.document);
}

std::string writeEj1(const CanonicalJson& document) { return document.dump(2) + "\n"; }

}  // namespace isobit::evidence
