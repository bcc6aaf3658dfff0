// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>

#include "core/sweep/json_fields.h"
#include "core/sweep/json_form.h"
#include "core/sweep/plan.h"
#include "core/sweep/run_columns.h"
#include "core/sweep/run_layout.h"

namespace isobit {

using namespace json_fields;

namespace {

constexpr std::size_t kMostOutputs = 16;

/// The datasets by path, each taken at most once; what nobody takes does not belong there.
class Datasets {
public:
    explicit Datasets(const std::vector<Dataset>& datasets) {
        for (const Dataset& dataset : datasets) m_all.emplace_back(&dataset, false);
    }

    [[nodiscard]] const Dataset* find(std::string_view path) {
        for (auto& [dataset, taken] : m_all) {
            if (dataset->path != path) continue;
            taken = true;
            return dataset;
        }
        return nullptr;
    }

    /// The dataset of this path; its sizes must be these, where kAny lets a size be.
    const Dataset& take(const std::string& path, const std::vector<std::uint64_t>& shape) {
        const Dataset* dataset = find(path);
        if (dataset == nullptr) refuse(fmt::format("{} is missing", path));
        bool fits = dataset->shape.size() == shape.size();
        for (std::size_t i = 0; fits && i < shape.size(); ++i) fits = shape[i] == kAny || dataset->shape[i] == shape[i];
        if (!fits)
            refuse(fmt::format("{} has the shape [{}], which the plan does not give it", path,
                               fmt::join(dataset->shape, ", ")));
        return *dataset;
    }

    [[nodiscard]] std::string_view text(const std::string& path) {
        const Dataset& dataset = take(path, {kAny});
        return {reinterpret_cast<const char*>(dataset.bytes.data()), dataset.bytes.size()};
    }

    void refuseTheRest() const {
        for (const auto& [dataset, taken] : m_all)
            if (!taken) refuse(fmt::format("{} does not belong to this run", dataset->path));
    }

private:
    std::vector<std::pair<const Dataset*, bool>> m_all;
};

/// Elements of one row of a table as 64-bit numbers.
class Row {
public:
    Row(const Dataset& dataset, std::size_t row)
        : m_type(dataset.type), m_columns(dataset.bytes.size() / bytesOf(dataset.type) / dataset.shape[0]),
          m_bytes(dataset.bytes.data() + row * m_columns * bytesOf(dataset.type)) {}

    [[nodiscard]] std::uint64_t operator[](std::size_t column) const {
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < bytesOf(m_type); ++i)
            value |= static_cast<std::uint64_t>(m_bytes[column * bytesOf(m_type) + i]) << 8 * i;
        return value;
    }
    [[nodiscard]] std::int64_t asSigned(std::size_t column) const { return static_cast<std::int64_t>((*this)[column]); }
    [[nodiscard]] std::size_t columns() const { return m_columns; }
    [[nodiscard]] std::string asDigest() const {
        std::string hex;
        for (std::size_t i = 0; i < m_columns; ++i) hex += fmt::format("{:02x}", (*this)[i]);
        return hex;
    }

private:
    DatasetType m_type;
    std::size_t m_columns;
    const std::byte* m_bytes;
};

Json parsed(std::string_view text, const std::string& path) {
    Result<Json> json = parseJsonStrictly(text, path);
    if (!json) refuse(json.error().message);
    return std::move(*json);
}

bool flag(std::uint64_t value, const std::string& what) {
    if (value > 1) refuse(fmt::format("{}: {}, expected 0 or 1", what, value));
    return value == 1;
}

std::optional<ElementDifference> differenceOfRow(const Row& row, std::size_t column, const OutputResult& output) {
    const std::string what = "/outputs/" + output.name;
    if (!flag(row[column], what)) return std::nullopt;
    ElementDifference difference{row[column + 1], row[column + 2], row[column + 3], std::nullopt};
    if (flag(row[column + 4], what)) difference.ulp = row[column + 5];
    const std::size_t bits = 8 * bytesOf(output.dtype);
    const std::uint64_t mask = bits == 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << bits) - 1;
    if (difference.index >= output.comparison.elements || (difference.trainer & ~mask) != 0 ||
        (difference.sampler & ~mask) != 0 || difference.trainer == difference.sampler)
        refuse(fmt::format("{}: element {} with words {:x} and {:x} is no difference of it", what, difference.index,
                           difference.trainer, difference.sampler));
    return difference;
}

