// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/grid/grid_view.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QShortcut>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include "views/grid/grid_model.h"
#include "views/grid/grid_places.h"
#include "views/grid/grid_plot.h"
#include "views/grid/legend.h"
#include "views/grid/table_delegate.h"
#include "views/palette/appearance.h"
#include "views/palette/fonts.h"
#include "views/session.h"
#include "views/widgets.h"

namespace isobit::views {

namespace {

QTableView* makeTable(GridModel* model, QWidget* parent) {
    auto* table = new QTableView(parent);
    table->setModel(model);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setTabKeyNavigation(false);
    table->setAccessibleName(QStringLiteral("Grid of cells as a table"));
    table->horizontalHeader()->setMinimumSectionSize(64);
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table->verticalHeader()->setDefaultSectionSize(28);
    for (QHeaderView* header : {table->horizontalHeader(), table->verticalHeader()}) header->setHighlightSections(false);
    return table;
}

}  // namespace

GridView::GridView(const ViewContext& context, QWidget* parent)
    : QWidget(parent), m_context(context), m_model(new GridModel(this)) {
    const Theme& theme = context.appearance.theme();
    m_plot = new GridPlot(m_model, theme, this);
    m_table = makeTable(m_model, this);
    m_table->setItemDelegate(new TableDelegate(context.appearance, m_table));
    m_legend = new LegendWidget(theme, this);
    m_edges = wrappingLabel(this);
    m_edges->hide();

    m_pages = new QStackedWidget(this);
    m_pages->addWidget(m_plot);
    m_pages->addWidget(m_table);
    setFocusProxy(m_plot);
    m_plot->setMinimumSize(160, 80);  // never squeezed to nothing, also while the page is hidden

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 8, 14, 12);
    layout->setSpacing(10);
    buildBar();
    layout->addWidget(m_pages, 1);
    layout->addWidget(m_edges);
    layout->addWidget(m_legend);

    connect(m_plot, &GridPlot::cellChosen, this, &GridView::chooseCell);
    connect(m_plot, &GridPlot::cellEntered, this, &GridView::enterCell);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this, &GridView::chooseCell);
    connect(m_table, &QTableView::activated, this, &GridView::enterCell);
    connect(&context.session, &Session::runChanged, this, &GridView::showRun);
    connect(&context.session, &Session::selectionChanged, this, &GridView::showSelection);
    connect(&context.appearance, &Appearance::changed, this, &GridView::applyTheme);
    showRun();
}

void GridView::buildBar() {
    auto* bar = new QHBoxLayout;
    m_outputButtons = new QHBoxLayout;
    m_outputButtons->setSpacing(0);
    bar->addLayout(m_outputButtons);
    bar->addStretch(1);
    m_timesButton = new QToolButton(this);
    m_timesButton->setText(QStringLiteral("Times"));
    m_timesButton->setToolTip(QStringLiteral("Show the time of each cell below its verdict"));
    m_timesButton->setCheckable(true);
    m_timesButton->setChecked(true);
    connect(m_timesButton, &QToolButton::toggled, this, &GridView::setShowsTimes);
    bar->addWidget(m_timesButton);
    m_tableButton = new QToolButton(this);
    m_tableButton->setText(QStringLiteral("Table"));
    m_tableButton->setToolTip(QStringLiteral("Show the same cells as a table (Ctrl+T)"));
    m_tableButton->setCheckable(true);
    connect(m_tableButton, &QToolButton::clicked, this, &GridView::toggleTable);
    bar->addWidget(m_tableButton);
    static_cast<QVBoxLayout*>(layout())->addLayout(bar);
}

void GridView::showRun() {
    const Session& session = m_context.session;
    m_model->setRun(session.run(), session.selection().output);
    showOutputs();
    QStringList sentences;
    if (session.run())
        for (const Edge& edge : session.run()->edges) sentences << QStringLiteral("Edge at ") + sentenceOf(edge);
    m_edges->setText(sentences.join('\n'));
    m_edges->setVisible(!sentences.isEmpty());
    m_legend->setEntries(legendEntries(*m_model));
    m_timesButton->setVisible(m_model->hasTimes());
    setShowsTimes(m_timesButton->isChecked());
    showSelection();
}

