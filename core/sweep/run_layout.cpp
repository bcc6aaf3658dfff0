// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/sweep/run_layout.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "core/sweep/json_form.h"
#include "core/sweep/run_columns.h"

namespace isobit {
namespace {

using enum DatasetType;

const std::vector<DatasetRule>& rules() {
    static const std::vector<DatasetRule> table = {
        {"/format", U8, {kAny}},                                // "isobit.run/1"
        {"/plan", U8, {kAny}},                                  // canonical JSON, json_form.h
        {"/cells/coordinates", I64, {kCells, kAny}},            // one value an axis
        {"/cells/status", U8, {kCells}},                        // CellStatus
        {"/cells/errors", U8, {kAny}},                          // JSON {id: sentence} of the failed cells
        {"/cells/batch_invariance", I64, {kCells, 2, kInvarianceColumns}},  // trainer, sampler
        {"/inputs/*/seed", U64, {kCells}},
        {"/inputs/*/sha256", U8, {kCells, 32}},
        {"/outputs/index", U8, {kAny}},                         // JSON [{dtype, name, rank}] in declared order
        {"/outputs/*/shape", I64, {kCells, kAny}},
        {"/outputs/*/counts", U64, {kCells, kCountColumns}},
        {"/outputs/*/first", U64, {kCells, kDifferenceColumns}},
        {"/outputs/*/largest", U64, {kCells, kDifferenceColumns}},
        {"/outputs/*/listed", U64, {kAny, 1 + kDifferenceColumns}},  // cell number first; absent if nothing is listed
        {"/outputs/*/ulp_histogram", U64, {kCells, kUlpBins}},
        {"/outputs/*/classes", U64, {kCells, kDifferenceClasses}},
        {"/outputs/*/flips_per_bit", U64, {kCells, 64}},
        {"/outputs/*/trainer_sha256", U8, {kCells, 32}},
        {"/outputs/*/sampler_sha256", U8, {kCells, 32}},
        {"/edges", U8, {kAny}},                                 // JSON array, json_form.h
        {"/measured/provenance", U8, {kAny}},                   // JSON {key: text}
        {"/measured/series", U8, {kAny}},                       // JSON [{cell, name, samples}]
        {"/measured/time_ns", U64, {kAny}},                     // samples of all series, one after the other
    };
    return table;
}

std::vector<std::byte> bytesOfText(std::string_view text) {
    const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
    return {bytes.begin(), bytes.end()};
}

Dataset textDataset(std::string path, const std::string& text) {
    return {std::move(path), U8, {text.size()}, bytesOfText(text)};
}

std::string sortedText(const Json& json) {
    const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    return nlohmann::json::parse(text).dump(2) + "\n";
}

/// A table being filled: appends elements of one type.
class Table {
public:
    Table(std::string path, DatasetType type, std::vector<std::uint64_t> shape)
        : m_dataset{std::move(path), type, std::move(shape), {}} {}

