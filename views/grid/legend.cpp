// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/grid/legend.h"

#include <QPainter>

#include "views/grid/face_painter.h"

namespace isobit::views {

namespace {

/// The swatch without a number: a legend stands for every count.
void drawSwatch(QPainter& painter, const QRectF& rect, const LegendEntry& entry, const Theme& theme) {
    if (entry.inside) {
        painter.fillRect(rect, theme.colorOf(entry.face.bin));
        painter.setPen(readableOn(theme.colorOf(entry.face.bin)));
        painter.drawText(rect, Qt::AlignCenter, entry.text);
    } else if (entry.face.kind == CellFace::NotFinite) {
        drawHatched(painter, rect, theme.colorOf(entry.face.bin));
    } else {
        drawFace(painter, rect, entry.face, theme);
    }
}

}  // namespace

std::vector<LegendEntry> legendEntries(const GridModel& model) {
    std::vector<LegendEntry> list{{QStringLiteral("equal"), {.kind = CellFace::Equal}}};
    for (std::size_t bin = 1; bin < kUlpBins; ++bin) {
        const auto ulpBin = static_cast<UlpBin>(bin);
        list.push_back({shortLabelOf(ulpBin), {.kind = CellFace::Different, .bin = ulpBin}, true});
    }
    const LegendEntry others[] = {{QStringLiteral("infinity or NaN"), {.kind = CellFace::NotFinite, .bin = UlpBin::UpTo256}},
                                  {QStringLiteral("failed"), {.kind = CellFace::Failed}},
                                  {QStringLiteral("not run"), {.kind = CellFace::NotRun}},
                                  {QStringLiteral("missing"), {.kind = CellFace::Missing}}};
    for (const LegendEntry& other : others)
        if (model.shows(other.face.kind)) list.push_back(other);
    if (model.showsDependentRows())
        list.push_back({QStringLiteral("rows depend on company"), {.kind = CellFace::Equal, .rowsDepend = true}});
    return list;
}

double drawLegend(QPainter* painter, const QRectF& room, const std::vector<LegendEntry>& entries, const QFont& font,
                  const Theme& theme) {
    const QPointF topLeft = room.topLeft();
    const QFontMetricsF metrics(font);
    const double height = metrics.height() + 4;
    const double swatch = 26;
    constexpr double kBetweenRows = 5;
    if (painter != nullptr) painter->setFont(font);
    QPointF at = topLeft;
    const auto place = [&](double needed) {
        if (at.x() > topLeft.x() && at.x() + needed > room.right()) at = {topLeft.x(), at.y() + height + kBetweenRows};
        return at;
    };
    const auto write = [&](const QString& text) {
        const double textWidth = metrics.horizontalAdvance(text) + 2;
        if (painter != nullptr) {
            painter->setPen(theme.mutedText);
            painter->drawText(QRectF(at, QSizeF(textWidth, height)), Qt::AlignVCenter | Qt::AlignLeft, text);
        }
        at.rx() += textWidth;
    };
    bool ramp = false;
    for (const LegendEntry& entry : entries) {
        const double textWidth = metrics.horizontalAdvance(entry.text);
        if (entry.inside && !ramp) {
            const QString caption = QStringLiteral("largest ULP");
            place(metrics.horizontalAdvance(caption) + 100);
            write(caption);
            at.rx() += 6;
        }
        if (!entry.inside && ramp) at.rx() += 14;
        ramp = entry.inside;
        const double boxWidth = entry.inside ? qMax(swatch, textWidth + 10) : swatch;
        place(entry.inside ? boxWidth : boxWidth + 6 + textWidth);
        const QRectF box(at, QSizeF(boxWidth, height));
        if (painter != nullptr) drawSwatch(*painter, box, entry, theme);
        at.rx() += boxWidth + (entry.inside ? 1 : 6);
        if (entry.inside) continue;
        write(entry.text);
        at.rx() += 14;
    }
    return at.y() - topLeft.y() + height;
}

LegendWidget::LegendWidget(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(&theme) {
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setAccessibleName(QStringLiteral("Legend"));
}

void LegendWidget::setEntries(std::vector<LegendEntry> entries) {
    m_entries = std::move(entries);
    updateGeometry();
    update();
}

void LegendWidget::setTheme(const Theme& theme) {
    m_theme = &theme;
    update();
}

int LegendWidget::heightForWidth(int width) const { return qCeil(drawLegend(nullptr, QRectF(0, 0, width, 0), m_entries, font(), *m_theme)); }

QSize LegendWidget::sizeHint() const { return {400, heightForWidth(qMax(400, width()))}; }

void LegendWidget::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    drawLegend(&painter, rect(), m_entries, font(), *m_theme);
}

LegendElement::LegendElement(QCustomPlot* plot, double width, std::vector<LegendEntry> entries, const Theme& theme)
    : QCPLayoutElement(plot), m_entries(std::move(entries)), m_theme(&theme) {
    const int height = qCeil(drawLegend(nullptr, QRectF(0, 0, width, 0), m_entries, plot->font(), theme));
    setMinimumSize(QSize(qRound(width), height));
    setMaximumSize(QSize(QWIDGETSIZE_MAX, height));
}

void LegendElement::draw(QCPPainter* painter) {
    drawLegend(painter, mRect, m_entries, mParentPlot->font(), *m_theme);
}

}  // namespace isobit::views
