// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMetaType>
#include <memory>

#include "core/sweep/run.h"

namespace isobit::views {

/// A run as every view holds it: immutable, shared, so that a view can draw while the next one is made.
using RunPtr = std::shared_ptr<const Run>;

}  // namespace isobit::views

Q_DECLARE_METATYPE(isobit::views::RunPtr)