struct IndexEntry {
    std::string name;
    DType dtype;
    std::uint64_t rank;
};

std::vector<IndexEntry> indexOf(const Json& json) {
    std::vector<IndexEntry> entries;
    if (!json.is_array() || json.size() > kMostOutputs) refuse("/outputs/index: expected an array of at most 16");
    for (const Json& item : json) {
        const std::optional<DType> dtype = dtypeByName(textField(item, "dtype"));
        const std::uint64_t rank = unsignedField(item, "rank");
        if (!dtype || rank < 1 || rank > 8) refuse("/outputs/index: unknown element type or rank");
        entries.push_back({textField(item, "name"), *dtype, rank});
    }
    return entries;
}

void readCells(Datasets& datasets, Run& run, const std::vector<IndexEntry>& index) {
    const auto cells = static_cast<std::uint64_t>(cellCount(run.plan));
    const Dataset& coordinates = datasets.take("/cells/coordinates", {cells, run.plan.axes.size()});
    const Dataset& status = datasets.take("/cells/status", {cells});
    const Dataset& invariance = datasets.take("/cells/batch_invariance", {cells, 2, kInvarianceColumns});
    const Json errors = parsed(datasets.text("/cells/errors"), "/cells/errors");
    run.cells.resize(cells);
    std::size_t failed = 0;
    for (std::size_t i = 0; i < cells; ++i) {
        CellResult& cell = run.cells[i];
        cell.coordinates = coordinatesOf(run.plan, static_cast<std::int64_t>(i));
        cell.id = cellId(run.plan, cell.coordinates);
        const Row place(coordinates, i);
        for (std::size_t axis = 0; axis < cell.coordinates.size(); ++axis)
            if (place.asSigned(axis) != cell.coordinates[axis])
                refuse(fmt::format("/cells/coordinates: row {} is not the plan's cell {}", i, cell.id));
        const std::uint64_t code = Row(status, i)[0];
        if (code > static_cast<std::uint64_t>(CellStatus::Failed))
            refuse(fmt::format("/cells/status: {} in row {}, expected 0 to 3", code, i));
        cell.status = static_cast<CellStatus>(code);
        if (cell.status == CellStatus::Failed) {
            cell.error = textField(errors, cell.id.c_str());
            ++failed;
        }
        const Row sides(invariance, i);
        for (std::size_t side = 0; side < 2; ++side) {
            BatchInvariance& result = side == 0 ? cell.trainerInvariance : cell.samplerInvariance;
            const std::size_t column = side * kInvarianceColumns;
            result.checked = flag(sides[column], "/cells/batch_invariance");
            result.holds = flag(sides[column + 1], "/cells/batch_invariance");
            result.rowsViolating = sides.asSigned(column + 2);
            result.firstRow = sides.asSigned(column + 3);
            const std::int64_t output = sides.asSigned(column + 4);
            if (output < -1 || output >= static_cast<std::int64_t>(index.size()))
                refuse(fmt::format("/cells/batch_invariance: output number {}", output));
            if (output >= 0) result.output = index[static_cast<std::size_t>(output)].name;
        }
    }
    if (!errors.is_object() || errors.size() != failed) refuse("/cells/errors: not one sentence a failed cell");
}

