// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/sweep/times_text.h"

#include <algorithm>
#include <map>

#include "core/sweep/cell_times.h"
#include "core/sweep/text_table.h"

namespace isobit {
namespace {

TextTable tableOf(const Run& run) {
    const auto names = seriesNames(run);
    TextTable table(1);
    for (const Axis& axis : run.plan.axes) table[0].push_back(axis.name);
    for (const std::string& name : names) table[0].push_back(name + " us");
    const auto times = cellTimes(run);
    for (std::size_t cell = 0; cell < times.size(); ++cell) {
        if (times[cell].empty()) continue;
        auto& row = table.emplace_back();
        for (const std::int64_t value : run.cells[cell].coordinates) row.push_back(std::to_string(value));
        for (const std::string& name : names) {
            const auto series = std::ranges::find(times[cell], name, &SeriesTime::name);
            row.push_back(series == times[cell].end() ? "-" : fmt::format("{:.2f}", series->medianUs));
        }
    }
    return table;
}

std::map<std::string, std::string> provenanceOf(const Run& run) {
    return run.measurement ? run.measurement->provenance : std::map<std::string, std::string>();
}

}  // namespace

std::string timesText(const Run& run) {
    std::string text;
    for (const auto& [name, value] : provenanceOf(run)) text += fmt::format("  {:<30} {}\n", name, value);
    return text + "\n" + alignedText(tableOf(run));
}

std::string timesMarkdown(const Run& run) {
    TextTable facts{{"fact", "value"}};
    for (const auto& [name, value] : provenanceOf(run)) facts.push_back({name, value});
    return markdownTable(facts) + "\n" + markdownTable(tableOf(run));
}

Json timesJson(const Run& run) {
    Json json{{"provenance", provenanceOf(run)}, {"series", seriesNames(run)}, {"cells", Json::array()}};
    const auto times = cellTimes(run);
    for (std::size_t cell = 0; cell < times.size(); ++cell) {
        if (times[cell].empty()) continue;
        Json entry{{"id", run.cells[cell].id}, {"median_us", Json::object()}};
        for (std::size_t axis = 0; axis < run.plan.axes.size(); ++axis)
            entry[run.plan.axes[axis].name] = run.cells[cell].coordinates[axis];
        for (const SeriesTime& series : times[cell]) entry["median_us"][series.name] = series.medianUs;
        json["cells"].push_back(std::move(entry));
    }
    return json;
}

}  // namespace isobit
