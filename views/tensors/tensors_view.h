// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "views/view_context.h"

class QLabel;
class QLineEdit;
class QSortFilterProxyModel;
class QTableView;
class QToolButton;

namespace isobit::views {

class TensorsModel;

/// What is in the file? Its tensors, what it says of itself, and what of it is not shown. Of a pair, either side's.
class TensorsView final : public QWidget {
    Q_OBJECT
public:
    explicit TensorsView(const ViewContext& context, QWidget* parent = nullptr);

    [[nodiscard]] const TensorsModel& model() const { return *m_model; }

private:
    QWidget* makeBar();
    QTableView* makeTable();
    void showCapture();
    void showSide(bool sampler);
    void chooseTensor(int tensor);

    ViewContext m_context;
    TensorsModel* m_model;
    QSortFilterProxyModel* m_filter;
    QToolButton* m_sides[2];
    QLabel* m_summary;
    QTableView* m_table;
    QLabel* m_notes;
};

}  // namespace isobit::views