void readInputs(Datasets& datasets, Run& run) {
    const std::uint64_t cells = run.cells.size();
    for (const InputSpec& input : run.plan.inputs) {
        const Dataset& seeds = datasets.take("/inputs/" + input.name + "/seed", {cells});
        const Dataset& digests = datasets.take("/inputs/" + input.name + "/sha256", {cells, 32});
        for (std::size_t i = 0; i < cells; ++i)
            if (hasOutputs(run.cells[i].status))
                run.cells[i].inputs.push_back({input.name, Row(seeds, i)[0], Row(digests, i).asDigest()});
    }
}

/// What must follow from what; a file that breaks this was not written by a sweep.
void checkAgainstItself(const OutputResult& output, const std::string& cell) {
    const Comparison& comparison = output.comparison;
    const auto sum = [](const auto& counts) { return std::accumulate(counts.begin(), counts.end(), std::uint64_t(0)); };
    std::uint64_t elements = 1;
    for (const std::int64_t size : output.shape)
        if (size < 1 || __builtin_mul_overflow(elements, static_cast<std::uint64_t>(size), &elements))
            refuse(fmt::format("/outputs/{}/shape: {} of cell {}", output.name, textOf(output.shape), cell));
    const bool consistent =
        elements == comparison.elements && comparison.different <= elements && sum(comparison.ulpHistogram) == elements &&
        comparison.count(UlpBin::Equal) == elements - comparison.different &&
        sum(comparison.classes) == comparison.different && comparison.first.has_value() == (comparison.different > 0) &&
        comparison.largest.has_value() == (comparison.different > 0) &&
        (output.trainerSha256 == output.samplerSha256) == (comparison.different == 0);
    if (!consistent) refuse(fmt::format("output {} of cell {} contradicts itself", output.name, cell));
}

void readOutput(Datasets& datasets, Run& run, const IndexEntry& entry) {
    const std::uint64_t cells = run.cells.size();
    const std::string group = "/outputs/" + entry.name;
    const Dataset& shapes = datasets.take(group + "/shape", {cells, entry.rank});
    const Dataset& counts = datasets.take(group + "/counts", {cells, kCountColumns});
    const Dataset& first = datasets.take(group + "/first", {cells, kDifferenceColumns});
    const Dataset& largest = datasets.take(group + "/largest", {cells, kDifferenceColumns});
    const Dataset* listed = datasets.find(group + "/listed");
    const Dataset& histogram = datasets.take(group + "/ulp_histogram", {cells, kUlpBins});
    const Dataset& classes = datasets.take(group + "/classes", {cells, kDifferenceClasses});
    const Dataset& flips = datasets.take(group + "/flips_per_bit", {cells, 64});
    const Dataset& trainer = datasets.take(group + "/trainer_sha256", {cells, 32});
    const Dataset& sampler = datasets.take(group + "/sampler_sha256", {cells, 32});
    std::size_t listedRow = 0;
    for (std::size_t i = 0; i < cells; ++i) {
        CellResult& cell = run.cells[i];
        if (!hasOutputs(cell.status)) continue;
        OutputResult output;
        output.name = entry.name;
        output.dtype = entry.dtype;
        for (std::size_t axis = 0; axis < entry.rank; ++axis) output.shape.push_back(Row(shapes, i).asSigned(axis));
        Comparison& comparison = output.comparison;
        comparison.dtype = entry.dtype;
        const Row count(counts, i);
        comparison.elements = count[0];
        comparison.different = count[1];
        comparison.maxUlp = count[2];
        comparison.samplerAbove = count[3];
        comparison.samplerBelow = count[4];
        comparison.first = differenceOfRow(Row(first, i), 0, output);
        comparison.largest = differenceOfRow(Row(largest, i), 0, output);
        for (; listed != nullptr && listedRow < listed->shape[0] && Row(*listed, listedRow)[0] == i; ++listedRow)
            if (const auto difference = differenceOfRow(Row(*listed, listedRow), 1, output))
                comparison.listed.push_back(*difference);
        for (std::size_t bin = 0; bin < kUlpBins; ++bin) comparison.ulpHistogram[bin] = Row(histogram, i)[bin];
        for (std::size_t kind = 0; kind < kDifferenceClasses; ++kind) comparison.classes[kind] = Row(classes, i)[kind];
        for (std::size_t bit = 0; bit < 64; ++bit) comparison.flipsPerBit[bit] = Row(flips, i)[bit];
        output.trainerSha256 = Row(trainer, i).asDigest();
        output.samplerSha256 = Row(sampler, i).asDigest();
        checkAgainstItself(output, cell.id);
        cell.outputs.push_back(std::move(output));
    }
    if (listed != nullptr && listedRow != listed->shape[0]) refuse(fmt::format("{}/listed: rows out of order", group));
}

