// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/contracts/families_switch.h"

#include <algorithm>
#include <cctype>

namespace isobit {
namespace {

bool disables(std::string value) {
    std::transform(value.begin(), value.end(), value.begin(), [](unsigned char c) { return std::tolower(c); });
    return value == "0" || value == "false" || value == "no";
}

}  // namespace

bool familiesV2Enabled(const Environment& environment) {
    for (const char* name : {"XORL_FAMILIES_V2", "SGLANG_FAMILIES_V2"}) {
        const auto found = environment.find(name);
        if (found != environment.end() && disables(found->second)) return false;
    }
    return true;
}

Result<void> checkFamiliesPaired(const Environment& trainer, const Environment& sampler) {
    const bool trainerV2 = familiesV2Enabled(trainer);
    const bool samplerV2 = familiesV2Enabled(sampler);
    if (trainerV2 == samplerV2) return {};
    return failure("families v2 are {} in the trainer and {} in the sampler: v1 and v2 are different trees",
                   trainerV2 ? "on" : "off", samplerV2 ? "on" : "off");
}

}  // namespace isobit
