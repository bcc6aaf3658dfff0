// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/machine.h"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <fstream>

namespace isobit {
namespace {

constexpr std::streamsize kMostBytes = 1 << 16;  // far more than the first processor's lines

std::string startOf(const char* path) {
    std::ifstream file(path, std::ios::binary);
    std::string text(kMostBytes, '\0');
    file.read(text.data(), kMostBytes);
    text.resize(static_cast<std::size_t>(file.gcount()));
    return text;
}

// The rest of the first line that starts with `key`.
std::string_view lineAfter(std::string_view text, std::string_view key) {
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        if (line.starts_with(key)) return line.substr(key.size());
        text.remove_prefix(std::min(text.size(), line.size() + 1));
    }
    return {};
}

std::string_view trimmed(std::string_view text, std::string_view unwanted) {
    const auto first = text.find_first_not_of(unwanted);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(unwanted) - first + 1);
}

}  // namespace

std::string prettyName(std::string_view osRelease) {
    return std::string(trimmed(lineAfter(osRelease, "PRETTY_NAME="), "\"' \t\r"));
}

std::string cpuModel(std::string_view cpuInfo) {
    return std::string(trimmed(lineAfter(cpuInfo, "model name"), ": \t\r"));
}

MachineFacts machineFacts() {
    MachineFacts facts{prettyName(startOf("/etc/os-release")), {}, cpuModel(startOf("/proc/cpuinfo"))};
    utsname machine{};
    if (uname(&machine) == 0) facts.kernel = fmt::format("{} {} {}", machine.sysname, machine.release, machine.machine);
    return facts;
}

}  // namespace isobit
