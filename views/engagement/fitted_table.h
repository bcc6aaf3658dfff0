// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QTableView;

namespace isobit::views {

/// No higher than its rows, so that what belongs together stands together; where there is less room it scrolls.
void fitTableToRows(QTableView* table);

}  // namespace isobit::views
