// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QTest>

#include "core/sweep/plan.h"
#include "core/sweep/presets.h"
#include "core/sweep/runner.h"

namespace isobit::support {

/// Runs a preset with some of its axes cut, as "M=1,8", on these programs. Whatever stands in the way ends the test.
inline Run runPreset(std::string_view name, const std::vector<std::string>& axes, const ProgramList& programs) {
    Plan plan = presetByName(name)->plan;
    for (const std::string& axis : axes)
        if (!overrideAxis(plan, axis)) qFatal("axis");
    const auto bound = bindPrograms(plan, [&](std::string_view) -> Result<const ProgramList*> { return &programs; });
    if (!bound) qFatal("%s", bound.error().message.c_str());
    auto outcome = runSweep(plan, *bound, {});
    if (!outcome) qFatal("%s", outcome.error().message.c_str());
    return std::move(outcome->run);
}

}  // namespace isobit::support
