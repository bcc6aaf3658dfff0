// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/grid/grid_export.h"

#include <QBuffer>
#include <QFileInfo>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>

#include "views/grid/grid_csv.h"
#include "views/grid/grid_places.h"
#include "views/grid/grid_plot.h"
#include "views/grid/legend.h"
#include "views/palette/fonts.h"
#include "views/run_text.h"

namespace isobit::views {

namespace {

constexpr int kWidth = 960;
constexpr int kRowsAbove = 3;   // title, trainer, sampler
constexpr int kEdgesNamed = 3;  // further ones are seen as lines
constexpr double kScale = 2;  // of a PNG: sharp on paper and on dense screens

void addLine(QCustomPlot& plot, int row, const QString& text, const QFont& font, const QColor& color) {
    auto* element = new QCPTextElement(&plot, text, font);
    element->setTextFlags(Qt::AlignLeft | Qt::AlignVCenter);
    element->setTextColor(color);
    element->setMargins(QMargins(0, 0, 0, 2));
    plot.plotLayout()->addElement(row, 0, element);
    plot.plotLayout()->setRowStretchFactor(row, 0.001);
}

/// The grid with everything that a figure needs to be understood away from the window.
class Figure {
public:
    explicit Figure(const GridExport& what) : m_plot(&m_model, *what.theme) {
        m_model.setRun(what.run, what.output);
        const Theme& theme = *what.theme;
        const QFont font = textFont();
        m_plot.setFont(font);
        // The plot has made its first row for the axes; everything else is put around it.
        for (int row = 0; row < kRowsAbove; ++row) m_plot.plotLayout()->insertRow(0);
        const Pairing& pairing = what.run->plan.pairing;
        addLine(m_plot, 0, titleOf(*what.run) + QStringLiteral("   ") + verdictOf(*what.run) + outputClause(what),
                scaledFont(font, 1.35, true), theme.text);
        addLine(m_plot, 1, QStringLiteral("trainer ") + programText(pairing.trainer), font, theme.trainer);
        addLine(m_plot, 2, QStringLiteral("sampler ") + programText(pairing.sampler), font, theme.sampler);
        int row = kRowsAbove + 1;
        for (const Edge& edge : what.run->edges)
            if (row < kRowsAbove + 1 + kEdgesNamed) addLine(m_plot, row++, QStringLiteral("Edge at ") + sentenceOf(edge), font, theme.text);
        m_plot.plotLayout()->addElement(row++, 0, new LegendElement(&m_plot, kWidth - 48, legendEntries(m_model), theme));
        addLine(m_plot, row, what.digestLine, scaledFont(wordFont(), 0.85), theme.mutedText);
        m_plot.plotLayout()->setMargins(QMargins(24, 20, 24, 18));
        m_plot.plotLayout()->setRowSpacing(6);
        m_plot.resize(kWidth, height());
        m_plot.setGeometry(0, 0, kWidth, height());
        m_plot.setViewport(QRect(0, 0, kWidth, height()));
        m_plot.plotLayout()->update(QCPLayoutElement::upMargins);
        m_plot.plotLayout()->update(QCPLayoutElement::upLayout);
        m_plot.refresh();
    }

    [[nodiscard]] int height() const { return 250 + qBound(1, m_model.rowCount(), 40) * 34; }
    void draw(QCPPainter& painter, bool vectors) {
        painter.setMode(QCPPainter::pmVectorized, vectors);
        painter.setMode(QCPPainter::pmNoCaching);
        painter.setFont(textFont());
        m_plot.toPainter(&painter, kWidth, height());
    }

private:
    static QString outputClause(const GridExport& what) {
        return what.output.empty() ? QString() : QStringLiteral("  ·  %1").arg(QString::fromStdString(what.output));
    }

    GridModel m_model;
    GridPlot m_plot;
};

QByteArray pngOf(Figure& figure) {
    QImage image(QSize(kWidth, figure.height()) * kScale, QImage::Format_RGB32);
    image.setDevicePixelRatio(kScale);
    QCPPainter painter(&image);
    figure.draw(painter, false);
    painter.end();
    QByteArray bytes;
    QBuffer buffer(&bytes);
    image.save(&buffer, "PNG");
    return bytes;
}

QByteArray svgOf(Figure& figure, const QString& title) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize({kWidth, figure.height()});
    generator.setViewBox(QRect(0, 0, kWidth, figure.height()));
    generator.setTitle(title);
    QCPPainter painter(&generator);
    figure.draw(painter, true);
    painter.end();
    return bytes;
}

QByteArray pdfOf(Figure& figure, const QString& title) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setTitle(title);
    writer.setCreator(QStringLiteral("Isobit"));
    writer.setResolution(96);
    constexpr double kPointsPerPixel = 72.0 / 96.0;
    writer.setPageSize(QPageSize(QSizeF(kWidth, figure.height()) * kPointsPerPixel, QPageSize::Point));
    writer.setPageMargins(QMarginsF(0, 0, 0, 0));
    QCPPainter painter(&writer);
    figure.draw(painter, true);
    painter.end();
    return bytes;
}

Result<void> write(const QString& path, const QByteArray& bytes) {
    QSaveFile file(path);
    const bool written = file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit();
    if (!written) return failure("{}: cannot be written: {}", path.toStdString(), file.errorString().toStdString());
    return {};
}

}  // namespace

Result<void> exportGrid(const GridExport& what, const QString& path) {
    const QString suffix = QFileInfo(path).suffix().toLower();
    if (suffix == QLatin1String("csv")) return write(path, gridCsv(*what.run));
    if (suffix != QLatin1String("png") && suffix != QLatin1String("svg") && suffix != QLatin1String("pdf"))
        return failure("{}: the name ends in none of .png, .svg, .pdf, .csv", path.toStdString());
    Figure figure(what);
    const QString title = titleOf(*what.run);
    if (suffix == QLatin1String("png")) return write(path, pngOf(figure));
    return write(path, suffix == QLatin1String("svg") ? svgOf(figure, title) : pdfOf(figure, title));
}

}  // namespace isobit::views
