// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "views/session.h"

namespace isobit::workbench {

/// Opens whatever the content of a path is: a run file, else a file or folder of tensors. An Error is one sentence.
[[nodiscard]] Result<views::Opened> openPath(const std::string& path, const OpenOptions& options);

}  // namespace isobit::workbench
