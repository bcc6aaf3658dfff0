// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "views/captures/capture.h"
#include "views/selection.h"

namespace isobit::views {

/// Reads a place in a pair of captures: "layers.00.q_rope" or a part of a name that only fits one tensor, "12, 403" or
/// "[0, 12, 403]" for coordinates in the tensor, "#4031" or "4031" for a row-major index, or a name and then one of
/// these. `now` is where to start from. An Error is one sentence that says what was expected.
[[nodiscard]] Result<Selection> placeOf(const QString& text, const Capture& capture, const Selection& now);

}  // namespace isobit::views
