// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/differences/differences_view.h"

#include <QHeaderView>
#include <QLabel>
#include <QTableView>
#include <QVBoxLayout>

#include "views/differences/differences_model.h"
#include "views/palette/appearance.h"
#include "views/palette/fonts.h"
#include "views/palette/ink_delegate.h"
#include "views/session.h"
#include "views/text.h"
#include "views/widgets.h"

namespace isobit::views {

namespace {

// The trainer's columns in the trainer's colour, the sampler's in the sampler's.
QColor differenceInk(const Theme& theme, const QModelIndex& index, const QString& /*text*/) {
    const int column = index.column();
    if (column == DifferencesModel::TrainerHex || column == DifferencesModel::TrainerValue) return theme.trainer;
    if (column == DifferencesModel::SamplerHex || column == DifferencesModel::SamplerValue) return theme.sampler;
    return theme.text;
}

}  // namespace

DifferencesView::DifferencesView(const ViewContext& context, QWidget* parent)
    : QWidget(parent), m_context(context), m_model(new DifferencesModel(this)) {
    m_table = new QTableView(this);
    m_table->setModel(m_model);
    m_table->setAccessibleName(QStringLiteral("Differing elements"));
    m_table->setItemDelegate(new InkDelegate(context.appearance, 14, differenceInk, m_table));
    m_table->setFont(wordFont());
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setShowGrid(false);
    m_table->setTabKeyNavigation(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(QFontMetrics(wordFont()).height() + 6);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setMinimumSectionSize(70);
    setFocusProxy(m_table);

    m_note = roleLabel({}, "muted", this);
    m_note->setMargin(7);
    setProperty("role", "panel");
    setAttribute(Qt::WA_StyledBackground);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_note);
    layout->addWidget(m_table, 1);
    layout->addStretch();

    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &DifferencesView::chooseRow);
    connect(&context.session, &Session::selectionChanged, this, &DifferencesView::showSelection);
    connect(&context.session, &Session::runChanged, this, &DifferencesView::showSelection);
    connect(&context.session, &Session::captureChanged, this, &DifferencesView::showSelection);
    showSelection();
}

void DifferencesView::showSelection() {
    const Session& session = m_context.session;
    const WalkStep* step = session.selectedStep();
    const OutputResult* output = session.selectedOutput();
    const Comparison* comparison = step != nullptr ? &step->comparison : output != nullptr ? &output->comparison : nullptr;
    if (comparison != m_model->comparison()) {
        if (step != nullptr)
            m_model->setStep(session.capture(), step);
        else
            m_model->setOutput(session.run(), output);
    }
    const QSignalBlocker quiet(m_table->selectionModel());
    if (const int row = m_model->rowOf(session.selection().element); row >= 0)
        m_table->selectRow(row);
    else
        m_table->clearSelection();  // the selected element is none of those that are listed
    m_table->viewport()->update();
    m_table->setVisible(m_model->rowCount() > 0);

    m_note->setText(noteOf(comparison));
}

QString DifferencesView::noteOf(const Comparison* comparison) const {
    const Session& session = m_context.session;
    if (comparison == nullptr) {
        if (session.selectedCell() != nullptr) return QStringLiteral("This cell has no result.");
        if (session.capture() && session.capture()->isPair()) return QStringLiteral("Select a tensor to list the words in which it differs.");
        if (session.capture()) return QStringLiteral("One file is open. Ctrl+Shift+D compares it with another; or drop two at once.");
        if (!session.run()) return QStringLiteral("Nothing is open: Ctrl+O opens files, Ctrl+D compares two, Ctrl+Shift+P does anything.");
        return QStringLiteral("Select a cell to list the words in which it differs.");
    }
    const WalkStep* step = session.selectedStep();
    const QString name = QString::fromStdString(step != nullptr ? step->pair.name : session.selectedOutput()->name) + QStringLiteral(": ");
    if (step != nullptr && !step->reason.empty()) return name + QString::fromStdString(step->reason) + QLatin1Char('.');
    const auto listed = static_cast<std::uint64_t>(m_model->rowCount());
    if (comparison->different == 0) return name + QStringLiteral("no word differs.");
    if (listed < comparison->different)
        return name + QStringLiteral("the first %1 of %2 differing words.").arg(grouped(listed), grouped(comparison->different));
    return name + QStringLiteral("%1.").arg(counted(comparison->different, "differing word"));
}

void DifferencesView::chooseRow() {
    const QModelIndex current = m_table->currentIndex();
    if (!current.isValid()) return;
    Session& session = m_context.session;
    const auto element = current.data(DifferencesModel::ElementRole).toLongLong();
    if (session.selectedStep() != nullptr) return session.selectElement(element);
    if (const OutputResult* output = session.selectedOutput()) session.select({session.selection().cell, output->name, element});
}

}  // namespace isobit::views
