// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/inspector/flips_widget.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <cmath>

#include "views/text.h"

namespace isobit::views {

FlipsWidget::FlipsWidget(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(&theme) {
    setAccessibleName(QStringLiteral("Flips of each bit"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void FlipsWidget::setComparison(const Comparison& comparison) {
    m_bits.clear();
    m_cells = 0;
    // The written form of a word says where its fields are: a blank between them.
    const std::string fields = bitsOf(comparison.dtype, 0);
    int number = static_cast<int>(8 * bytesOf(comparison.dtype)) - 1;
    QStringList sentence;
    for (const char digit : fields) {
        if (digit == ' ') {
            m_cells += 0.5;
            continue;
        }
        const std::uint64_t flips = comparison.flipsPerBit[static_cast<std::size_t>(number)];
        m_bits.push_back({number, flips, m_cells});
        if (flips > 0) sentence << QStringLiteral("bit %1: %2").arg(number).arg(grouped(flips));
        m_cells += 1;
        --number;
    }
    setAccessibleDescription(sentence.join(QStringLiteral(", ")));
    update();
}

void FlipsWidget::setTheme(const Theme& theme) {
    m_theme = &theme;
    update();
}

double FlipsWidget::cellWidth() const { return m_cells > 0 ? qMin(20.0, width() / m_cells) : 0; }

void FlipsWidget::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    QFont small = font();
    small.setPointSizeF(font().pointSizeF() * 0.74);
    painter.setFont(small);
    const QFontMetricsF metrics(small);
    const double line = metrics.height();
    const double base = height() - line - 2;
    const double tallest = base - line - 2;
    std::uint64_t most = 10;
    for (const Bit& bit : m_bits) most = std::max(most, bit.flips);
    for (const Bit& bit : m_bits) {
        const double left = bit.left * cellWidth();
        const double share = bit.flips == 0 ? 0 : (std::log10(double(bit.flips)) + 0.4) / (std::log10(double(most)) + 0.4);
        const QRectF box(left + 1, base - qMax(1.0, tallest * share), cellWidth() - 2, qMax(1.0, tallest * share));
        painter.fillRect(box, bit.flips > 0 ? m_theme->link : m_theme->border);
        const QRectF above(box.center().x() - 40, box.top() - line, 80, line);
        painter.setPen(m_theme->text);
        const QString count = shortened(bit.flips);
        const bool room = metrics.horizontalAdvance(count) <= cellWidth() - 3;
        if (bit.flips > 0 && room) painter.drawText(above, Qt::AlignCenter, count);
        painter.setPen(bit.flips > 0 ? m_theme->text : m_theme->mutedText);
        const bool label = cellWidth() > metrics.horizontalAdvance(QStringLiteral("00")) || bit.number % 4 == 0;
        if (label) painter.drawText(QRectF(left - 10, base + 1, cellWidth() + 20, line), Qt::AlignCenter, QString::number(bit.number));
    }
}

bool FlipsWidget::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    auto* help = static_cast<QHelpEvent*>(event);
    for (const Bit& bit : m_bits) {
        const double left = bit.left * cellWidth();
        if (help->pos().x() < left || help->pos().x() >= left + cellWidth()) continue;
        QToolTip::showText(help->globalPos(), QStringLiteral("bit %1: %2").arg(bit.number).arg(counted(bit.flips, "flip")), this);
    }
    return true;
}

}  // namespace isobit::views
