// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

#include "views/grid/face_painter.h"
#include "views/grid/grid_model.h"
#include "views/palette/theme.h"

namespace isobit::views {

/// The cells of a grid as vectors: crisp at every scale, on screen and in exports. Column c spans the key axis around c,
/// row r the value axis around r; the value axis is reversed, so that rows go down in the record's order.
class CellPlottable final : public QCPAbstractPlottable {
public:
    CellPlottable(QCPAxis* columns, QCPAxis* rows, const GridModel* model, const Theme& theme);

    void setTheme(const Theme& theme) { m_theme = &theme; }
    /// The cell with the selection ring; an invalid index for none.
    void setCurrent(const QModelIndex& index) { m_current = index; }
    [[nodiscard]] QModelIndex indexAt(const QPointF& position) const;
    [[nodiscard]] QRectF rectOf(int row, int column) const;

    double selectTest(const QPointF& position, bool onlySelectable, QVariant* details = nullptr) const override;
    QCPRange getKeyRange(bool& found, QCP::SignDomain domain = QCP::sdBoth) const override;
    QCPRange getValueRange(bool& found, QCP::SignDomain domain = QCP::sdBoth,
                           const QCPRange& keyRange = QCPRange()) const override;

protected:
    void draw(QCPPainter* painter) override;
    void drawLegendIcon(QCPPainter* painter, const QRectF& rect) const override;

private:
    void drawEdges(QCPPainter* painter) const;
    void drawRing(QCPPainter* painter) const;
    /// The fullest form that fits every cell.
    [[nodiscard]] FaceText textThatFits(const QFontMetricsF& metrics) const;
    /// True if the model shows times and every cell has room for its own.
    [[nodiscard]] bool timesFit(const QFontMetricsF& metrics) const;

    const GridModel* m_model;
    const Theme* m_theme;
    QModelIndex m_current;
};

}  // namespace isobit::views
