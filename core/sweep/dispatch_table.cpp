// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/sweep/dispatch_table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "core/sweep/cell_times.h"

namespace isobit {
namespace {

constexpr std::array<std::string_view, 3> kTieOrder = {"fused", "cluster", "split"};

std::size_t tieRank(std::string_view realisation) {
    return static_cast<std::size_t>(std::ranges::find(kTieOrder, realisation) - kTieOrder.begin());
}

Result<std::int64_t> numberIn(const Measurement& measurement, const std::string& key, std::string_view source) {
    const auto found = measurement.provenance.find(key);
    std::int64_t number = 0;
    if (found == measurement.provenance.end()) return failure("{}: the measurement does not state {}", source, key);
    const std::string& text = found->second;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < 1)
        return failure("{}: {} is '{}', expected a positive number", source, key, text);
    return number;
}

double timeOf(std::vector<std::uint64_t> samples, TimeStatistic statistic) {
    if (statistic == TimeStatistic::Minimum) return static_cast<double>(*std::ranges::min_element(samples));
    return medianOf(std::move(samples));
}

Result<std::pair<std::size_t, std::size_t>> gridAxes(const Plan& plan, std::string_view source) {
    const auto indexOf = [&](std::string_view name) {
        return static_cast<std::size_t>(std::ranges::find(plan.axes, name, &Axis::name) - plan.axes.begin());
    };
    const std::size_t columns = indexOf("H"), rows = indexOf("M");
    if (columns == plan.axes.size() || rows == plan.axes.size())
        return failure("{}: the run has no axes H and M", source);
    return std::pair(columns, rows);
}

}  // namespace

std::string_view nameOf(TimeStatistic statistic) {
    return statistic == TimeStatistic::Minimum ? "minimum" : "median";
}

std::string_view DispatchCell::oracle(const std::vector<std::string>& among) const {
    std::string_view best;
    double least = std::numeric_limits<double>::infinity();
    for (const auto& [realisation, time] : timeUs) {
        if (!among.empty() && std::ranges::find(among, realisation) == among.end()) continue;
        if (time < least || (time == least && tieRank(realisation) < tieRank(best))) {
            least = time;
            best = realisation;
        }
    }
    return best;
}

Result<DispatchTable> dispatchTableOf(const Run& run, std::string_view source, TimeStatistic statistic) {
    if (!run.measurement || run.measurement->samples.empty())
        return failure("{}: the run holds no times of realisations; isobit dispatch measure makes one", source);
    const auto axes = gridAxes(run.plan, source);
    if (!axes) return failureOf(axes);
    const auto multiprocessors = numberIn(*run.measurement, "multiprocessors", source);
    if (!multiprocessors) return failureOf(multiprocessors);
    const auto calls = numberIn(*run.measurement, "calls_per_sample", source);
    if (!calls) return failureOf(calls);

    DispatchTable table{std::string(source), {}, {}, {}};
    if (const auto gpu = run.measurement->provenance.find("gpu_name"); gpu != run.measurement->provenance.end())
        table.device = gpu->second;
    if (const auto bandwidth = numberIn(*run.measurement, "copy_bytes_per_second", source))
        table.copyBytesPerSecond = static_cast<double>(*bandwidth);
    std::map<std::string_view, std::vector<const SampleSeries*>> seriesOf;
    for (const SampleSeries& series : run.measurement->samples)
        if (tieRank(series.name) < kTieOrder.size() && !series.timeNs.empty()) seriesOf[series.cell].push_back(&series);
    for (const CellResult& cell : run.cells) {
        DispatchCell measured;
        measured.facts = {cell.coordinates[axes->second], cell.coordinates[axes->first], *multiprocessors};
        for (const SampleSeries* series : seriesOf[cell.id]) {
            measured.timeUs[series->name] = timeOf(series->timeNs, statistic) / 1000.0 / static_cast<double>(*calls);
            table.statistic = fmt::format("{} of {} replays", nameOf(statistic), series->timeNs.size());
        }
        if (measured.timeUs.empty()) return failure("{}: cell {} holds no times", source, cell.id);
        table.cells.push_back(std::move(measured));
    }
    return table;
}

}  // namespace isobit
