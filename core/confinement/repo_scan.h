// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace isobit {

/// One tracked file, as it lies in the work tree.
struct TrackedFile {
    std::string path;  ///< below the root of the tree
    bool isLink = false;
    bool executable = false;
    std::uint64_t size = 0;
    std::string bytes;  ///< empty for a link and for what is too large
};

struct ScanOptions {
    std::uint64_t largeBytes = 1'000'000;  ///< a file above it is a finding and is not searched
    std::vector<std::string> terms;        ///< further texts that must not occur: internal names that only their owner knows
};

/// One thing that should not become public.
struct ScanFinding {
    std::string path;
    std::size_t line = 0;  ///< from 1; 0: the file as a whole or its name
    std::string rule;
    std::string excerpt;   ///< what matched, escaped, without more of the line than that
};

/// The public-safety patterns of confinement.md 8 over one file: the first match of each rule. A file that is not UTF-8 is
/// looked at from outside only. The patterns are put together from pieces, so that this project's own sources are clean.
[[nodiscard]] std::vector<ScanFinding> scanFile(const TrackedFile& file, const ScanOptions& options = {});

/// Names of the rules.
[[nodiscard]] std::vector<std::string_view> scanRules();

}  // namespace isobit
