// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "views/commands/command_model.h"

namespace isobit::views {

/// Every key of the window on one sheet, by section.
class ShortcutSheet final : public QDialog {
    Q_OBJECT
public:
    /// Commands without a shortcut are left out.
    ShortcutSheet(const std::vector<Command>& commands, QWidget* parent);
};

}  // namespace isobit::views
