// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/workbench/options.h"

namespace isobit::views {
class Session;
}

namespace isobit::workbench {

class Window;

/// Waits until the window shows what the options ask for, writes picture and figure and ends the event loop with the exit
/// code.
void writeWhenReady(Window& window, views::Session& session, const Options& options);

}  // namespace isobit::workbench
