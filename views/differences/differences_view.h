// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/compare/comparison.h"
#include "views/view_context.h"

class QLabel;
class QTableView;

namespace isobit::views {

class DifferencesModel;

/// Which words of the selected output or tensor differ: the listed elements as a table.
class DifferencesView final : public QWidget {
    Q_OBJECT
public:
    explicit DifferencesView(const ViewContext& context, QWidget* parent = nullptr);

private:
    void showSelection();
    void chooseRow();
    [[nodiscard]] QString noteOf(const Comparison* comparison) const;

    ViewContext m_context;
    DifferencesModel* m_model;
    QTableView* m_table;
    QLabel* m_note;
};

}  // namespace isobit::views
