// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/grid/grid_plot.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QToolTip>

#include "views/grid/cell_plottable.h"

namespace isobit::views {

namespace {

constexpr QSizeF kLargestCell(150, 64);  // a grid of few cells keeps to the upper left instead of growing towers

/// Labels at every k-th section, so that they do not run into each other.
QSharedPointer<QCPAxisTickerText> ticker(const GridModel& model, Qt::Orientation orientation, double room,
                                         const QFontMetricsF& metrics) {
    QSharedPointer<QCPAxisTickerText> ticks(new QCPAxisTickerText);
    const int count = orientation == Qt::Horizontal ? model.columnCount() : model.rowCount();
    double needed = metrics.height();
    if (orientation == Qt::Horizontal)
        for (int section = 0; section < count; ++section)
            needed = qMax(needed, metrics.horizontalAdvance(model.headerData(section, orientation).toString()) + 8);
    const int stride = count == 0 ? 1 : qMax(1, qCeil(needed * count / qMax(1.0, room)));
    for (int section = 0; section < count; section += stride)
        ticks->addTick(section, model.headerData(section, orientation).toString());
    return ticks;
}

void hideLines(QCPAxis* axis) {
    axis->setBasePen(Qt::NoPen);
    axis->setTickPen(Qt::NoPen);
    axis->setSubTickPen(Qt::NoPen);
    axis->setTickLength(0);
    axis->grid()->setVisible(false);
    axis->setTickLabelPadding(7);
}

}  // namespace

GridPlot::GridPlot(const GridModel* model, const Theme& theme, QWidget* parent)
    : QCustomPlot(parent), m_model(model), m_theme(&theme) {
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(QStringLiteral("Grid of cells"));
    xAxis->setVisible(false);
    xAxis2->setVisible(true);
    yAxis->setRangeReversed(true);
    for (QCPAxis* axis : {xAxis2, yAxis}) hideLines(axis);
    axisRect()->setAutoMargins(QCP::msLeft | QCP::msTop);
    axisRect()->setMargins(QMargins(0, 0, 1, 1));
    plotLayout()->setMargins(QMargins(2, 2, 2, 2));
    m_cells = new CellPlottable(xAxis2, yAxis, model, theme);
    m_corner = new QCPItemText(this);
    m_corner->setClipToAxisRect(false);
    m_corner->setPositionAlignment(Qt::AlignRight | Qt::AlignBottom);
    m_corner->position->setType(QCPItemPosition::ptAxisRectRatio);
    m_corner->position->setCoords(0, 0);
    m_corner->setPadding(QMargins(0, 0, 7, 7));
    connect(this, &QCustomPlot::mousePress, this, [this](QMouseEvent* press) {
        const QModelIndex index = indexAt(press->position());
        if (press->button() == Qt::LeftButton && index.isValid()) emit cellChosen(index);
    });
    connect(this, &QCustomPlot::mouseDoubleClick, this, [this](QMouseEvent* press) {
        if (const QModelIndex index = indexAt(press->position()); index.isValid()) emit cellEntered(index);
    });
    setTheme(theme);
}

void GridPlot::setTheme(const Theme& theme) {
    m_theme = &theme;
    m_cells->setTheme(theme);
    setBackground(theme.panel);
    for (QCPAxis* axis : {xAxis2, yAxis}) axis->setTickLabelColor(theme.text);
    m_corner->setColor(theme.mutedText);
    refresh();
}

void GridPlot::refresh() {
    const QFontMetricsF metrics(font());
    for (QCPAxis* axis : {xAxis2, yAxis}) axis->setTickLabelFont(font());
    m_corner->setFont(font());
    m_corner->setText(m_model->columnCount() == 0 ? QString()
                                                  : QStringLiteral("%1 ╲ %2").arg(m_model->rowAxis(), m_model->columnAxis()));
    xAxis2->setTicker(ticker(*m_model, Qt::Horizontal, qMin(double(axisRect()->width()), m_model->columnCount() * kLargestCell.width()), metrics));
    yAxis->setTicker(ticker(*m_model, Qt::Vertical, qMin(double(axisRect()->height()), m_model->rowCount() * kLargestCell.height()), metrics));
    xAxis2->setRange(-0.5, qMax(double(m_model->columnCount()), axisRect()->width() / kLargestCell.width()) - 0.5);
    yAxis->setRange(-0.5, qMax(double(m_model->rowCount()), axisRect()->height() / kLargestCell.height()) - 0.5);
    replotWhenShown();
}

void GridPlot::setCurrent(const QModelIndex& index) {
    m_current = index;
    m_cells->setCurrent(index);
    setAccessibleDescription(index.data(GridModel::SentenceRole).toString());
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
    replotWhenShown();
}

void GridPlot::replotWhenShown() {
    if (isVisible() && !viewport().isEmpty()) replot(QCustomPlot::rpQueuedReplot);
}

void GridPlot::showEvent(QShowEvent* event) {
    QCustomPlot::showEvent(event);
    refresh();
}

QModelIndex GridPlot::indexAt(const QPointF& position) const { return m_cells->indexAt(position); }

void GridPlot::move(int rows, int columns) {
    if (m_model->rowCount() == 0 || m_model->columnCount() == 0) return;
    const int row = m_current.isValid() ? qBound(0, m_current.row() + rows, m_model->rowCount() - 1) : 0;
    const int column = m_current.isValid() ? qBound(0, m_current.column() + columns, m_model->columnCount() - 1) : 0;
    emit cellChosen(m_model->index(row, column));
}

void GridPlot::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Left: return move(0, -1);
        case Qt::Key_Right: return move(0, 1);
        case Qt::Key_Up: return move(-1, 0);
        case Qt::Key_Down: return move(1, 0);
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (m_current.isValid()) emit cellEntered(m_current);
            return;
        default: QCustomPlot::keyPressEvent(event);
    }
}

void GridPlot::resizeEvent(QResizeEvent* event) {
    QCustomPlot::resizeEvent(event);
    refresh();
}

bool GridPlot::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        const QModelIndex index = indexAt(help->pos());
        QToolTip::showText(help->globalPos(), index.data(Qt::ToolTipRole).toString(), this);
        return true;
    }
    return QCustomPlot::event(event);
}

}  // namespace isobit::views
