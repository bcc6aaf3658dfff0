// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/grid/grid_places.h"

#include <QStringList>
#include <algorithm>

#include "core/sweep/plan.h"

namespace isobit::views {

std::size_t gridPoints(const Plan& plan, std::size_t axes) {
    std::size_t points = 1;
    for (std::size_t axis = 0; axis < axes; ++axis) {
        const std::size_t values = plan.axes[axis].values.size();
        if (values > kGridPointsLimit) return 0;
        points *= values;
        if (points > kGridPointsLimit) return 0;
    }
    return points;
}

std::optional<std::size_t> placeOf(const Plan& plan, const std::vector<std::int64_t>& coordinates) {
    if (coordinates.size() != plan.axes.size() || gridPoints(plan) == 0) return std::nullopt;
    std::size_t place = 0;
    for (std::size_t axis = 0; axis < coordinates.size(); ++axis) {
        const auto& values = plan.axes[axis].values;
        const auto found = std::find(values.begin(), values.end(), coordinates[axis]);
        if (found == values.end()) return std::nullopt;
        place = place * values.size() + static_cast<std::size_t>(found - values.begin());
    }
    return place;
}

std::vector<CellResult> emptyCells(const Plan& plan) {
    std::vector<CellResult> cells(static_cast<std::size_t>(cellCount(plan)));
    for (std::size_t place = 0; place < cells.size(); ++place) {
        cells[place].coordinates = coordinatesOf(plan, static_cast<std::int64_t>(place));
        cells[place].id = cellId(plan, cells[place].coordinates);
    }
    return cells;
}

namespace {

/// Index of the last value of the axis that is not past `below` while the next is not before `above`; -1 if none is.
int indexBeside(const Axis& axis, const Edge& edge) {
    for (std::size_t index = 0; index + 1 < axis.values.size(); ++index) {
        const auto [low, high] = std::minmax(axis.values[index], axis.values[index + 1]);
        if (low <= edge.below && high >= edge.above) return static_cast<int>(index);
    }
    return -1;
}

std::optional<EdgeOnGrid> onGrid(const Plan& plan, const Edge& edge) {
    std::vector<std::int64_t> coordinates;
    std::size_t changing = plan.axes.size();
    for (std::size_t axis = 0; axis < plan.axes.size(); ++axis) {
        const Axis& candidate = plan.axes[axis];
        if (candidate.name == edge.axis) {
            const int index = indexBeside(candidate, edge);
            if (index < 0) return std::nullopt;
            changing = axis;
            coordinates.push_back(candidate.values[static_cast<std::size_t>(index)]);
        } else if (const auto held = edge.at.find(candidate.name); held != edge.at.end()) {
            coordinates.push_back(held->second);
        }
    }
    const auto place = placeOf(plan, coordinates);
    // A row of the table joins all axes but the last: only the innermost of those has its neighbours side by side.
    if (!place || changing + 2 < plan.axes.size() || changing == plan.axes.size()) return std::nullopt;
    const auto columns = static_cast<int>(plan.axes.back().values.size());
    return EdgeOnGrid{static_cast<int>(*place) / columns, static_cast<int>(*place) % columns,
                      changing + 1 == plan.axes.size()};
}

}  // namespace

std::vector<EdgeOnGrid> edgesOnGrid(const Run& run) {
    std::vector<EdgeOnGrid> lines;
    for (const Edge& edge : run.edges)
        if (const auto line = onGrid(run.plan, edge)) lines.push_back(*line);
    return lines;
}

QString sentenceOf(const Edge& edge) {
    const auto joined = [](const std::vector<std::string>& names) {
        QStringList list;
        for (const std::string& name : names) list << QString::fromStdString(name);
        return list.join(QStringLiteral(", "));
    };
    QStringList held;
    for (const auto& [axis, value] : edge.at) held << QStringLiteral("%1 %2").arg(QString::fromStdString(axis)).arg(value);
    QString text = QStringLiteral("%1 %2 to %3").arg(QString::fromStdString(edge.axis)).arg(edge.below).arg(edge.above);
    if (!held.isEmpty()) text += QStringLiteral(" (%1)").arg(held.join(QStringLiteral(", ")));
    text += QStringLiteral(": %1 changes").arg(joined(edge.outputs));
    if (!edge.unchangedOutputs.empty()) text += QStringLiteral(", %1 does not").arg(joined(edge.unchangedOutputs));
    return text;
}

}  // namespace isobit::views
