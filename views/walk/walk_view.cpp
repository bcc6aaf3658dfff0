// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/walk/walk_view.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QTableView>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "views/palette/appearance.h"
#include "views/session.h"
#include "views/text.h"
#include "views/walk/walk_delegate.h"
#include "views/walk/walk_model.h"
#include "views/walk/walk_strip.h"
#include "views/walk/walk_summary.h"
#include "views/widgets.h"

namespace isobit::views {

namespace {

constexpr int kRowsForWidths = 100;  // by which columns are fitted: names of more rows are of the same kinds

/// The strip scrolls sideways where a model has more tensors than the window has room for.
QScrollArea* scrollable(QWidget* strip, QWidget* parent) {
    auto* area = new QScrollArea(parent);
    area->setWidget(strip);
    area->setWidgetResizable(true);
    area->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    return area;
}

}  // namespace

WalkView::WalkView(const ViewContext& context, QWidget* parent)
    : QWidget(parent), m_context(context), m_model(new WalkModel(this)), m_filter(new WalkFilter(this)) {
    m_filter->setSourceModel(m_model);
    m_filter->setFilterKeyColumn(WalkModel::Name);
    m_filter->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_summary = new WalkSummary(this);
    m_strip = new WalkStrip(m_model, context.appearance.theme(), this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 6, 14, 0);
    layout->setSpacing(8);
    layout->addWidget(m_summary);
    layout->addWidget(m_stripArea = scrollable(m_strip, this));
    layout->addWidget(makeBar());
    layout->addWidget(m_table = makeTable(), 1);
    setFocusProxy(m_table);

    connect(m_strip, &WalkStrip::rowChosen, this, &WalkView::chooseRow);
    connect(m_strip, &WalkStrip::rowEntered, this, &WalkView::enterRow);
    connect(m_filter, &QAbstractItemModel::rowsInserted, this, &WalkView::showCount);
    connect(m_filter, &QAbstractItemModel::rowsRemoved, this, &WalkView::showCount);
    connect(&context.session, &Session::captureChanged, this, &WalkView::showCapture);
    connect(&context.session, &Session::captureGrown, this, &WalkView::showMore);
    connect(&context.session, &Session::selectionChanged, this, &WalkView::showSelection);
    connect(&context.appearance, &Appearance::changed, this, &WalkView::applyTheme);
    showCapture();
}

QWidget* WalkView::makeBar() {
    auto* bar = new QWidget(this);
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins(0, 0, 0, 0);
    m_only = new QToolButton(bar);
    m_only->setText(QStringLiteral("Differences only"));
    m_only->setToolTip(QStringLiteral("Hide the tensors that are equal (D)"));
    m_only->setShortcut(Qt::Key_D);
    m_only->setCheckable(true);
    connect(m_only, &QToolButton::toggled, this, &WalkView::setDifferencesOnly);
    m_text = new QLineEdit(bar);
    m_text->setPlaceholderText(QStringLiteral("Find a tensor by name"));
    m_text->setAccessibleName(QStringLiteral("Find a tensor by name"));
    m_text->setClearButtonEnabled(true);
    m_text->setMaximumWidth(260);
    connect(m_text, &QLineEdit::textChanged, m_filter, &QSortFilterProxyModel::setFilterFixedString);
    m_count = roleLabel({}, "muted", bar);
    layout->addWidget(m_only);
    layout->addWidget(m_text, 3);
    layout->addWidget(m_count);
    layout->addStretch(1);
    return bar;
}

QTableView* WalkView::makeTable() {
    auto* table = new QTableView(this);
    table->setModel(m_filter);
    table->setItemDelegate(new WalkDelegate(m_context.appearance, table));
    table->setAccessibleName(QStringLiteral("Tensors in execution order"));
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setShowGrid(false);
    table->setTabKeyNavigation(false);
    table->setWordWrap(false);
    table->setMinimumHeight(60);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setMinimumSectionSize(24);
    table->horizontalHeader()->setStretchLastSection(true);
    table->horizontalHeader()->setResizeContentsPrecision(kRowsForWidths);
    connect(table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
        if (index.isValid()) chooseRow(index.data(WalkModel::StepRole).toInt());
    });
    connect(table, &QTableView::activated, this, [this](const QModelIndex& index) { enterRow(index.data(WalkModel::StepRole).toInt()); });
    return table;
}

