// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/grid/grid_csv.h"

#include <QStringList>
#include <algorithm>

#include "core/sweep/cell_times.h"
#include "core/sweep/json_form.h"

namespace isobit::views {

namespace {

QString quoted(const std::string& text) {
    QString field = QString::fromStdString(text);
    if (!field.contains(QChar(',')) && !field.contains(QChar('"')) && !field.contains(QChar('\n'))) return field;
    return QChar('"') + field.replace(QStringLiteral("\""), QStringLiteral("\"\"")) + QChar('"');
}

QStringList fieldsOf(const OutputResult& output) {
    const Comparison& comparison = output.comparison;
    return {quoted(output.name),
            QString::number(comparison.elements),
            QString::number(comparison.different),
            QString::number(comparison.maxUlp),
            quoted(std::string(nameOf(comparison.worstBin()))),
            quoted(output.trainerSha256),
            quoted(output.samplerSha256)};
}

}  // namespace

// The median time of each series in microseconds, a column a series of the run; empty where a cell has none.
QStringList timeFields(const std::vector<SeriesTime>& times, const std::vector<std::string>& series) {
    QStringList fields;
    for (const std::string& name : series) {
        const auto found = std::ranges::find(times, name, &SeriesTime::name);
        fields << (found == times.end() ? QString() : QString::number(found->medianUs, 'g', 9));
    }
    return fields;
}

QByteArray gridCsv(const Run& run) {
    QStringList lines;
    const std::vector<std::string> series = seriesNames(run);
    const auto times = cellTimes(run);
    QStringList head;
    for (const Axis& axis : run.plan.axes) head << quoted(axis.name);
    head << "status" << "output" << "elements" << "different" << "max_ulp" << "worst" << "trainer_sha256" << "sampler_sha256";
    for (const std::string& name : series) head << quoted(name + "_us");
    lines << head.join(',');
    for (std::size_t i = 0; i < run.cells.size(); ++i) {
        const CellResult& cell = run.cells[i];
        const QStringList end = timeFields(times[i], series);
        QStringList start;
        for (const std::int64_t coordinate : cell.coordinates) start << QString::number(coordinate);
        start << QString::fromStdString(std::string(nameOf(cell.status)));
        for (const OutputResult& output : cell.outputs) lines << (start + fieldsOf(output) + end).join(',');
        if (cell.outputs.empty()) lines << (start + QStringList(7) + end).join(',');
    }
    return (lines.join("\r\n") + "\r\n").toUtf8();
}

}  // namespace isobit::views
