// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QModelIndex>

#include "views/palette/theme.h"

namespace isobit::views {

/// Trainer's columns in its blue, the sampler's in its orange; what is wrong has its "!" and the ink of a failure.
[[nodiscard]] QColor engagementInk(const Theme& theme, const QModelIndex& index, const QString& text);

}  // namespace isobit::views
