// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/grid/cell_plottable.h"

#include "views/grid/grid_places.h"

namespace isobit::views {

namespace {

constexpr double kOverhang = 5;
constexpr double kCellGap = 1;  // between cells, in pixels; the panel shows through

}  // namespace

CellPlottable::CellPlottable(QCPAxis* columns, QCPAxis* rows, const GridModel* model, const Theme& theme)
    : QCPAbstractPlottable(columns, rows), m_model(model), m_theme(&theme) {
    setSelectable(QCP::stNone);
    setAntialiased(false);
}

QRectF CellPlottable::rectOf(int row, int column) const {
    const QPointF first(mKeyAxis->coordToPixel(column - 0.5), mValueAxis->coordToPixel(row - 0.5));
    const QPointF last(mKeyAxis->coordToPixel(column + 0.5), mValueAxis->coordToPixel(row + 0.5));
    // Edges on whole pixels, so that gaps are equally wide and text is not blurred.
    const QPointF topLeft(qRound(first.x()), qRound(first.y()));
    const QPointF bottomRight(qRound(last.x()), qRound(last.y()));
    return QRectF(topLeft, bottomRight).adjusted(kCellGap, kCellGap, -kCellGap, -kCellGap);
}

QModelIndex CellPlottable::indexAt(const QPointF& position) const {
    if (!mKeyAxis->axisRect()->rect().contains(position.toPoint())) return {};
    return m_model->index(qRound(mValueAxis->pixelToCoord(position.y())), qRound(mKeyAxis->pixelToCoord(position.x())));
}

double CellPlottable::selectTest(const QPointF& position, bool, QVariant*) const {
    return indexAt(position).isValid() ? 0 : -1;
}

QCPRange CellPlottable::getKeyRange(bool& found, QCP::SignDomain) const {
    found = m_model->columnCount() > 0;
    return {-0.5, m_model->columnCount() - 0.5};
}

QCPRange CellPlottable::getValueRange(bool& found, QCP::SignDomain, const QCPRange&) const {
    found = m_model->rowCount() > 0;
    return {-0.5, m_model->rowCount() - 0.5};
}

FaceText CellPlottable::textThatFits(const QFontMetricsF& metrics) const {
    const QSizeF size = rectOf(0, 0).size();
    // Far too small for any text: spare the look at every cell.
    if (!fits(QStringLiteral("0"), size, metrics)) return FaceText::None;
    const auto everyFits = [&](QString (*textOf)(const CellFace&)) {
        for (int row = 0; row < m_model->rowCount(); ++row)
            for (int column = 0; column < m_model->columnCount(); ++column)
                if (!fits(textOf(m_model->face(m_model->index(row, column))), size, metrics)) return false;
        return true;
    };
    if (everyFits(glyphOf)) return FaceText::Full;
    return everyFits(shortGlyphOf) ? FaceText::CountOnly : FaceText::None;
}

bool CellPlottable::timesFit(const QFontMetricsF& metrics) const {
    if (!m_model->showsTimes()) return false;
    const QSizeF size = rectOf(0, 0).size();
    for (int row = 0; row < m_model->rowCount(); ++row)
        for (int column = 0; column < m_model->columnCount(); ++column)
            if (!fits(m_model->timeText(m_model->index(row, column)), size, metrics, 2)) return false;
    return true;
}

void CellPlottable::draw(QCPPainter* painter) {
    painter->setFont(mParentPlot->font());
    const QFontMetricsF metrics(mParentPlot->font());
    const FaceText text = textThatFits(metrics);
    const bool times = timesFit(metrics);
    const QCPRange columns = mKeyAxis->range();
    const QCPRange rows = mValueAxis->range();
    const int lastRow = qMin(m_model->rowCount() - 1, qRound(rows.upper));
    const int lastColumn = qMin(m_model->columnCount() - 1, qRound(columns.upper));
    for (int row = qMax(0, qRound(rows.lower)); row <= lastRow; ++row)
        for (int column = qMax(0, qRound(columns.lower)); column <= lastColumn; ++column) {
            const QModelIndex index = m_model->index(row, column);
            drawFace(*painter, rectOf(row, column), m_model->face(index), *m_theme, text,
                     times ? m_model->timeText(index) : QString());
        }

    if (m_current.isValid()) drawRing(painter);
    drawEdges(painter);
}

void CellPlottable::drawRing(QCPPainter* painter) const {
    const QRectF ring = rectOf(m_current.row(), m_current.column());
    painter->setBrush(Qt::NoBrush);
    // Two colours, so that the ring is seen on every fill.
    painter->setPen(QPen(m_theme->panel, 1));
    painter->drawRect(ring.adjusted(1.5, 1.5, -1.5, -1.5));
    painter->setPen(QPen(m_theme->focus, 2, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter->drawRect(ring);
}

void CellPlottable::drawEdges(QCPPainter* painter) const {
    if (!m_model->run()) return;
    painter->setPen(QPen(m_theme->edge, 3, Qt::SolidLine, Qt::FlatCap));
    for (const EdgeOnGrid& edge : edgesOnGrid(*m_model->run())) {
        const QRectF cell = rectOf(edge.row, edge.column).adjusted(-kCellGap, -kCellGap, kCellGap, kCellGap);
        // A little longer than the cell, so that it shows beside the ring of the selection.
        if (edge.alongColumns)
            painter->drawLine(cell.topRight() - QPointF(0, kOverhang), cell.bottomRight() + QPointF(0, kOverhang));
        else
            painter->drawLine(cell.bottomLeft() - QPointF(kOverhang, 0), cell.bottomRight() + QPointF(kOverhang, 0));
    }
}

void CellPlottable::drawLegendIcon(QCPPainter* painter, const QRectF& rect) const {
    painter->fillRect(rect, m_theme->equalCell);
}

}  // namespace isobit::views
