// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QThreadPool>
#include <QWidget>
#include <optional>

#include "core/sweep/dispatch_file.h"
#include "views/view_context.h"

class QLabel;
class QModelIndex;
class QSortFilterProxyModel;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace isobit::views {

class TimingModel;
class TimingPlot;

/// When and how fast? The times of a run beside its bits, as curves and as a table, over them those of another run.
class TimingView final : public QWidget {
    Q_OBJECT
public:
    explicit TimingView(const ViewContext& context, QWidget* parent = nullptr);
    ~TimingView() override;

    /// Lays another run, or the public record, over this one; it is read on a worker thread. A file that cannot be read
    /// leaves what is shown and is told in one sentence.
    void openOverlay(const QString& path);
    void removeOverlay();

private:
    void buildBar();
    void buildPages();
    void askForOverlay();
    void finishOverlay(int ticket, Result<DispatchFile> file);
    void showRun();
    void showSelection();
    void showSummary();
    void applyTheme();
    void chooseCell(int cell);
    void chooseIndex(const QModelIndex& index);
    void copyCommand();

    ViewContext m_context;
    TimingModel* m_model;
    QSortFilterProxyModel* m_sorted;
    TimingPlot* m_plot;
    QTableView* m_table;
    QStackedWidget* m_pages;
    QLabel* m_empty;
    QLabel* m_rule;
    QLabel* m_source;
    QLabel* m_overlayText;
    QLabel* m_crossings;
    QToolButton* m_remove;
    QToolButton* m_copy;
    std::optional<DispatchFile> m_overlay;
    QString m_overlayProblem;  ///< one sentence on the overlay that could not be read
    QThreadPool m_readers;
    int m_ticket = 0;  ///< a later request makes the answer to an earlier one void
};

}  // namespace isobit::views
