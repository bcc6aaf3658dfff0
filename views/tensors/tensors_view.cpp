// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tensors/tensors_view.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "views/captures/capture_text.h"
#include "views/session.h"
#include "views/tensors/tensors_model.h"
#include "views/widgets.h"

namespace isobit::views {

namespace {

constexpr int kNotesHeight = 110;

std::uint64_t bytesOfAll(const TensorFile& file) {
    std::uint64_t bytes = 0;
    for (const TensorInfo& info : file.tensors()) bytes += info.byteCount;
    return bytes;
}

}  // namespace

TensorsView::TensorsView(const ViewContext& context, QWidget* parent)
    : QWidget(parent), m_context(context), m_model(new TensorsModel(this)), m_filter(new QSortFilterProxyModel(this)) {
    m_filter->setSourceModel(m_model);
    m_filter->setSortRole(TensorsModel::SortRole);
    m_filter->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_filter->setFilterKeyColumn(TensorsModel::Name);
    m_notes = wrappingLabel(this);
    setRole(m_notes, "muted");
    m_notes->setMaximumHeight(kNotesHeight);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 8, 14, 10);
    layout->setSpacing(8);
    layout->addWidget(makeBar());
    layout->addWidget(m_table = makeTable(), 1);
    layout->addWidget(m_notes);
    setFocusProxy(m_table);
    connect(&context.session, &Session::captureChanged, this, &TensorsView::showCapture);
    showCapture();
}

QWidget* TensorsView::makeBar() {
    auto* bar = new QWidget(this);
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    for (int side = 0; side < 2; ++side) {
        m_sides[side] = new QToolButton(bar);
        m_sides[side]->setText(side == 0 ? QStringLiteral("Trainer") : QStringLiteral("Sampler"));
        m_sides[side]->setProperty("segment", true);
        m_sides[side]->setCheckable(true);
        connect(m_sides[side], &QToolButton::clicked, this, [this, side] { showSide(side == 1); });
        layout->addWidget(m_sides[side]);
    }
    auto* text = new QLineEdit(bar);
    text->setPlaceholderText(QStringLiteral("Find a tensor by name"));
    text->setAccessibleName(QStringLiteral("Find a tensor by name"));
    text->setClearButtonEnabled(true);
    text->setMaximumWidth(260);
    connect(text, &QLineEdit::textChanged, m_filter, &QSortFilterProxyModel::setFilterFixedString);
    layout->addWidget(text, 1);
    layout->addSpacing(10);
    layout->addWidget(m_summary = roleLabel({}, "muted", bar));
    layout->addStretch(1);
    return bar;
}

QTableView* TensorsView::makeTable() {
    auto* table = new QTableView(this);
    table->setModel(m_filter);
    table->setAccessibleName(QStringLiteral("Tensors of the file"));
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setShowGrid(false);
    table->setTabKeyNavigation(false);
    table->setWordWrap(false);
    table->setSortingEnabled(true);
    table->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);  // the file's own order until asked
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setResizeContentsPrecision(100);  // rows; names of more are of the same kinds
    table->horizontalHeader()->setStretchLastSection(true);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
    connect(table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
        if (index.isValid()) chooseTensor(index.data(TensorsModel::TensorRole).toInt());
    });
    return table;
}

void TensorsView::showCapture() {
    const CapturePtr& capture = m_context.session.capture();
    for (QToolButton* side : m_sides) side->setVisible(capture && capture->isPair());
    showSide(false);
}

void TensorsView::showSide(bool sampler) {
    const QSignalBlocker quiet(m_table->selectionModel());
    m_model->setFile(m_context.session.capture(), sampler);
    m_sides[0]->setChecked(!sampler);
    m_sides[1]->setChecked(sampler);
    const TensorFile* file = m_model->file();
    const QString notes = file == nullptr ? QString() : notesOf(*file);
    m_notes->setText(notes);
    m_notes->setVisible(!notes.isEmpty());
    m_summary->setText(file == nullptr ? QString() : contentOf(*file) + QStringLiteral(", ") + sizeText(bytesOfAll(*file)));
    const bool inSeveral = file != nullptr && std::ranges::any_of(file->tensors(), [](const TensorInfo& info) { return !info.file.empty(); });
    m_table->setColumnHidden(TensorsModel::File, !inSeveral);
    m_table->resizeColumnsToContents();
    for (int column = 0; column < TensorsModel::Note; ++column) m_table->setColumnWidth(column, m_table->columnWidth(column) + 14);
}

void TensorsView::chooseTensor(int tensor) {
    Session& session = m_context.session;
    const Capture& capture = *session.capture();
    if (!capture.isPair()) return session.selectTensor(tensor);
    const bool sampler = m_sides[1]->isChecked();
    const auto& steps = capture.walk.steps;
    const auto step = std::ranges::find_if(steps, [&](const WalkStep& walked) {
        return (sampler ? walked.pair.sampler : walked.pair.trainer) == std::optional(std::size_t(tensor));
    });
    if (step != steps.end()) session.selectTensor(static_cast<int>(step - steps.begin()));
}

}  // namespace isobit::views