    void append(std::uint64_t value) {
        for (std::size_t byte = 0; byte < bytesOf(m_dataset.type); ++byte)
            m_dataset.bytes.push_back(static_cast<std::byte>(value >> 8 * byte));
    }
    void append(std::int64_t value) { append(static_cast<std::uint64_t>(value)); }
    template <class Range>
    void appendAll(const Range& values) {
        for (const auto& value : values) append(value);
    }
    /// 64 hexadecimal digits as 32 bytes; zeros for an empty text.
    void appendDigest(const std::string& hex) {
        for (std::size_t i = 0; i < 32; ++i)
            append(hex.empty() ? std::uint64_t(0) : std::uint64_t(std::stoul(hex.substr(2 * i, 2), nullptr, 16)));
    }
    void appendDifference(const std::optional<ElementDifference>& difference) {
        const ElementDifference known = difference.value_or(ElementDifference{});
        appendAll(std::array<std::uint64_t, kDifferenceColumns>{difference.has_value(), known.index, known.trainer,
                                                                known.sampler, known.ulp.has_value(),
                                                                known.ulp.value_or(0)});
    }
    [[nodiscard]] Dataset take() {
        if (!m_dataset.shape.empty() && m_dataset.shape[0] == kAny) {
            std::uint64_t row = bytesOf(m_dataset.type);
            for (std::size_t i = 1; i < m_dataset.shape.size(); ++i) row *= m_dataset.shape[i];
            m_dataset.shape[0] = m_dataset.bytes.size() / row;
        }
        return std::move(m_dataset);
    }

private:
    Dataset m_dataset;
};

/// What the operation declares, from the first cell that has outputs: every cell has the same.
struct DeclaredOutput {
    std::string name;
    DType dtype;
    std::size_t rank;
};

std::vector<DeclaredOutput> declaredOutputs(const Run& run) {
    std::vector<DeclaredOutput> declared;
    const auto ran = std::find_if(run.cells.begin(), run.cells.end(), [](const auto& cell) { return hasOutputs(cell.status); });
    if (ran == run.cells.end()) return declared;
    for (const OutputResult& output : ran->outputs) declared.push_back({output.name, output.dtype, output.shape.size()});
    return declared;
}

void addCells(const Run& run, const std::vector<DeclaredOutput>& declared, std::vector<Dataset>& datasets) {
    const std::uint64_t cells = run.cells.size();
    Table coordinates("/cells/coordinates", I64, {cells, run.plan.axes.size()});
    Table status("/cells/status", U8, {cells});
    Table invariance("/cells/batch_invariance", I64, {cells, 2, kInvarianceColumns});
    Json errors = Json::object();
    for (const CellResult& cell : run.cells) {
        coordinates.appendAll(cell.coordinates);
        status.append(static_cast<std::uint64_t>(cell.status));
        if (cell.status == CellStatus::Failed) errors[cell.id] = cell.error;
        for (const BatchInvariance& side : {cell.trainerInvariance, cell.samplerInvariance}) {
            const auto output = std::find_if(declared.begin(), declared.end(),
                                             [&](const DeclaredOutput& each) { return each.name == side.output; });
            const std::int64_t place = output == declared.end() ? -1 : output - declared.begin();
            invariance.appendAll(std::array<std::int64_t, kInvarianceColumns>{side.checked, side.holds,
                                                                              side.rowsViolating, side.firstRow, place});
        }
    }
    datasets.push_back(coordinates.take());
    datasets.push_back(status.take());
    datasets.push_back(textDataset("/cells/errors", sortedText(errors)));
    datasets.push_back(invariance.take());
}

void addInputs(const Run& run, std::vector<Dataset>& datasets) {
    const std::uint64_t cells = run.cells.size();
    for (std::size_t i = 0; i < run.plan.inputs.size(); ++i) {
        const std::string group = "/inputs/" + run.plan.inputs[i].name;
        Table seeds(group + "/seed", U64, {cells});
        Table digests(group + "/sha256", U8, {cells, 32});
        for (const CellResult& cell : run.cells) {
            const bool present = hasOutputs(cell.status);
            seeds.append(present ? cell.inputs[i].seed : std::uint64_t(0));
            digests.appendDigest(present ? cell.inputs[i].sha256 : std::string());
        }
        datasets.push_back(seeds.take());
        datasets.push_back(digests.take());
    }
}

void addOutput(const Run& run, std::size_t place, const DeclaredOutput& declared, std::vector<Dataset>& datasets) {
    const std::string group = "/outputs/" + declared.name;
    const std::uint64_t cells = run.cells.size();
    Table shape(group + "/shape", I64, {cells, declared.rank});
    Table counts(group + "/counts", U64, {cells, kCountColumns});
    Table first(group + "/first", U64, {cells, kDifferenceColumns});
    Table largest(group + "/largest", U64, {cells, kDifferenceColumns});
    Table listed(group + "/listed", U64, {kAny, 1 + kDifferenceColumns});
    Table histogram(group + "/ulp_histogram", U64, {cells, kUlpBins});
    Table classes(group + "/classes", U64, {cells, kDifferenceClasses});
    Table flips(group + "/flips_per_bit", U64, {cells, 64});
    Table trainer(group + "/trainer_sha256", U8, {cells, 32});
    Table sampler(group + "/sampler_sha256", U8, {cells, 32});
    for (std::size_t cell = 0; cell < run.cells.size(); ++cell) {
        OutputResult none;
        none.shape.assign(declared.rank, 0);
        const OutputResult& output = hasOutputs(run.cells[cell].status) ? run.cells[cell].outputs[place] : none;
        assert(output.shape.size() == declared.rank);
        const Comparison& comparison = output.comparison;
        shape.appendAll(output.shape);
        counts.appendAll(std::array<std::uint64_t, kCountColumns>{comparison.elements, comparison.different,
                                                                  comparison.maxUlp, comparison.samplerAbove,
                                                                  comparison.samplerBelow});
        first.appendDifference(comparison.first);
        largest.appendDifference(comparison.largest);
        for (const ElementDifference& difference : comparison.listed) {
            listed.append(std::uint64_t(cell));
            listed.appendDifference(difference);
        }
        histogram.appendAll(comparison.ulpHistogram);
        classes.appendAll(comparison.classes);
        flips.appendAll(comparison.flipsPerBit);
        trainer.appendDigest(output.trainerSha256);
        sampler.appendDigest(output.samplerSha256);
    }
    for (Table* table : {&shape, &counts, &first, &largest, &listed, &histogram, &classes, &flips, &trainer, &sampler}) {
        Dataset dataset = table->take();
        if (!dataset.bytes.empty()) datasets.push_back(std::move(dataset));
    }
}

void addMeasurement(const Measurement& measurement, std::vector<Dataset>& datasets) {
    Json provenance = Json::object();
    for (const auto& [key, value] : measurement.provenance) provenance[key] = value;
    Json series = Json::array();
    Table times("/measured/time_ns", U64, {kAny});
    for (const SampleSeries& one : measurement.samples) {
        series.push_back({{"cell", one.cell}, {"name", one.name}, {"samples", one.timeNs.size()}});
        times.appendAll(one.timeNs);
    }
    datasets.push_back(textDataset("/measured/provenance", sortedText(provenance)));
    datasets.push_back(textDataset("/measured/series", sortedText(series)));
    if (Dataset dataset = times.take(); !dataset.bytes.empty()) datasets.push_back(std::move(dataset));
}

}  // namespace

std::string_view nameOf(DatasetType type) { return type == U8 ? "u8" : type == U64 ? "u64le" : "i64le"; }
std::size_t bytesOf(DatasetType type) { return type == U8 ? 1 : 8; }
std::span<const DatasetRule> runFileRules() { return rules(); }

const DatasetRule* ruleOf(std::string_view path) {
    for (const DatasetRule& rule : rules()) {
        if (rule.path == path) return &rule;
        const std::size_t star = rule.path.find('*');
        if (star == std::string_view::npos || !path.starts_with(rule.path.substr(0, star))) continue;
        const std::string_view rest = path.substr(star);
        const std::size_t slash = rest.find('/');
        if (slash != std::string_view::npos && slash > 0 && rest.substr(slash) == rule.path.substr(star + 1)) return &rule;
    }
    return nullptr;
}

std::vector<Dataset> datasetsOf(const Run& run) {
    std::vector<Dataset> datasets;
    datasets.push_back(textDataset("/format", std::string(kRunFormat)));
    datasets.push_back(textDataset("/plan", canonicalText(run.plan)));
    const std::vector<DeclaredOutput> declared = declaredOutputs(run);
    addCells(run, declared, datasets);
    addInputs(run, datasets);
    Json index = Json::array();
    for (const DeclaredOutput& output : declared)
        index.push_back({{"name", output.name}, {"dtype", nameOf(output.dtype)}, {"rank", output.rank}});
    datasets.push_back(textDataset("/outputs/index", sortedText(index)));
    for (std::size_t i = 0; i < declared.size(); ++i) addOutput(run, i, declared[i], datasets);
    Json edges = Json::array();
    for (const Edge& edge : run.edges) edges.push_back(toJson(edge));
    datasets.push_back(textDataset("/edges", sortedText(edges)));
    if (run.measurement) addMeasurement(*run.measurement, datasets);
    return datasets;
}

}  // namespace isobit
