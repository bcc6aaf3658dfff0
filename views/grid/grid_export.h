// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/base/result.h"
#include "views/palette/theme.h"
#include "views/run_ptr.h"

namespace isobit::views {

struct GridExport {
    RunPtr run;
    std::string output;   ///< empty: all outputs
    QString digestLine;   ///< what identifies the run, at the foot of the figure
    const Theme* theme = &lightTheme();
};

/// Writes the grid to a file whose suffix says the format: .png (twice the screen's size), .svg and .pdf as vectors, .csv
/// as numbers. A figure holds title, pairing, legend and digest line. The file is written whole or not at all.
[[nodiscard]] Result<void> exportGrid(const GridExport& what, const QString& path);

}  // namespace isobit::views
