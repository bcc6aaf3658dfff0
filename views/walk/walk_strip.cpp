// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/walk/walk_strip.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>
#include <cmath>

#include "views/captures/capture_text.h"
#include "views/text.h"
#include "views/walk/step_painter.h"
#include "views/walk/walk_model.h"

namespace isobit::views {

namespace {

constexpr double kCaptionRoom = 78;  // room for the captions
constexpr double kLayerGap = 6;      // between layers
constexpr double kNarrowest = 5;     // of a step: below it a bar cannot be hit; the strip scrolls instead
constexpr double kWidestLayer = 26;
constexpr double kGrowth = 40;
constexpr double kFlag = 15;
constexpr double kBars = 30;

}  // namespace

WalkStrip::WalkStrip(const WalkModel* model, const Theme& theme, QWidget* parent)
    : QWidget(parent), m_model(model), m_theme(&theme) {
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(QStringLiteral("Walk: a bar a tensor, in execution order"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(model, &QAbstractItemModel::modelReset, this, &WalkStrip::layOut);
    connect(model, &QAbstractItemModel::rowsInserted, this, &WalkStrip::layOut);
    connect(model, &QAbstractItemModel::dataChanged, this, [this] { update(); });
    layOut();
}

void WalkStrip::layOut() {
    m_gapsBefore.clear();
    m_maxUlp = 0;
    double gaps = 0;
    for (int row = 0; row < m_model->rowCount(); ++row) {
        if (row > 0 && m_model->layerAt(row) != m_model->layerAt(row - 1)) gaps += kLayerGap;
        m_gapsBefore.push_back(gaps);
        m_maxUlp = std::max(m_maxUlp, m_model->stepAt(row)->comparison.maxUlp);
    }
    updateGeometry();
    update();
}

void WalkStrip::setTheme(const Theme& theme) {
    m_theme = &theme;
    update();
}

void WalkStrip::setCurrent(int row) {
    m_current = row;
    const WalkStep* step = m_model->stepAt(row);
    setAccessibleDescription(step == nullptr ? QString() : sentenceOf(*step));
    update();
}

QSize WalkStrip::minimumSizeHint() const {
    const double gaps = m_gapsBefore.empty() ? 0 : m_gapsBefore.back();
    return {int(std::ceil(kCaptionRoom + gaps + kNarrowest * m_model->rowCount())), int(kGrowth + kFlag + kBars) + fontMetrics().height() + 6};
}

double WalkStrip::stepWidth() const {
    if (m_gapsBefore.empty()) return kWidestLayer;
    return std::clamp((width() - kCaptionRoom - m_gapsBefore.back() - 2) / m_model->rowCount(), kNarrowest, kWidestLayer);
}

QRectF WalkStrip::columnOf(int row) const {
    const double width = stepWidth();
    return {kCaptionRoom + row * width + m_gapsBefore[static_cast<std::size_t>(row)], 0, width, double(height())};
}

WalkStrip::Rows WalkStrip::rowsIn(double left, double right) const {
    // Columns stand from left to right, so the first one is found by halving.
    int first = 0;
    for (int end = m_model->rowCount(); first < end;) {
        const int middle = (first + end) / 2;
        if (columnOf(middle).right() < left)
            first = middle + 1;
        else
            end = middle;
    }
    int last = first - 1;
    while (last + 1 < m_model->rowCount() && columnOf(last + 1).left() <= right) ++last;
    return {first, last};
}

int WalkStrip::rowAt(const QPointF& position) const {
    const Rows rows = rowsIn(position.x(), position.x());
    for (int row = rows.first; row <= rows.last; ++row)
        if (columnOf(row).contains(position)) return row;
    return -1;
}

void WalkStrip::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    painter.fillRect(rect(), m_theme->panel);
    if (m_model->rowCount() == 0) return;
    painter.setPen(m_theme->mutedText);
    const double barsTop = kGrowth + kFlag;
    painter.drawText(QRectF(0, 0, kCaptionRoom - 10, kGrowth), Qt::AlignRight | Qt::AlignTop,
                     m_maxUlp == 0 ? QStringLiteral("largest") : shortened(m_maxUlp) + QStringLiteral(" ULP"));
    painter.drawText(QRectF(0, 0, kCaptionRoom - 10, kGrowth), Qt::AlignRight | Qt::AlignBottom, QStringLiteral("1 ULP"));
    painter.drawText(QRectF(0, barsTop, kCaptionRoom - 10, kBars), Qt::AlignRight | Qt::AlignVCenter, QStringLiteral("share"));
    painter.drawText(QRectF(0, barsTop + kBars + 3, kCaptionRoom - 10, fontMetrics().height()), Qt::AlignRight | Qt::AlignVCenter,
                     QStringLiteral("layer"));
    if (m_current >= 0 && m_current < m_model->rowCount())
        painter.fillRect(columnOf(m_current).adjusted(0, 0, 0, -fontMetrics().height() - 4), m_theme->highlight);
    // A walk of thousands of tensors is wider than any screen: only what is seen is drawn.
    const Rows rows = rowsIn(event->rect().left(), event->rect().right());
    drawGrowth(painter, QRectF(0, 2, width(), kGrowth - 4), rows);
    drawFlag(painter, kGrowth);
    for (int row = rows.first; row <= rows.last; ++row) {
        const QRectF column = columnOf(row);
        const double side = column.width() > 8 ? 1 : 0.5;
        drawStep(painter, QRectF(column.left() + side, barsTop, column.width() - 2 * side, kBars), *m_model->stepAt(row), *m_theme, Qt::Vertical);
    }
    drawLayers(painter, QRectF(0, barsTop + kBars + 3, width(), fontMetrics().height()), rows);
    if (m_current < 0 || m_current >= m_model->rowCount()) return;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(m_theme->focus, hasFocus() ? 2 : 1));
    painter.drawRect(columnOf(m_current).adjusted(0.5, barsTop - 1.5, -0.5, -fontMetrics().height() - 3.5));
}

void WalkStrip::drawGrowth(QPainter& painter, const QRectF& room, Rows rows) const {
    // Distances from 1 on a log scale. Equality is no point of it: the line breaks there.
    const double decades = std::max(1.0, std::log10(double(std::max<std::uint64_t>(m_maxUlp, 2))));
    painter.setPen(QPen(m_theme->border, 1));
    painter.drawLine(QPointF(kCaptionRoom, room.bottom() + 0.5), QPointF(columnOf(m_model->rowCount() - 1).right(), room.bottom() + 0.5));
    painter.setRenderHint(QPainter::Antialiasing);
    std::optional<QPointF> before;
    // From the difference before the part that is seen to the one behind it, for the lines that lead in and out.
    const int first = std::max(0, m_model->differingRow(rows.first, -1));
    const int behind = m_model->differingRow(rows.last, 1);
    for (int row = first; row <= (behind < 0 ? rows.last : behind); ++row) {
        const WalkStep& step = *m_model->stepAt(row);
        if (step.status == TensorStatus::Equal) before.reset();
        if (step.status != TensorStatus::Different) continue;
        const double height = std::log10(double(std::max<std::uint64_t>(1, step.comparison.maxUlp))) / decades;
        const QPointF point(columnOf(row).center().x(), room.bottom() - 2 - height * (room.height() - 5));
        painter.setPen(QPen(m_theme->text, 1.2));
        if (before) painter.drawLine(*before, point);
        painter.setBrush(m_theme->text);
        painter.setPen(Qt::NoPen);
        painter.drawEllipse(point, 1.8, 1.8);
        before = point;
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void WalkStrip::drawFlag(QPainter& painter, double top) const {
    const auto& first = m_model->capture()->walk.firstDivergence;
    if (!first) return;
    const double x = columnOf(static_cast<int>(*first)).center().x();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme->edge);
    painter.drawPolygon(QPolygonF({QPointF(x - 5, top + 5), QPointF(x + 5, top + 5), QPointF(x, top + 12)}));
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void WalkStrip::drawLayers(QPainter& painter, const QRectF& room, Rows rows) const {
    painter.setPen(m_theme->mutedText);
    double free = 0;  // to the right of the last label
    int row = std::max(0, rows.first);
    while (row > 0 && m_model->layerAt(row - 1) == m_model->layerAt(row)) --row;
    while (row <= rows.last) {
        const QString layer = m_model->layerAt(row);
        int last = row;
        while (last + 1 < m_model->rowCount() && m_model->layerAt(last + 1) == layer) ++last;
        const double left = columnOf(row).left();
        const double right = columnOf(last).right();
        const double needed = fontMetrics().horizontalAdvance(layer) + 8;
        if (!layer.isEmpty()) {
            painter.drawLine(QPointF(left, room.top()), QPointF(right - 1, room.top()));
            const QRectF label((left + right - needed) / 2, room.top(), needed, room.height());
            if (label.left() >= free) {
                painter.drawText(label, Qt::AlignCenter, layer);
                free = label.right();
            }
        }
        row = last + 1;
    }
}

void WalkStrip::mousePressEvent(QMouseEvent* event) {
    if (const int row = rowAt(event->position()); row >= 0) emit rowChosen(row);
}

void WalkStrip::mouseMoveEvent(QMouseEvent* event) {
    if (const int row = rowAt(event->position()); row >= 0 && row != m_current) emit rowChosen(row);
}

void WalkStrip::mouseDoubleClickEvent(QMouseEvent* event) {
    if (const int row = rowAt(event->position()); row >= 0) emit rowEntered(row);
}

void WalkStrip::keyPressEvent(QKeyEvent* event) {
    const int last = m_model->rowCount() - 1;
    switch (event->key()) {
        case Qt::Key_Left:
        case Qt::Key_Up:
            if (m_current > 0) emit rowChosen(m_current - 1);
            return;
        case Qt::Key_Right:
        case Qt::Key_Down:
            if (m_current < last) emit rowChosen(m_current + 1);
            return;
        case Qt::Key_End:
            if (last >= 0) emit rowChosen(last);
            return;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (m_current >= 0) emit rowEntered(m_current);
            return;
        default: QWidget::keyPressEvent(event);
    }
}

bool WalkStrip::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const WalkStep* step = m_model->stepAt(rowAt(help->pos()));
    QToolTip::showText(help->globalPos(), step == nullptr ? QString() : sentenceOf(*step), this);
    return true;
}

}  // namespace isobit::views
