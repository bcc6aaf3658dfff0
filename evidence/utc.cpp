// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "evidence/utc.h"

#include <algorithm>
#include <chrono>
#include <ctime>

namespace isobit::evidence {
namespace {

std::tm civil(UtcSeconds time) {
    const std::time_t seconds = time;
    std::tm parts{};
    ::gmtime_r(&seconds, &parts);
    return parts;
}

}  // namespace

UtcSeconds utcNow() { return std::chrono::system_clock::to_time_t(std::chrono::system_clock::now()); }

std::string utcText(UtcSeconds time) {
    const std::tm t = civil(time);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", t.tm_year + 1900, t.tm_mon + 1, t.tm_mday, t.tm_hour,
                       t.tm_min, t.tm_sec);
}

std::string utcDigits(UtcSeconds time) {
    const std::tm t = civil(time);
    return fmt::format("{:04}{:02}{:02}{:02}{:02}{:02}Z", t.tm_year + 1900, t.tm_mon + 1, t.tm_mday, t.tm_hour,
                       t.tm_min, t.tm_sec);
}

Result<UtcSeconds> readUtcDigits(std::string_view text) {
    const auto wrong = [&] { return failure("\"{}\" is not a time, expected YYYYMMDD[HHMM[SS]]Z", text); };
    std::string digits(text.ends_with('Z') ? text.substr(0, text.size() - 1) : text);
    const bool rightLength = digits.size() == 8 || digits.size() == 12 || digits.size() == 14;
    if (!rightLength || !std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; }))
        return wrong();
    digits.resize(14, '0');
    const auto number = [&](std::size_t at, std::size_t length) { return std::stoi(digits.substr(at, length)); };
    std::tm parts{};
    parts.tm_year = number(0, 4) - 1900;
    parts.tm_mon = number(4, 2) - 1;
    parts.tm_mday = number(6, 2);
    parts.tm_hour = number(8, 2);
    parts.tm_min = number(10, 2);
    parts.tm_sec = number(12, 2);
    const UtcSeconds time = ::timegm(&parts);
    if (utcDigits(time) != digits + "Z") return wrong();  // the 31st of February and the like
    return time;
}

bool isUtcText(std::string_view text) {
    if (text.size() != 20) return false;
    std::string digits;
    for (const std::size_t at : {0, 1, 2, 3, 5, 6, 8, 9, 11, 12, 14, 15, 17, 18}) digits += text[at];
    const Result<UtcSeconds> time = readUtcDigits(digits);
    return time && utcText(*time) == text;
}

}  // namespace isobit::evidence