void checkVerdicts(const Run& run) {
    for (const CellResult& cell : run.cells) {
        if (!hasOutputs(cell.status)) continue;
        const bool equal = std::all_of(cell.outputs.begin(), cell.outputs.end(),
                                       [](const OutputResult& output) { return output.comparison.different == 0; });
        if (cell.outputs.empty() || equal != (cell.status == CellStatus::Equal))
            refuse(fmt::format("cell {} is {}, which its outputs do not say", cell.id, nameOf(cell.status)));
    }
}

std::optional<Measurement> measurementOf(Datasets& datasets) {
    if (datasets.find("/measured/provenance") == nullptr) return std::nullopt;
    Measurement measurement;
    const Json provenance = parsed(datasets.text("/measured/provenance"), "/measured/provenance");
    for (const auto& [key, value] : provenance.items()) measurement.provenance[key] = textField(provenance, key.c_str());
    const Json series = parsed(datasets.text("/measured/series"), "/measured/series");
    const Dataset* times = datasets.find("/measured/time_ns");
    std::size_t taken = 0;
    const std::size_t available = times == nullptr ? 0 : times->shape[0];
    for (const Json& item : series) {
        SampleSeries one{textField(item, "cell"), textField(item, "name"), {}};
        const std::uint64_t samples = unsignedField(item, "samples");
        if (samples > available - taken) refuse("/measured/series: more samples than /measured/time_ns holds");
        for (std::uint64_t i = 0; i < samples; ++i) one.timeNs.push_back(Row(*times, taken++)[0]);
        measurement.samples.push_back(std::move(one));
    }
    if (taken != available) refuse("/measured/time_ns: more samples than /measured/series names");
    return measurement;
}

Run runOf(const std::vector<Dataset>& all) {
    Datasets datasets(all);
    if (const std::string_view format = datasets.text("/format"); format != kRunFormat)
        refuse(fmt::format("format {:?}, expected {:?}", format, kRunFormat));
    Run run;
    Result<Plan> plan = planFromJson(parsed(datasets.text("/plan"), "/plan"), "/plan");
    if (!plan) refuse(plan.error().message);
    run.plan = std::move(*plan);
    const std::vector<IndexEntry> index = indexOf(parsed(datasets.text("/outputs/index"), "/outputs/index"));
    readCells(datasets, run, index);
    readInputs(datasets, run);
    for (const IndexEntry& entry : index) readOutput(datasets, run, entry);
    checkVerdicts(run);
    const Json edges = parsed(datasets.text("/edges"), "/edges");
    if (!edges.is_array()) refuse("/edges: expected an array");
    for (const Json& item : edges) {
        Result<Edge> edge = edgeFromJson(item, "/edges");
        if (!edge) refuse(edge.error().message);
        run.edges.push_back(std::move(*edge));
    }
    run.measurement = measurementOf(datasets);
    datasets.refuseTheRest();
    return run;
}

}  // namespace

Result<Run> runFromDatasets(const std::vector<Dataset>& datasets, std::string_view name) {
    return reading<Run>(name, [&] { return runOf(datasets); });
}

}  // namespace isobit
