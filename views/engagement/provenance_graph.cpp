// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/engagement/provenance_graph.h"

#include <QPainter>
#include <algorithm>

namespace isobit::views {

namespace {

constexpr int kArrowRoom = 22;  // pixels between two stations, for the arrow
constexpr int kSideWidth = 64;
constexpr int kMostWidth = 210;

QString spoken(const std::vector<TableStation>& way, const QString& side) {
    QStringList parts;
    for (const TableStation& station : way)
        parts << station.what + QStringLiteral(", ") + station.detail + (station.harmed ? QStringLiteral(", harmed") : QString());
    return way.empty() ? QString() : side + QStringLiteral(": ") + parts.join(QStringLiteral("; then "));
}

}  // namespace

ProvenanceGraph::ProvenanceGraph(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
    setAccessibleName(QStringLiteral("The way of the table"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ProvenanceGraph::setWays(std::vector<TableStation> trainer, std::vector<TableStation> sampler) {
    m_trainer = std::move(trainer);
    m_sampler = std::move(sampler);
    setAccessibleDescription(spoken(m_trainer, QStringLiteral("trainer")) + QStringLiteral(". ") + spoken(m_sampler, QStringLiteral("sampler")));
    updateGeometry();
    update();
}

void ProvenanceGraph::setTheme(const Theme& theme) {
    m_theme = theme;
    update();
}

int ProvenanceGraph::stationHeight() const { return 2 * fontMetrics().height() + 10; }

QSize ProvenanceGraph::sizeHint() const { return {600, isEmpty() ? 0 : 2 * (stationHeight() + 8) + 4}; }

void ProvenanceGraph::paintEvent(QPaintEvent*) {
    if (isEmpty()) return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintWay(painter, m_trainer, 2, m_theme.trainer, QStringLiteral("trainer"));
    paintWay(painter, m_sampler, stationHeight() + 10, m_theme.sampler, QStringLiteral("sampler"));
}

void ProvenanceGraph::paintWay(QPainter& painter, const std::vector<TableStation>& way, int top, const QColor& ink, const QString& side) const {
    painter.setPen(ink);
    painter.drawText(QRect(0, top, kSideWidth, stationHeight()), Qt::AlignVCenter | Qt::AlignLeft, side);
    if (way.empty()) {
        painter.setPen(m_theme.mutedText);
        painter.drawText(QRect(kSideWidth, top, width() - kSideWidth, stationHeight()), Qt::AlignVCenter, QStringLiteral("reads no table"));
        return;
    }
    const int stations = static_cast<int>(way.size());
    const int each = std::min(kMostWidth, (width() - kSideWidth - kArrowRoom * (stations - 1) - 2) / stations);
    for (int i = 0; i < stations; ++i) {
        const TableStation& station = way[std::size_t(i)];
        const QRect box(kSideWidth + i * (each + kArrowRoom), top, each, stationHeight());
        painter.setPen(QPen(station.harmed ? m_theme.failed : ink, 1.5, station.harmed ? Qt::DashLine : Qt::SolidLine));
        painter.setBrush(m_theme.raised);
        painter.drawRoundedRect(box, 4, 4);
        if (i > 0) {
            painter.setPen(m_theme.mutedText);
            painter.drawText(QRect(box.left() - kArrowRoom, top, kArrowRoom, box.height()), Qt::AlignCenter, QStringLiteral("→"));
        }
        const QRect inner = box.adjusted(6, 3, -6, -3);
        const QString what = station.harmed ? QStringLiteral("! ") + station.what : station.what;
        painter.setPen(m_theme.text);
        painter.drawText(inner, Qt::AlignTop | Qt::AlignLeft, fontMetrics().elidedText(what, Qt::ElideRight, inner.width()));
        painter.setPen(station.harmed ? m_theme.failed : m_theme.mutedText);
        painter.drawText(inner, Qt::AlignBottom | Qt::AlignLeft, fontMetrics().elidedText(station.detail, Qt::ElideRight, inner.width()));
    }
}

}  // namespace isobit::views
