// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "views/difference_steps.h"
#include "views/view_context.h"

class QAbstractItemModel;
class QLabel;
class QTableView;

namespace isobit::views {

class EngagementModel;
class FindingsModel;
class ProvenanceGraph;

/// Did it really run? Contracts by side with their counts, the rules that are broken, and the way of the chosen contract's
/// table.
class EngagementView final : public QWidget, public DifferenceSteps {
    Q_OBJECT
public:
    explicit EngagementView(const ViewContext& context, QWidget* parent = nullptr);

    [[nodiscard]] const EngagementModel& model() const { return *m_model; }
    [[nodiscard]] QTableView* contracts() const { return m_contracts; }
    [[nodiscard]] const ProvenanceGraph& graph() const { return *m_graph; }
    void goToFirstDifference() override;
    void goToNextDifference() override;
    void goToPreviousDifference() override;

private:
    QTableView* makeTable(const QString& name, QAbstractItemModel& model);
    void showEngagement();
    void showTable();
    void chooseSubject(int finding);
    void goToBroken(int from, int step);

    ViewContext m_context;
    EngagementModel* m_model;
    FindingsModel* m_findingsModel;
    QLabel* m_verdict;
    QLabel* m_agreement;
    QLabel* m_notes;
    QLabel* m_findingsHead;
    QLabel* m_wayHead;
    QTableView* m_contracts;
    QTableView* m_findings;
    ProvenanceGraph* m_graph;
};

}  // namespace isobit::views
