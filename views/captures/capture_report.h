// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/compare/comparison.h"
#include "views/captures/capture.h"

namespace isobit::views {

/// The whole comparison for a message or a report: checks, first divergence with its reason, a table of what is not
/// equal, the log-probabilities, and the command that gives the same answer.
[[nodiscard]] QString markdownReport(const Capture& capture);
/// The same document as `isobit compare --json`.
[[nodiscard]] QString jsonReport(const Capture& capture);
/// One tensor, and if given the element that is looked at, as plain lines.
[[nodiscard]] QString plainReport(const Capture& capture, const WalkStep& step, const std::optional<ElementDifference>& element);

}  // namespace isobit::views
