// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timing/timing_plot.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QToolTip>
#include <cmath>
#include <map>

namespace isobit::views {

namespace {

constexpr int kMostPanels = 25;  // more would be too small to read
constexpr double kMarker = 6;    // pixels across

/// A realisation is told by its marker and its pen, never by a colour alone.
struct Look {
    const char* realisation;
    QCPScatterStyle::ScatterShape marker;
    QColor Theme::* color;
};
constexpr Look kLooks[] = {{"fused", QCPScatterStyle::ssDisc, &Theme::text},
                           {"cluster", QCPScatterStyle::ssDiamond, &Theme::edge},
                           {"split", QCPScatterStyle::ssSquare, &Theme::mutedText}};

QSharedPointer<QCPAxisTickerLog> decades() {
    QSharedPointer<QCPAxisTickerLog> ticker(new QCPAxisTickerLog);
    ticker->setSubTickCount(8);
    return ticker;
}

/// Powers of ten as numbers: "1", "10", "100".
void styleAxis(QCPAxis* axis, const Theme& theme, const QFont& font) {
    axis->setScaleType(QCPAxis::stLogarithmic);
    axis->setTicker(decades());
    axis->setNumberFormat(QStringLiteral("f"));
    axis->setNumberPrecision(0);
    axis->setTickLabelFont(font);
    axis->setTickLabelColor(theme.mutedText);
    axis->setBasePen(QPen(theme.border));
    axis->setTickPen(QPen(theme.border));
    axis->setSubTickPen(QPen(theme.border));
    axis->setTickLength(0, 3);
    axis->setSubTickLength(0, 1);
    axis->grid()->setPen(QPen(theme.border, 0.5));
    axis->grid()->setSubGridVisible(false);
}

/// Rows and times of everything that is drawn.
struct Extent {
    double fewest = 1e300, mostRows = 0, least = 1e300, most = 0;
    void take(const DispatchTable& table) {
        for (const DispatchCell& cell : table.cells) {
            fewest = qMin(fewest, double(cell.facts.rows));
            mostRows = qMax(mostRows, double(cell.facts.rows));
            for (const auto& [realisation, time] : cell.timeUs) least = qMin(least, time), most = qMax(most, time);
        }
    }
};

}  // namespace

TimingPlot::TimingPlot(const TimingModel* model, const Theme& theme, QWidget* parent)
    : QCustomPlot(parent), m_model(model), m_theme(&theme) {
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(QStringLiteral("Curves of time over rows"));
    setAutoAddPlottableToLegend(false);
    connect(this, &QCustomPlot::mousePress, this, [this](QMouseEvent* press) {
        const int cell = cellAt(press->position());
        if (press->button() == Qt::LeftButton && cell >= 0) emit cellChosen(cell);
    });
    refresh();
}

void TimingPlot::setTheme(const Theme& theme) {
    m_theme = &theme;
    refresh();
}

void TimingPlot::refresh() {
    clearPlottables();
    clearItems();
    plotLayout()->clear();
    legend = nullptr;
    m_panels.clear();
    setBackground(m_theme->panel);
    layOutPanels();
    markCurrent();
    replotWhenShown();
}

void TimingPlot::layOutPanels() {
    const auto& report = m_model->report();
    if (!report) return;
    std::map<std::int64_t, std::map<std::int64_t, int>> widths;
    for (std::size_t cell = 0; cell < report->table.cells.size(); ++cell) {
        const DispatchFacts& facts = report->table.cells[cell].facts;
        widths[facts.columns][facts.rows] = static_cast<int>(cell);
    }
    m_hiddenPanels = 0;
    for (const auto& [columns, rows] : widths) {
        if (m_panels.size() == kMostPanels) {
            ++m_hiddenPanels;
            continue;
        }
        Panel panel{columns, {}};
        for (const auto& [row, cell] : rows) panel.cells.push_back(cell);
        m_panels.push_back(std::move(panel));
    }
    if (m_panels.empty()) return;
    auto* grid = new QCPLayoutGrid;
    plotLayout()->addElement(0, 0, grid);
    for (std::size_t place = 0; place < m_panels.size(); ++place) addPanel(m_panels[place], static_cast<int>(place), grid);
    addLegend();
    // A panel that is lower shows neither its curves nor their numbers.
    constexpr int kPanelHeight = 96;
    const int across = qMax(1, qCeil(std::sqrt(double(m_panels.size()))));
    setMinimumHeight((int(m_panels.size()) + across - 1) / across * kPanelHeight + kPanelHeight / 3);
}

void TimingPlot::addPanel(Panel& panel, int place, QCPLayoutGrid* grid) {
    const auto& report = *m_model->report();
    const int across = qMax(1, qCeil(std::sqrt(double(m_panels.size()))));
    const QFont small = [this] {
        QFont font = this->font();
        font.setPointSizeF(font.pointSizeF() * 0.85);
        return font;
    }();
    panel.title = new QCPTextElement(this, QStringLiteral("H %1").arg(panel.columns), font());
    panel.title->setTextFlags(Qt::AlignLeft | Qt::AlignVCenter);
    panel.title->setTextColor(m_theme->text);
    panel.rect = new QCPAxisRect(this);
    panel.rect->setMinimumMargins(QMargins(0, 0, 4, 0));
    panel.rect->setBackground(m_theme->panel);
    auto* both = new QCPLayoutGrid;
    both->setRowSpacing(0);
    both->addElement(0, 0, panel.title);
    both->addElement(1, 0, panel.rect);
    grid->addElement(place / across, place % across, both);
    for (QCPAxis* axis : {panel.rect->axis(QCPAxis::atBottom), panel.rect->axis(QCPAxis::atLeft)})
        styleAxis(axis, *m_theme, small);
    if (report.overlay) addCurves(panel, *report.overlay, true);
    addFloor(panel);
    addCurves(panel, report.table, false);
    if (report.overlay) addCrossings(panel, report.overlayCrossings, true);
    addCrossings(panel, report.crossings, false);
    addMarkOfCurrent(panel);

    // The same axes in every panel, so that panels can be compared.
    Extent extent;
    extent.take(report.table);
    if (report.overlay) extent.take(*report.overlay);
    panel.rect->axis(QCPAxis::atBottom)->setRange(extent.fewest / 1.25, extent.mostRows * 1.25);
    // Room below for the number of rows at a crossing, in the smallest panel, too.
    panel.rect->axis(QCPAxis::atLeft)->setRange(extent.least / 8, extent.most * 1.4);
}

QCPGraph* TimingPlot::addCurve(const Panel& panel, const QString& name, const QVector<double>& rows,
                               const QVector<double>& times) {
    QCPGraph* graph = addGraph(panel.rect->axis(QCPAxis::atBottom), panel.rect->axis(QCPAxis::atLeft));
    graph->setName(name);
    graph->setData(rows, times, true);
    graph->setSelectable(QCP::stNone);
    return graph;
}

void TimingPlot::addCurves(const Panel& panel, const DispatchTable& table, bool overlay) {
    for (const Look& look : kLooks) {
        QVector<std::pair<double, double>> points;
        for (const DispatchCell& cell : table.cells)
            if (const auto time = cell.timeUs.find(look.realisation);
                cell.facts.columns == panel.columns && time != cell.timeUs.end())
                points << std::pair(double(cell.facts.rows), time->second);
        if (points.isEmpty()) continue;
        std::sort(points.begin(), points.end());
        QVector<double> rows, times;
        for (const auto& [row, time] : points) rows << row, times << time;
        QCPGraph* graph = addCurve(panel, QLatin1String(look.realisation) + (overlay ? QStringLiteral(", overlaid") : QString()), rows, times);
        const QColor color = m_theme->*look.color;
        graph->setPen(overlay ? QPen(color, 1, Qt::DashLine) : QPen(color, 1.6));
        graph->setScatterStyle(QCPScatterStyle(look.marker, QPen(color, 1), overlay ? QBrush(m_theme->panel) : QBrush(color),
                                               overlay ? kMarker - 2 : kMarker));
    }
}

void TimingPlot::addFloor(const Panel& panel) {
    const auto& report = *m_model->report();
    QVector<double> rows, times;
    for (const int cell : panel.cells)
        if (const auto& floor = report.cells[std::size_t(cell)].floorUs)
            rows << double(report.table.cells[std::size_t(cell)].facts.rows), times << *floor;
    if (rows.isEmpty()) return;
    addCurve(panel, QStringLiteral("copy floor"), rows, times)->setPen(QPen(m_theme->strongBorder, 1, Qt::DotLine));
}

void TimingPlot::addCrossings(const Panel& panel, const std::vector<Crossing>& crossings, bool overlay) {
    QVector<double> rows, times;
    for (const Crossing& crossing : crossings) {
        if (crossing.columns != panel.columns || !crossing.rows) continue;
        rows << *crossing.rows, times << crossing.timeUs;
        if (overlay) continue;
        auto* label = new QCPItemText(this);
        label->setClipAxisRect(panel.rect);
        label->position->setAxes(panel.rect->axis(QCPAxis::atBottom), panel.rect->axis(QCPAxis::atLeft));
        label->position->setCoords(*crossing.rows, crossing.timeUs);
        label->setPositionAlignment(Qt::AlignHCenter | Qt::AlignTop);
        label->setPadding(QMargins(0, 7, 0, 0));
        label->setFont(panel.rect->axis(QCPAxis::atBottom)->tickLabelFont());
        label->setColor(m_theme->text);
        label->setText(QString::number(qRound(*crossing.rows)));
        label->setSelectable(false);
    }
    if (rows.isEmpty()) return;
    QCPGraph* graph = addCurve(panel, overlay ? QStringLiteral("change, overlaid") : QStringLiteral("fastest changes"), rows, times);
    graph->setLineStyle(QCPGraph::lsNone);
    graph->setScatterStyle(QCPScatterStyle(overlay ? QCPScatterStyle::ssPlus : QCPScatterStyle::ssCross,
                                           QPen(overlay ? m_theme->mutedText : m_theme->focus, 1.6), Qt::NoBrush, kMarker + 3));
}

void TimingPlot::addMarkOfCurrent(Panel& panel) {
    panel.current = new QCPItemStraightLine(this);
    panel.current->setClipAxisRect(panel.rect);
    for (QCPItemPosition* point : {panel.current->point1, panel.current->point2})
        point->setAxes(panel.rect->axis(QCPAxis::atBottom), panel.rect->axis(QCPAxis::atLeft));
    panel.current->setPen(QPen(m_theme->focus, 1));
    panel.current->setSelectable(false);
    panel.current->setVisible(false);
}

void TimingPlot::addLegend() {
    auto* entries = new QCPLegend;
    entries->setFillOrder(QCPLegend::foColumnsFirst);
    entries->setWrap(5);
    entries->setBorderPen(Qt::NoPen);
    entries->setBrush(Qt::NoBrush);
    entries->setFont(font());
    entries->setTextColor(m_theme->mutedText);
    entries->setIconSize(26, 14);
    entries->setMargins(QMargins(0, 2, 0, 6));
    plotLayout()->addElement(1, 0, entries);
    plotLayout()->setRowStretchFactor(1, 0.001);
    entries->setLayer(QStringLiteral("legend"));
    QStringList shown;
    for (int graph = 0; graph < graphCount(); ++graph)
        if (const QString name = this->graph(graph)->name(); !shown.contains(name)) {
            shown << name;
            this->graph(graph)->addToLegend(entries);
        }
}

void TimingPlot::setCurrent(int cell) {
    m_current = cell;
    markCurrent();
    setAccessibleDescription(m_model->index(cell, 0).data(TimingModel::SentenceRole).toString());
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
    replotWhenShown();
}

const TimingPlot::Panel* TimingPlot::panelOf(int cell) const {
    for (const Panel& panel : m_panels)
        if (std::find(panel.cells.begin(), panel.cells.end(), cell) != panel.cells.end()) return &panel;
    return nullptr;
}

void TimingPlot::markCurrent() {
    const Panel* chosen = panelOf(m_current);
    for (Panel& panel : m_panels) {
        const bool here = &panel == chosen;
        panel.current->setVisible(here);
        QFont face = font();
        face.setBold(here);
        panel.title->setFont(face);
        if (!here) continue;
        const double rows = double(m_model->report()->table.cells[std::size_t(m_current)].facts.rows);
        panel.current->point1->setCoords(rows, panel.rect->axis(QCPAxis::atLeft)->range().lower);
        panel.current->point2->setCoords(rows, panel.rect->axis(QCPAxis::atLeft)->range().upper);
    }
}

int TimingPlot::cellAt(const QPointF& position) const {
    for (const Panel& panel : m_panels) {
        if (!panel.rect->outerRect().contains(position.toPoint())) continue;
        int nearest = -1;
        double least = 1e300;
        for (const int cell : panel.cells) {
            const double distance = std::abs(positionOf(cell).x() - position.x());
            if (distance < least) least = distance, nearest = cell;
        }
        return nearest;
    }
    return -1;
}

QPointF TimingPlot::positionOf(int cell) const {
    const Panel* panel = panelOf(cell);
    if (panel == nullptr) return {-1, -1};
    const DispatchCell& measured = m_model->report()->table.cells[std::size_t(cell)];
    const double time = measured.timeUs.at(m_model->report()->cells[std::size_t(cell)].oracle);
    return {panel->rect->axis(QCPAxis::atBottom)->coordToPixel(double(measured.facts.rows)),
            panel->rect->axis(QCPAxis::atLeft)->coordToPixel(time)};
}

void TimingPlot::move(int panels, int rows) {
    if (m_panels.empty()) return;
    const Panel* panel = panelOf(m_current);
    if (panel == nullptr) return emit cellChosen(m_panels.front().cells.front());
    const auto place = std::find(panel->cells.begin(), panel->cells.end(), m_current) - panel->cells.begin();
    const auto next = qBound<std::ptrdiff_t>(0, (panel - m_panels.data()) + panels, std::ptrdiff_t(m_panels.size()) - 1);
    const auto& cells = m_panels[std::size_t(next)].cells;
    emit cellChosen(cells[std::size_t(qBound<std::ptrdiff_t>(0, place + rows, std::ptrdiff_t(cells.size()) - 1))]);
}

void TimingPlot::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Left: return move(0, -1);
        case Qt::Key_Right: return move(0, 1);
        case Qt::Key_Up: return move(-1, 0);
        case Qt::Key_Down: return move(1, 0);
        default: QCustomPlot::keyPressEvent(event);
    }
}

void TimingPlot::replotWhenShown() {
    if (isVisible() && !viewport().isEmpty()) replot(QCustomPlot::rpQueuedReplot);
}

void TimingPlot::showEvent(QShowEvent* event) {
    QCustomPlot::showEvent(event);
    replotWhenShown();
}

void TimingPlot::resizeEvent(QResizeEvent* event) {
    QCustomPlot::resizeEvent(event);
    replotWhenShown();
}

bool TimingPlot::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        const int cell = cellAt(help->pos());
        QToolTip::showText(help->globalPos(), m_model->index(cell, 0).data(Qt::ToolTipRole).toString(), this);
        return true;
    }
    return QCustomPlot::event(event);
}

}  // namespace isobit::views
