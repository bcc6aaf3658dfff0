// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/engagement/fitted_table.h"

#include <QHeaderView>
#include <QScrollBar>
#include <QTableView>
#include <algorithm>

namespace isobit::views {

void fitTableToRows(QTableView* table) {
    int height = table->horizontalHeader()->sizeHint().height() + 2 * table->frameWidth() + table->horizontalScrollBar()->sizeHint().height();
    for (int row = 0; row < table->model()->rowCount(); ++row) height += table->rowHeight(row);
    table->setMaximumHeight(std::max(height, table->minimumHeight()));
}

}  // namespace isobit::views
