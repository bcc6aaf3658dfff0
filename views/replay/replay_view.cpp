// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/replay/replay_view.h"

#include <QHeaderView>
#include <QLabel>
#include <QTableView>
#include <QVBoxLayout>

#include "views/palette/appearance.h"
#include "views/palette/fonts.h"
#include "views/palette/ink_delegate.h"
#include "views/replay/replay_model.h"
#include "views/replay/replay_strip.h"
#include "views/session.h"
#include "views/widgets.h"

namespace isobit::views {

namespace {

// The trainer's columns in the trainer's colour, the sampler's in the sampler's; equal tokens recede.
QColor tokenInk(const Theme& theme, const QModelIndex& index, const QString& /*text*/) {
    const int column = index.column();
    if (column == ReplayModel::TrainerWord || column == ReplayModel::TrainerValue) return theme.trainer;
    if (column == ReplayModel::SamplerWord || column == ReplayModel::SamplerValue) return theme.sampler;
    return index.data(ReplayModel::DiffersRole).toBool() ? theme.text : theme.mutedText;
}

}  // namespace

ReplayView::ReplayView(const ViewContext& context, QWidget* parent)
    : QWidget(parent), m_context(context), m_model(new ReplayModel(this)) {
    m_barrier = wrappingLabel(this);
    setRole(m_barrier, "failed");
    m_verdict = wrappingLabel(this);
    m_verdict->setFont(scaledFont(textFont(), 1.12, true));
    m_first = wrappingLabel(this);
    m_numbers = wrappingLabel(this);
    setRole(m_numbers, "muted");
    m_strip = new ReplayStrip(m_model, context.appearance.theme(), this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 8, 14, 0);
    layout->setSpacing(4);
    for (QLabel* label : {m_barrier, m_verdict, m_first, m_numbers}) layout->addWidget(label);
    layout->addSpacing(4);
    layout->addWidget(m_strip);
    layout->addWidget(m_table = makeTable(), 1);
    setFocusProxy(m_table);
    connect(m_strip, &ReplayStrip::rowChosen, this, &ReplayView::chooseRow);
    connect(&context.session, &Session::captureChanged, this, &ReplayView::showCapture);
    connect(&context.session, &Session::selectionChanged, this, &ReplayView::showSelection);
    connect(&context.appearance, &Appearance::changed, this, &ReplayView::applyTheme);
    showCapture();
}

QTableView* ReplayView::makeTable() {
    auto* table = new QTableView(this);
    table->setModel(m_model);
    table->setItemDelegate(new InkDelegate(m_context.appearance, 8, tokenInk, table));
    table->setFont(wordFont());
    table->setAccessibleName(QStringLiteral("Log-probabilities by token"));
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setShowGrid(false);
    table->setTabKeyNavigation(false);
    table->setMinimumHeight(90);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(QFontMetrics(wordFont()).height() + 6);
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setMinimumSectionSize(24);
    connect(table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
        if (index.isValid()) chooseRow(index.row());
    });
    return table;
}

void ReplayView::showCapture() {
    const CapturePtr& capture = m_context.session.capture();
    const bool there = capture && capture->replay;
    const QSignalBlocker quiet(m_table->selectionModel());
    m_model->setCapture(there ? capture : nullptr);
    m_table->resizeColumnsToContents();
    for (QLabel* label : {m_first, m_numbers}) label->setVisible(there);
    const bool blocked = capture && capture->isPair() && !capture->walk.comparable();
    m_barrier->setText(QStringLiteral("!  Not comparable: a check of the walk fails, so these numbers say nothing about the arithmetic."));
    m_barrier->setVisible(there && blocked);
    if (there) {
        m_verdict->setText((capture->replay->different == 0 ? QStringLiteral("═  ") : QStringLiteral("≠  ")) + verdictOf(*capture->replay));
        const auto& first = capture->replay->firstDivergentToken;
        m_first->setText(first ? QStringLiteral("First divergent token: %1, counted from 0 over the whole sequence").arg(*first)
                               : QStringLiteral("No divergent token"));
        m_numbers->setText(numbersOf(*capture->replay));
    } else if (capture) {
        m_verdict->setText(capture->replayProblem.empty()
                               ? QStringLiteral("No decision-time log-probabilities: both captures need a float32 tensor “decision_logprob”.")
                               : QStringLiteral("!  ") + QString::fromStdString(capture->replayProblem));
    }
    showSelection();
}

int ReplayView::stepOfLogProbs() const {
    const CapturePtr& capture = m_context.session.capture();
    if (!capture || !capture->replay) return -1;
    const auto& steps = capture->walk.steps;
    for (std::size_t step = 0; step < steps.size(); ++step)
        if (steps[step].comparison.elements == std::uint64_t(capture->replay->tokens) && steps[step].pair.name.ends_with("decision_logprob"))
            return static_cast<int>(step);
    return -1;
}

int ReplayView::selectedRow() const {
    const Selection& selection = m_context.session.selection();
    const bool here = selection.tensor >= 0 && selection.tensor == stepOfLogProbs();
    return here && selection.element < m_model->rowCount() ? static_cast<int>(selection.element) : -1;
}

void ReplayView::showSelection() {
    const int row = selectedRow();
    m_strip->setCurrent(row);
    const QSignalBlocker quiet(m_table->selectionModel());
    if (row >= 0 && row != m_table->currentIndex().row()) m_table->setCurrentIndex(m_model->index(row, 0));
    m_table->viewport()->update();
}

void ReplayView::chooseRow(int row) {
    // A token is an element of the log-probabilities' tensor: so every other view shows it, too.
    Selection selection;
    selection.tensor = stepOfLogProbs();
    selection.element = row;
    m_context.session.select(selection);
}

void ReplayView::goToDifference(int from, int step) {
    if (const int row = m_model->differingRow(from, step); row >= 0) chooseRow(row);
}

void ReplayView::goToFirstDifference() { goToDifference(-1, 1); }
void ReplayView::goToNextDifference() { goToDifference(selectedRow(), 1); }
void ReplayView::goToPreviousDifference() { goToDifference(selectedRow(), -1); }

void ReplayView::applyTheme() {
    m_strip->setTheme(m_context.appearance.theme());
    m_table->viewport()->update();
}

}  // namespace isobit::views
