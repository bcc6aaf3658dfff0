// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <QStringList>
#include <optional>

#include "core/capture/capture_choices.h"
#include "views/palette/appearance.h"

namespace isobit::workbench {

/// What `isobit-workbench` was asked for.
struct Options {
    QString file;        ///< run file, file or folder of tensors to open; empty: what was open last
    QString other;       ///< the sampler's, to compare the trainer's `file` with; empty: nothing is compared
    QString view;        ///< id of the view to show, as in the View menu; empty: the one that fits best
    QString tensor;      ///< name of the tensor to select; empty: the first that differs
    QString screenshot;  ///< PNG of the window to write instead of staying open
    QString figure;      ///< figure or table of the grid to write instead of staying open; the suffix says the format
    QSize size{1280, 800};
    QString cell;     ///< id of the cell to select; empty with a screenshot: the first that differs
    QString overlay;  ///< run or public record whose times are laid over those of the run
    CaptureChoices choices;  ///< how `file` and `other` are compared
    QString preset;   ///< run this preset instead of opening a file
    bool startPage = false;
    std::optional<views::Appearance::Mode> theme;
    bool help = false;
    bool version = false;

    /// The window is only there to write a file.
    [[nodiscard]] bool isHeadless() const { return !screenshot.isEmpty() || !figure.isEmpty(); }
};

/// Reads the arguments (without the program's name); an Error is one sentence.
[[nodiscard]] Result<Options> readOptions(const QStringList& arguments);
/// What --help prints.
[[nodiscard]] QString helpText();

}  // namespace isobit::workbench
