// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/grid/grid_model.h"

#include <algorithm>

#include "views/grid/grid_places.h"
#include "views/grid/time_text.h"

namespace isobit::views {

void GridModel::setRun(RunPtr run, const std::string& output) {
    const bool sameShape = run && m_run && run->plan.axes == m_run->plan.axes && run->cells.size() == m_run->cells.size();
    if (sameShape) {
        m_run = std::move(run);
        m_output = output;
        placeCells();
        if (m_rows > 0 && m_columns > 0) emit dataChanged(index(0, 0), index(m_rows - 1, m_columns - 1));
        return;
    }
    beginResetModel();
    m_run = std::move(run);
    m_output = output;
    placeCells();
    endResetModel();
}

void GridModel::placeCells() {
    m_rows = m_columns = 0;
    m_cells.clear();
    m_places.clear();
    m_times = m_run ? cellTimes(*m_run) : std::vector<std::vector<SeriesTime>>();
    m_timed = std::ranges::any_of(m_times, [](const auto& times) { return !times.empty(); });
    if (!m_run || m_run->plan.axes.empty() || gridPoints(m_run->plan) == 0) return;
    const Plan& plan = m_run->plan;
    m_rows = static_cast<int>(gridPoints(plan, plan.axes.size() - 1));
    m_columns = static_cast<int>(plan.axes.back().values.size());
    m_cells.assign(gridPoints(plan), -1);
    for (std::size_t cell = 0; cell < m_run->cells.size(); ++cell) {
        const auto place = placeOf(plan, m_run->cells[cell].coordinates);
        m_places.push_back(place ? static_cast<int>(*place) : -1);
        if (place) m_cells[*place] = static_cast<int>(cell);
    }
}

int GridModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : m_rows; }

int GridModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : m_columns; }

int GridModel::cellAt(const QModelIndex& index) const {
    if (!index.isValid()) return -1;
    return m_cells[std::size_t(index.row()) * std::size_t(m_columns) + std::size_t(index.column())];
}

QModelIndex GridModel::indexOfCell(int cell) const {
    if (cell < 0 || cell >= int(m_places.size()) || m_places[std::size_t(cell)] < 0) return {};
    return index(m_places[std::size_t(cell)] / m_columns, m_places[std::size_t(cell)] % m_columns);
}

CellFace GridModel::face(const QModelIndex& index) const {
    const int cell = cellAt(index);
    return faceOf(cell < 0 ? nullptr : &m_run->cells[std::size_t(cell)], m_output);
}

void GridModel::setShowsTimes(bool shows) {
    if (m_showTimes == shows) return;
    m_showTimes = shows;
    if (m_rows > 0 && m_columns > 0) emit dataChanged(index(0, 0), index(m_rows - 1, m_columns - 1));
}

const std::vector<SeriesTime>* GridModel::timesAt(const QModelIndex& index) const {
    const int cell = cellAt(index);
    return cell < 0 ? nullptr : &m_times[std::size_t(cell)];
}

QString GridModel::timeText(const QModelIndex& index) const {
    const auto* times = showsTimes() ? timesAt(index) : nullptr;
    return times == nullptr ? QString() : cellTimeText(*times);
}

QString GridModel::sentence(const QModelIndex& index) const {
    QString text = QStringLiteral("%1 %2, %3 %4: %5")
                       .arg(rowAxis(), headerData(index.row(), Qt::Vertical).toString(), columnAxis(),
                            headerData(index.column(), Qt::Horizontal).toString(), sentenceOf(face(index)));
    const auto* times = timesAt(index);
    if (times != nullptr && !times->empty()) text += QStringLiteral("; ") + timesSentence(*times);
    return text;
}

QVariant GridModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    switch (role) {
        case Qt::DisplayRole: {
            const QString time = timeText(index);
            return time.isEmpty() ? glyphOf(face(index)) : glyphOf(face(index)) + QChar('\n') + time;
        }
        case Qt::ToolTipRole:
        case Qt::AccessibleTextRole:
        case SentenceRole: return sentence(index);
        case Qt::TextAlignmentRole: return int(Qt::AlignCenter);
        case SortRole: return QVariant::fromValue<qulonglong>(face(index).different);
        case KindRole: return int(face(index).kind);
        case CellIndexRole: return cellAt(index);
        default: return {};
    }
}

QVariant GridModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (!m_run || m_run->plan.axes.empty() || section < 0) return {};
    const auto& axes = m_run->plan.axes;
    if (role == Qt::TextAlignmentRole) return int(orientation == Qt::Horizontal ? Qt::AlignCenter : Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    if (orientation == Qt::Horizontal)
        return section < m_columns ? QString::number(axes.back().values[std::size_t(section)]) : QVariant();
    if (section >= m_rows) return {};
    QStringList values;
    int rest = section;
    for (std::size_t axis = axes.size() - 1; axis-- > 0;) {
        const int size = static_cast<int>(axes[axis].values.size());
        values.prepend(QString::number(axes[axis].values[std::size_t(rest % size)]));
        rest /= size;
    }
    return values.join(QStringLiteral(" × "));
}

int GridModel::differingCell(int cell, int step) const {
    if (!m_run) return -1;
    const int count = static_cast<int>(m_run->cells.size());
    for (int distance = 1; distance <= count; ++distance) {
        const int start = cell < 0 ? (step > 0 ? -1 : count) : cell;
        const int next = (((start + step * distance) % count) + count) % count;
        const CellFace candidate = faceOf(&m_run->cells[std::size_t(next)], m_output);
        if (candidate.kind == CellFace::Different || candidate.kind == CellFace::NotFinite) return next;
    }
    return -1;
}

bool GridModel::shows(CellFace::Kind kind) const {
    for (const int cell : m_cells)
        if (faceOf(cell < 0 ? nullptr : &m_run->cells[std::size_t(cell)], m_output).kind == kind) return true;
    return false;
}

bool GridModel::showsDependentRows() const {
    for (const int cell : m_cells)
        if (cell >= 0 && faceOf(&m_run->cells[std::size_t(cell)], m_output).rowsDepend) return true;
    return false;
}

QString GridModel::rowAxis() const {
    if (!m_run) return {};
    QStringList names;
    const auto& axes = m_run->plan.axes;
    for (std::size_t axis = 0; axis + 1 < axes.size(); ++axis) names << QString::fromStdString(axes[axis].name);
    return names.join(QStringLiteral(" × "));
}

QString GridModel::columnAxis() const {
    return m_run && !m_run->plan.axes.empty() ? QString::fromStdString(m_run->plan.axes.back().name) : QString();
}

QStringList GridModel::outputs() const {
    QStringList names;
    if (!m_run) return names;
    for (const CellResult& cell : m_run->cells)
        for (const OutputResult& output : cell.outputs)
            if (const QString name = QString::fromStdString(output.name); !names.contains(name)) names << name;
    return names;
}

}  // namespace isobit::views
