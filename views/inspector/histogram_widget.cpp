// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/inspector/histogram_widget.h"

#include <QPainter>
#include <QStringList>
#include <cmath>

#include "views/grid/cell_face.h"
#include "views/text.h"

namespace isobit::views {

namespace {

constexpr int kEqualityGap = 8;  // between equality and what differs

/// Share of the full length: 0 for none, and one element is already seen.
double logShare(std::uint64_t count, std::uint64_t most) {
    if (count == 0) return 0;
    return (std::log10(double(count)) + 0.4) / (std::log10(double(std::max<std::uint64_t>(most, 10))) + 0.4);
}

}  // namespace

std::vector<HistogramBar> histogramBars(const Comparison& comparison) {
    std::vector<HistogramBar> bars;
    const auto last = std::max(comparison.worstBin(), UlpBin::UpTo16);
    for (std::size_t bin = 0; bin <= static_cast<std::size_t>(last); ++bin)
        bars.push_back({shortLabelOf(static_cast<UlpBin>(bin)), comparison.ulpHistogram[bin], static_cast<UlpBin>(bin)});
    bars.front().label = QStringLiteral("equal");
    return bars;
}

HistogramWidget::HistogramWidget(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(&theme) {
    setAccessibleName(QStringLiteral("Histogram of distances"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void HistogramWidget::setBars(std::vector<HistogramBar> bars) {
    m_bars = std::move(bars);
    QStringList sentence;
    for (const HistogramBar& bar : m_bars)
        if (bar.count > 0) sentence << QStringLiteral("%1: %2").arg(bar.label, grouped(bar.count));
    setAccessibleDescription(sentence.join(QStringLiteral(", ")));
    setFixedHeight(sizeHint().height());
    update();
}

void HistogramWidget::setTheme(const Theme& theme) {
    m_theme = &theme;
    update();
}

int HistogramWidget::rowHeight() const { return fontMetrics().height() + 3; }

QSize HistogramWidget::sizeHint() const { return {260, int(m_bars.size()) * rowHeight() + kEqualityGap}; }

void HistogramWidget::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    std::uint64_t most = 0;
    int labelWidth = 0;
    int countWidth = 0;
    for (const HistogramBar& bar : m_bars) {
        most = std::max(most, bar.count);
        labelWidth = std::max(labelWidth, fontMetrics().horizontalAdvance(bar.label));
        countWidth = std::max(countWidth, fontMetrics().horizontalAdvance(grouped(bar.count)));
    }
    const int left = labelWidth + 10;
    const int full = std::max(20, width() - left - countWidth - 10);
    int y = 0;
    for (const HistogramBar& bar : m_bars) {
        const int height = rowHeight();
        const QColor ink = bar.count > 0 ? m_theme->text : m_theme->disabledText;
        painter.setPen(ink);
        painter.drawText(QRect(0, y, labelWidth, height), Qt::AlignRight | Qt::AlignVCenter, bar.label);
        const QRectF box(left, y + 2, full * logShare(bar.count, most), height - 4);
        painter.fillRect(box, m_theme->colorOf(bar.bin));
        if (bar.count > 0) {
            // An outline, so that the lightest fill is seen on the lightest panel.
            painter.setPen(QPen(m_theme->strongBorder, 1));
            painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
        }
        painter.setPen(ink);
        const QRect number(int(box.right()) + 7, y, width() - int(box.right()) - 7, height);
        painter.drawText(number, Qt::AlignLeft | Qt::AlignVCenter, bar.count > 0 ? grouped(bar.count) : QStringLiteral("0"));
        y += height + (bar.bin == UlpBin::Equal ? kEqualityGap : 0);
    }
}

}  // namespace isobit::views