void WalkView::showCapture() {
    const CapturePtr& capture = m_context.session.capture();
    const CapturePtr pair = capture && capture->isPair() ? capture : nullptr;
    // What grew until now keeps its place: the row that was seen at the top, and the one that is chosen.
    const bool grew = pair && m_model->capture() && continues(*pair, *m_model->capture());
    const QSignalBlocker quiet(m_table->selectionModel());
    m_model->setCapture(pair);
    m_summary->setCapture(pair);
    if (!grew) m_table->resizeColumnsToContents();
    const bool byNameAlone = !pair || std::ranges::all_of(pair->walk.steps, [](const WalkStep& step) { return step.pair.match == MatchKind::Exact; });
    m_table->setColumnHidden(WalkModel::Match, byNameAlone);  // where it has nothing to say
    fitStrip();
    showCount();
    showSelection();
    // Once the table has the size that the new texts leave it; columns are fitted by the rows that are seen then.
    QTimer::singleShot(0, this, [this, grew] {
        if (!grew && m_table->currentIndex().isValid()) m_table->scrollTo(m_table->currentIndex());
        m_table->resizeColumnsToContents();
    });
}

void WalkView::showMore() {
    const CapturePtr& capture = m_context.session.capture();
    const bool few = m_model->rowCount() < kRowsForWidths;
    m_model->setCapture(capture);
    m_summary->setCapture(capture);
    if (few) m_table->resizeColumnsToContents();
    fitStrip();
    showCount();
}

void WalkView::showSelection() {
    const int row = m_context.session.selection().tensor;
    m_strip->setCurrent(row < m_model->rowCount() ? row : -1);
    const QModelIndex index = m_filter->mapFromSource(m_model->index(row, WalkModel::Name));
    if (index.isValid() && index.row() != m_table->currentIndex().row()) m_table->setCurrentIndex(index);
    if (row >= 0 && row < m_model->rowCount())
        m_stripArea->ensureVisible(int(m_strip->columnOf(row).center().x()), 0, 60, 0);
}

void WalkView::showCount() {
    const CapturePtr& capture = m_model->capture();
    const QString matched = capture && capture->isPartial() ? QString() : m_table->isColumnHidden(WalkModel::Match) ? QStringLiteral(", all matched by name") : QString();
    m_count->setText(QStringLiteral("%1 of %2 tensors").arg(grouped(std::uint64_t(m_filter->rowCount())), grouped(std::uint64_t(m_model->rowCount()))) + matched);
}

void WalkView::setDifferencesOnly(bool only) {
    m_only->setChecked(only);
    m_filter->setDifferencesOnly(only);
    showCount();
    showSelection();
}

void WalkView::chooseRow(int row) {
    if (row != m_context.session.selection().tensor) m_context.session.selectTensor(row);
}

void WalkView::enterRow(int row) {
    chooseRow(row);
    emit tensorEntered();
}

void WalkView::goToDifference(int from, int step) {
    if (const int row = m_model->differingRow(from, step); row >= 0) chooseRow(row);
}

void WalkView::goToFirstDifference() { goToDifference(-1, 1); }
void WalkView::goToNextDifference() { goToDifference(m_context.session.selection().tensor, 1); }
void WalkView::goToPreviousDifference() { goToDifference(m_context.session.selection().tensor, -1); }

void WalkView::fitStrip() {
    constexpr int kScrollBar = 12;
    const QSize least = m_strip->minimumSizeHint();
    const bool scrolls = least.width() > width() - layout()->contentsMargins().left() - layout()->contentsMargins().right();
    m_stripArea->setFixedHeight(least.height() + (scrolls ? kScrollBar : 0));
}

void WalkView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitStrip();
    // In a low window the table comes first: it says the same as the strip, in words.
    constexpr int kRoomForAll = 330;
    m_stripArea->setVisible(height() >= kRoomForAll);
    m_summary->setBrief(height() < kRoomForAll);
}

void WalkView::applyTheme() {
    m_strip->setTheme(m_context.appearance.theme());
    m_table->viewport()->update();
}

}  // namespace isobit::views
