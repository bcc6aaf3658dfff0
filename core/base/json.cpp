// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/json.h"

#include <set>
#include <string>
#include <vector>

namespace isobit {
namespace {

constexpr std::size_t kDepthLimit = 64;
constexpr std::size_t kKeyLimit = 10'000;  // of one object: for each new one the library looks through all the others

// Looks at depth and keys before a document is built. As a pass of its own, since the library's parser with a callback
// goes through all elements of an array at the end of each object in it.
class Structure final : public nlohmann::json_sax<Json> {
public:
    [[nodiscard]] const std::string& problem() const { return m_problem; }

    bool null() override { return value(); }
    bool boolean(bool) override { return value(); }
    bool number_integer(number_integer_t) override { return value(); }
    bool number_unsigned(number_unsigned_t) override { return value(); }
    bool number_float(number_float_t, const string_t&) override { return value(); }
    bool string(string_t&) override { return value(); }
    bool binary(binary_t&) override { return value(); }
    bool start_object(std::size_t) override { return open(); }
    bool start_array(std::size_t) override { return open(); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(string_t& name) override {
        std::set<std::string>& keys = m_keys.back();
        if (!keys.insert(name).second)
            m_problem =
                fmt::format("duplicate key {} in one object", Json(name).dump(-1, ' ', true));  // a line feed as \n
        else if (keys.size() > kKeyLimit)
            m_problem = fmt::format("more than {} keys in one object", kKeyLimit);
        return m_problem.empty();
    }
    // What is wrong with the text is said when it is parsed.
    bool parse_error(std::size_t, const std::string&, const Json::exception&) override { return false; }

private:
    bool value() {
        if (m_keys.size() > kDepthLimit) m_problem = fmt::format("nested deeper than {} levels", kDepthLimit);
        return m_problem.empty();
    }
    bool open() {
        const bool allowed = value();
        m_keys.emplace_back();
        return allowed;
    }
    bool close() {
        m_keys.pop_back();
        return true;
    }

    std::vector<std::set<std::string>> m_keys;  // of every open object; none of an open array
    std::string m_problem;
};

// What a text is instead of a document, in words that say more than an offset: "" where it may be one. The library
// would pass over a byte order mark; a digest of the text would not, so one text has one spelling.
std::string_view insteadOfJson(std::string_view text) {
    if (text.empty()) return "is empty, expected one JSON document";
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
        return "holds nothing but white space, expected one JSON document";
    if (text.starts_with("\xEF\xBB\xBF"))
        return "starts with a byte order mark (EF BB BF), which JSON does not allow: save it as UTF-8 without one";
    if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) return "is UTF-16, expected JSON in UTF-8";
    return "";
}

}  // namespace

Result<Json> parseJsonStrictly(std::string_view text, std::string_view name) {
    if (const std::string_view instead = insteadOfJson(text); !instead.empty()) return failure("{}: {}", name, instead);
    try {
        Structure structure;
        Json::sax_parse(text.begin(), text.end(), &structure);
        if (!structure.problem().empty()) return failure("{}: {}", name, structure.problem());
        return Json::parse(text.begin(), text.end());
    } catch (const Json::parse_error& error) {
        return failure("{}: is not JSON at byte {}", name, error.byte);
    } catch (const Json::out_of_range&) {
        return failure("{}: holds a number that no double can hold", name);
    } catch (const Json::exception&) {
        return failure("{}: is not usable JSON", name);
    }
}

}  // namespace isobit
