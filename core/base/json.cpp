// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/json.h"

#include <set>
#include <string>
#include <vector>

namespace isobit {
namespace {

constexpr int kDepthLimit = 64;
constexpr std::size_t kKeyLimit = 10'000;  // of one object: for each new one the library looks through all the others

// Notes the keys of every open object while the library's parser builds the document.
class DuplicateKeys {
public:
    bool operator()(int depth, Json::parse_event_t event, Json& parsed) {
        if (depth > kDepthLimit) m_problem = fmt::format("nested deeper than {} levels", kDepthLimit);
        if (event == Json::parse_event_t::object_start) m_open.emplace_back();
        if (event == Json::parse_event_t::object_end) m_open.pop_back();
        if (event == Json::parse_event_t::key && !m_open.back().insert(parsed.get<std::string>()).second)
            m_problem = fmt::format("duplicate key {} in one object", parsed.dump(-1, ' ', true));  // a line feed as \n
        if (event == Json::parse_event_t::key && m_open.back().size() > kKeyLimit)
            m_problem = fmt::format("more than {} keys in one object", kKeyLimit);
        if (!m_problem.empty()) throw m_problem;  // stops the parser; caught below
        return true;
    }

private:
    std::vector<std::set<std::string>> m_open;
    std::string m_problem;
};

}  // namespace

Result<Json> parseJsonStrictly(std::string_view text, std::string_view name) {
    DuplicateKeys duplicateKeys;
    try {
        return Json::parse(text.begin(), text.end(), [&](int depth, Json::parse_event_t event, Json& parsed) {
            return duplicateKeys(depth, event, parsed);
        });
    } catch (const Json::parse_error& error) {
        return failure("{}: is not JSON at byte {}", name, error.byte);
    } catch (const Json::out_of_range&) {
        return failure("{}: holds a number that no double can hold", name);
    } catch (const Json::exception&) {
        return failure("{}: is not usable JSON", name);
    } catch (const std::string& problem) {
        return failure("{}: {}", name, problem);
    }
}

}  // namespace isobit
