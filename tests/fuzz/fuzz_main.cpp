// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0

// libFuzzer's entry for the target that ISOBIT_FUZZ_TARGET names.
#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "tests/fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const auto targets = isobit::fuzz::targets();
    static const auto target = std::find_if(targets.begin(), targets.end(),
                                            [](const auto& t) { return t.name == ISOBIT_FUZZ_TARGET; });
    if (target == targets.end()) std::abort();
    target->run(std::as_bytes(std::span(data, size)));
    return 0;
}
