// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0

// replay SEEDS CASES: runs every target over its recorded seeds and findings in SEEDS/NAME, and over the files of CASES.
// Fails by crashing, by a sanitizer's report, or when a target has no seeds.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/fuzz/targets.h"

namespace {

int runFolder(const isobit::fuzz::Target& target, const std::filesystem::path& folder) {
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        std::ifstream stream(entry.path(), std::ios::binary);
        const std::vector<char> bytes{std::istreambuf_iterator<char>(stream), {}};
        target.run(std::as_bytes(std::span(bytes)));
        ++files;
    }
    return files;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) return 2;
    for (const isobit::fuzz::Target& target : isobit::fuzz::targets()) {
        const int seeds = runFolder(target, std::filesystem::path(argv[1]) / target.name);
        const int cases = runFolder(target, argv[2]);
        std::printf("%s: %d seeds, %d cases\n", std::string(target.name).c_str(), seeds, cases);
        if (seeds == 0) return 1;
    }
    return 0;
}
