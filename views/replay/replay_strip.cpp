// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/replay/replay_strip.h"

#include <QMouseEvent>
#include <QPainter>
#include <cmath>

#include "views/replay/replay_model.h"

namespace isobit::views {

namespace {

constexpr double kLeft = 78;
constexpr double kTop = 14;  // room for the flag
constexpr double kWidest = 16;
constexpr double kDecades = 8;  // below the largest difference; FP32 log-probs near 1 have no smaller step

}  // namespace

ReplayStrip::ReplayStrip(const ReplayModel* model, const Theme& theme, QWidget* parent)
    : QWidget(parent), m_model(model), m_theme(&theme) {
    setAccessibleName(QStringLiteral("Differences of log-probabilities by token"));
    setFixedHeight(sizeHint().height());
    connect(model, &QAbstractItemModel::modelReset, this, qOverload<>(&QWidget::update));
}

void ReplayStrip::setTheme(const Theme& theme) {
    m_theme = &theme;
    update();
}

void ReplayStrip::setCurrent(int row) {
    m_current = row;
    update();
}

QRectF ReplayStrip::columnOf(int row) const {
    const double step = std::min(kWidest, (width() - kLeft - 4) / std::max(1, m_model->rowCount()));
    return {kLeft + row * step, kTop, step, height() - kTop};
}

int ReplayStrip::rowAt(double x) const {
    if (m_model->rowCount() == 0 || x < kLeft) return -1;
    const int row = static_cast<int>((x - kLeft) / columnOf(0).width());
    return row < m_model->rowCount() ? row : -1;
}

void ReplayStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (m_model->rowCount() == 0) return;
    const double middle = kTop + (height() - kTop) / 2;
    const double reach = (height() - kTop) / 2 - 3;
    const QRectF captions(0, kTop, kLeft - 10, height() - kTop);
    painter.setPen(m_theme->trainer);
    painter.drawText(captions, Qt::AlignRight | Qt::AlignTop, QStringLiteral("trainer ▲"));
    painter.setPen(m_theme->sampler);
    painter.drawText(captions, Qt::AlignRight | Qt::AlignBottom, QStringLiteral("sampler ▼"));
    if (m_current >= 0 && m_current < m_model->rowCount()) painter.fillRect(columnOf(m_current), m_theme->highlight);
    painter.setPen(m_theme->border);
    painter.drawLine(QPointF(kLeft, middle), QPointF(columnOf(m_model->rowCount() - 1).right(), middle));
    for (int row = 0; row < m_model->rowCount(); ++row) drawToken(painter, row, middle, reach);
    drawFlag(painter);
}

void ReplayStrip::drawToken(QPainter& painter, int row, double middle, double reach) const {
    const ReplayToken& token = *m_model->tokenAt(row);
    const QRectF column = columnOf(row);
    const double inset = column.width() > 4 ? 1 : 0;
    const QRectF body(column.left() + inset, middle, std::max(1.0, column.width() - 2 * inset), 0);
    if (!token.differs) {
        painter.fillRect(body.adjusted(0, -1.5, 0, 1.5), m_theme->equalCell);
        return;
    }
    const double largest = std::max(double(m_model->capture()->replay->largestAbsolute), 1e-30);
    const double size = std::abs(double(token.difference));
    constexpr double kLeast = 0.08;
    const double length = size == 0 ? kLeast : std::clamp(1 + std::log10(size / largest) / kDecades, kLeast, 1.0);
    const bool above = token.difference > 0;
    painter.fillRect(above ? body.adjusted(0, -length * reach, 0, 0) : body.adjusted(0, 0, 0, length * reach),
                     above ? m_theme->trainer : m_theme->sampler);
}

void ReplayStrip::drawFlag(QPainter& painter) const {
    const auto& replay = m_model->capture()->replay;
    if (!replay || !replay->firstDivergentToken) return;
    const double x = columnOf(static_cast<int>(*replay->firstDivergentToken)).center().x();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme->edge);
    painter.drawPolygon(QPolygonF({QPointF(x - 5, 3), QPointF(x + 5, 3), QPointF(x, 10)}));
}

void ReplayStrip::mousePressEvent(QMouseEvent* event) {
    if (const int row = rowAt(event->position().x()); row >= 0) emit rowChosen(row);
}

void ReplayStrip::mouseMoveEvent(QMouseEvent* event) { mousePressEvent(event); }

}  // namespace isobit::views
