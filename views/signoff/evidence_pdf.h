// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/base/result.h"

namespace isobit::views {

/// Writes the report that `isobit evidence show --format html` prints as a PDF file on A4 pages; the grid stays a vector
/// drawing's picture at 300 dots an inch. May be called on a worker thread.
[[nodiscard]] Result<void> writeEvidencePdf(const QString& html, const QString& path);

}  // namespace isobit::views
