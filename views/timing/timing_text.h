// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/sweep/timing_report.h"

namespace isobit::views {

/// "1.234", microseconds; a dash for none.
[[nodiscard]] QString microseconds(std::optional<double> timeUs);
/// "1.035×", "1" for exactly one, a dash for none.
[[nodiscard]] QString ratio(std::optional<double> value);
/// "94.5 %", a dash for none.
[[nodiscard]] QString percent(std::optional<double> share);

/// "NVIDIA H200, median of 11 replays, copy 4.25 TB/s".
[[nodiscard]] QString sourceText(const DispatchTable& table);
/// "frozen rule: 2 of 72 cells misclassified, worst 1.035×".
[[nodiscard]] QString ruleText(const TimingReport& report);
/// "cluster to fused at about 41 rows (32 to 64 measured)".
[[nodiscard]] QString crossingText(const Crossing& crossing);
/// The command that prints the same judgement.
[[nodiscard]] QString checkCommand(const TimingReport& report);

}  // namespace isobit::views
