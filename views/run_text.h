// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/sweep/run.h"

namespace isobit::views {

/// "rmsnorm-72".
[[nodiscard]] QString titleOf(const Run& run);
/// "trainer reference:norm.v2  ·  sampler reference:norm.v2, rows alone".
[[nodiscard]] QString pairingOf(const Run& run);
[[nodiscard]] QString programText(const ProgramRef& program);
/// "71 of 72 cells equal", with what did not run or failed.
[[nodiscard]] QString verdictOf(const Run& run);
/// "CPU model sm_90 (table 4be1a0c2…)" or "measured on NVIDIA H200": what the numbers rest on.
[[nodiscard]] QString engineOf(const Run& run);
/// "H 12288  M 64".
[[nodiscard]] QString coordinatesOf(const Plan& plan, const CellResult& cell);

enum class Verdict { Equal, Different, Failed, Partial, None };
/// Different as soon as one cell differs; Equal only if every cell ran and is equal.
[[nodiscard]] Verdict verdictKind(const Run& run);
/// "EQUAL", "DIFFERENT", "FAILED", "PARTIAL", "-".
[[nodiscard]] QString wordOf(Verdict verdict);

}  // namespace isobit::views