void GridView::setShowsTimes(bool shows) {
    m_model->setShowsTimes(shows);
    m_timesButton->setChecked(shows);
    m_table->verticalHeader()->setDefaultSectionSize(m_model->showsTimes() ? 44 : 28);
    m_plot->refresh();
}

void GridView::showOutputs() {
    const QStringList outputs = m_model->outputs();
    if (outputs != m_shownOutputs) {
        m_shownOutputs = outputs;
        while (QLayoutItem* item = m_outputButtons->takeAt(0)) {
            item->widget()->deleteLater();
            delete item;
        }
        const QStringList names = outputs.size() > 1 ? QStringList{QString()} + outputs : outputs;
        for (const QString& name : names) {
            auto* button = new QToolButton(this);
            button->setProperty("segment", true);
            button->setProperty("output", name);
            button->setText(name.isEmpty() ? QStringLiteral("All outputs") : name);
            button->setCheckable(true);
            connect(button, &QToolButton::clicked, this,
                    [this, name] { m_context.session.selectOutput(name.toStdString()); });
            m_outputButtons->addWidget(button);
        }
    }
    const QString chosen = QString::fromStdString(m_model->output());
    for (int place = 0; place < m_outputButtons->count(); ++place) {
        auto* button = qobject_cast<QToolButton*>(m_outputButtons->itemAt(place)->widget());
        button->setChecked(m_outputButtons->count() == 1 || button->property("output").toString() == chosen);
    }
}

void GridView::showSelection() {
    const Selection& selection = m_context.session.selection();
    if (selection.output != m_model->output()) {
        m_model->setRun(m_context.session.run(), selection.output);
        m_legend->setEntries(legendEntries(*m_model));
        showOutputs();
    }
    const QModelIndex index = m_model->indexOfCell(selection.cell);
    m_plot->setCurrent(index);
    if (index != m_table->currentIndex()) m_table->setCurrentIndex(index);
}

void GridView::chooseCell(const QModelIndex& index) {
    const int cell = m_model->cellAt(index);
    if (cell >= 0 && cell != m_context.session.selection().cell) m_context.session.selectCell(cell);
}

void GridView::enterCell(const QModelIndex& index) {
    chooseCell(index);
    const OutputResult* output = m_context.session.selectedOutput();
    if (output != nullptr && output->comparison.first)
        m_context.session.select({m_context.session.selection().cell, output->name,
                                  static_cast<std::int64_t>(output->comparison.first->index)});
    emit cellEntered();
}

void GridView::goToDifference(int from, int step) {
    if (const int cell = m_model->differingCell(from, step); cell >= 0) m_context.session.selectCell(cell);
}

void GridView::goToFirstDifference() { goToDifference(-1, 1); }
void GridView::goToNextDifference() { goToDifference(m_context.session.selection().cell, 1); }
void GridView::goToPreviousDifference() { goToDifference(m_context.session.selection().cell, -1); }

bool GridView::showsTable() const { return m_pages->currentIndex() == 1; }

void GridView::showMap() {
    m_pages->setCurrentWidget(m_plot);
    m_tableButton->setChecked(false);
    setFocusProxy(m_plot);
}

void GridView::showTable() {
    m_pages->setCurrentWidget(m_table);
    m_tableButton->setChecked(true);
    setFocusProxy(m_table);
}

void GridView::toggleTable() {
    showsTable() ? showMap() : showTable();
    setFocus();
}

void GridView::applyTheme() {
    const Theme& theme = m_context.appearance.theme();
    m_plot->setTheme(theme);
    m_legend->setTheme(theme);
    m_table->viewport()->update();
}

}  // namespace isobit::views
