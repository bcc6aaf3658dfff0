// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/sweep/cell_times.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>

namespace isobit {
namespace {

bool isOfSingleCalls(std::string_view series) {
    return series == "trainer" || series == "sampler" || series.ends_with("_cold");
}

// 1 where the measurement does not say it, or says nonsense.
double callsPerSample(const Measurement& measurement) {
    const auto found = measurement.provenance.find("calls_per_sample");
    std::uint32_t calls = 1;
    if (found != measurement.provenance.end())
        std::from_chars(found->second.data(), found->second.data() + found->second.size(), calls);
    return std::max(calls, 1U);
}

}  // namespace

double medianOf(std::vector<std::uint64_t> samples) {
    std::sort(samples.begin(), samples.end());
    const std::size_t half = samples.size() / 2;
    if (samples.size() % 2 == 1) return static_cast<double>(samples[half]);
    return (static_cast<double>(samples[half - 1]) + static_cast<double>(samples[half])) / 2.0;
}

std::vector<std::vector<SeriesTime>> cellTimes(const Run& run) {
    std::vector<std::vector<SeriesTime>> times(run.cells.size());
    if (!run.measurement) return times;
    const double calls = callsPerSample(*run.measurement);
    std::unordered_map<std::string_view, std::size_t> places;
    for (std::size_t cell = 0; cell < run.cells.size(); ++cell) places.emplace(run.cells[cell].id, cell);
    for (const SampleSeries& series : run.measurement->samples) {
        const auto place = places.find(series.cell);
        if (place == places.end() || series.timeNs.empty()) continue;
        const double us = medianOf(series.timeNs) / 1e3 / (isOfSingleCalls(series.name) ? 1.0 : calls);
        times[place->second].push_back({series.name, us, series.timeNs.size()});
    }
    return times;
}

bool isOfALibrary(std::string_view series) { return series.starts_with("cublaslt_"); }

std::vector<std::string> seriesNames(const Run& run) {
    std::vector<std::string> names;
    if (!run.measurement) return names;
    for (const SampleSeries& series : run.measurement->samples)
        if (std::find(names.begin(), names.end(), series.name) == names.end()) names.push_back(series.name);
    return names;
}

}  // namespace isobit
