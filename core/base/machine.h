// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace isobit {

/// What a measurement says about the machine it ran on; never its name. A text is empty where the system does not tell.
struct MachineFacts {
    std::string os;      ///< "Debian GNU/Linux 12 (bookworm)"
    std::string kernel;  ///< "Linux 6.1.0-31-amd64 x86_64"
    std::string cpu;     ///< "AMD EPYC 9554 64-Core Processor"
};

[[nodiscard]] MachineFacts machineFacts();

/// The value of PRETTY_NAME in the text of an os-release file, without its quotes; empty if there is none.
[[nodiscard]] std::string prettyName(std::string_view osRelease);
/// The first "model name" in the text of /proc/cpuinfo; empty if there is none.
[[nodiscard]] std::string cpuModel(std::string_view cpuInfo);

}  // namespace isobit
