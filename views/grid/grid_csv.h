// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include "core/sweep/run.h"

namespace isobit::views {

/// One line a cell and output: the axes, status, output, elements, different, max_ulp, worst, both digests. RFC 4180,
/// UTF-8, lines end in CR LF. A cell without outputs has one line.
[[nodiscard]] QByteArray gridCsv(const Run& run);

}  // namespace isobit::views
