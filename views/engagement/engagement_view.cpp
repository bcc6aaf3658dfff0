// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/engagement/engagement_view.h"

#include <QHeaderView>
#include <QLabel>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "views/engagement/engagement_ink.h"
#include "views/engagement/engagement_model.h"
#include "views/engagement/fitted_table.h"
#include "views/engagement/provenance_graph.h"
#include "views/palette/appearance.h"
#include "views/palette/fonts.h"
#include "views/palette/ink_delegate.h"
#include "views/session.h"
#include "views/widgets.h"

namespace isobit::views {

EngagementView::EngagementView(const ViewContext& context, QWidget* parent)
    : QWidget(parent), m_context(context), m_model(new EngagementModel(this)), m_findingsModel(new FindingsModel(this)) {
    m_verdict = wrappingLabel(this);
    m_verdict->setFont(scaledFont(textFont(), 1.12, true));
    m_agreement = wrappingLabel(this);
    m_notes = wrappingLabel(this);
    setRole(m_notes, "muted");
    m_findingsHead = sectionLabel(QStringLiteral("Broken rules"), this);
    m_wayHead = sectionLabel({}, this);
    m_contracts = makeTable(QStringLiteral("Contracts by side"), *m_model);
    m_findings = makeTable(QStringLiteral("Broken rules"), *m_findingsModel);
    m_findings->horizontalHeader()->setStretchLastSection(true);
    m_findings->setWordWrap(true);
    m_graph = new ProvenanceGraph(context.appearance.theme(), this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 8, 14, 8);
    layout->setSpacing(6);
    for (QLabel* label : {m_verdict, m_agreement, m_notes}) layout->addWidget(label);
    layout->addWidget(m_contracts, 3);
    layout->addWidget(m_findingsHead);
    layout->addWidget(m_findings, 2);
    layout->addWidget(m_wayHead);
    layout->addWidget(m_graph);
    layout->addStretch(1);
    setFocusProxy(m_contracts);
    connect(m_contracts->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &EngagementView::showTable);
    connect(m_findings->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& index) { chooseSubject(index.row()); });
    connect(&context.session, &Session::engagementChanged, this, &EngagementView::showEngagement);
    connect(&context.appearance, &Appearance::changed, this, [this] {
        m_graph->setTheme(m_context.appearance.theme());
        m_contracts->viewport()->update();
    });
    showEngagement();
}

QTableView* EngagementView::makeTable(const QString& name, QAbstractItemModel& model) {
    auto* table = new QTableView(this);
    table->setModel(&model);
    table->setItemDelegate(new InkDelegate(m_context.appearance, 12, engagementInk, table));
    table->setAccessibleName(name);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setShowGrid(false);
    table->setTabKeyNavigation(false);
    table->setMinimumHeight(70);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(QFontMetrics(textFont()).height() + 8);
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setMinimumSectionSize(24);
    return table;
}

void EngagementView::showEngagement() {
    const EngagementPtr& shown = m_context.session.engagement();
    const bool there = shown && shown->report;
    const std::string before = m_model->contractAt(m_contracts->currentIndex().row());
    m_model->setEngagement(there ? shown : nullptr);
    m_findingsModel->setEngagement(there ? shown : nullptr);
    if (!there) return;
    const EngagementReport& report = *shown->report;
    const QString mark = !report.engaged() ? QStringLiteral("!  ") : shown->isPair ? QStringLiteral("═  ") : QStringLiteral("…  ");
    m_verdict->setText(mark + verdictOf(*shown));
    m_agreement->setText(shown->isPair ? agreementText(report)
                                       : QStringLiteral("One receipt alone. Ctrl+Shift+D joins it with the other engine's."));
    QStringList notes;
    for (const std::string& note : report.notes) notes << QString::fromStdString(note);
    m_notes->setText(notes.join('\n'));
    m_notes->setVisible(!notes.isEmpty());
    for (QWidget* part : {static_cast<QWidget*>(m_findingsHead), static_cast<QWidget*>(m_findings)}) part->setVisible(!report.findings.empty());
    m_contracts->resizeColumnsToContents();
    m_findings->resizeColumnsToContents();
    m_findings->resizeRowsToContents();
    for (QTableView* table : {m_contracts, m_findings}) fitTableToRows(table);
    // A receipt that was read again keeps its place. Of the contracts that are broken the first, else the one with a table, is what one wants to see.
    int row = m_model->brokenRow(-1, 1);
    for (int i = 0; row < 0 && i < m_model->rowCount(); ++i)
        if (!tableWay(report.trainer, m_model->contractAt(i)).empty()) row = i;
    for (int i = 0; i < m_model->rowCount(); ++i)
        if (m_model->contractAt(i) == before) row = i;
    m_contracts->setCurrentIndex(m_model->index(std::max(row, 0), EngagementModel::Contract));
    showTable();
}

void EngagementView::showTable() {
    const EngagementPtr& shown = m_context.session.engagement();
    const std::string contract = m_model->contractAt(m_contracts->currentIndex().row());
    if (!shown || !shown->report || contract.empty()) {
        m_graph->setWays({}, {});
    } else {
        m_graph->setWays(tableWay(shown->report->trainer, contract), tableWay(shown->report->sampler, contract));
    }
    m_wayHead->setText(m_graph->isEmpty() ? QString() : QStringLiteral("The way of the table that %1 reads").arg(QString::fromStdString(contract)));
    m_wayHead->setVisible(!m_graph->isEmpty());
    m_graph->setVisible(!m_graph->isEmpty());
}

void EngagementView::chooseSubject(int finding) {
    const std::string subject = m_findingsModel->subjectAt(finding);
    for (int row = 0; row < m_model->rowCount(); ++row)
        if (m_model->contractAt(row) == subject) m_contracts->setCurrentIndex(m_model->index(row, EngagementModel::Contract));
}

void EngagementView::goToBroken(int from, int step) {
    if (const int row = m_model->brokenRow(from, step); row >= 0) m_contracts->setCurrentIndex(m_model->index(row, EngagementModel::Contract));
}

void EngagementView::goToFirstDifference() { goToBroken(-1, 1); }
void EngagementView::goToNextDifference() { goToBroken(m_contracts->currentIndex().row(), 1); }
void EngagementView::goToPreviousDifference() { goToBroken(m_contracts->currentIndex().row(), -1); }

}  // namespace isobit::views
