// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/gemm_measurement.h"

#include <algorithm>

#include "kernels/device_call.h"
#include "kernels/library_gemm.h"
#include "kernels/library_program.h"
#include "kernels/measured_cell.h"
#include "kernels/own_gemms.h"

namespace isobit::cuda {
namespace {

// One cell's operands on the device: the rows, and as many copies of the weight as the cache cannot hold.
class Cell {
public:
    static Result<std::unique_ptr<Cell>> create(const Plan& plan, const CellResult& result, std::int64_t cacheBytes) {
        const auto rows = cellInput(plan, result, "a");
        const auto weight = cellInput(plan, result, "b");
        const auto isMatrix = [](const Result<GeneratedInput>& input) {
            return input && input->shape.size() == 2 && input->generator == "bf16";
        };
        if (plan.operation != "gemm" || !isMatrix(rows) || !isMatrix(weight))
            return failure("only sweeps of gemm over bf16 operands \"a\" and \"b\" can be timed, this is {}",
                           plan.operation);
        std::unique_ptr<Cell> cell(new Cell);
        if (auto filled = cell->fill(*rows, *weight, cacheBytes); !filled) return failureOf(filled);
        return cell;
    }

    [[nodiscard]] GemmArguments arguments(std::size_t copy) const {
        GemmArguments p;
        p.a = m_a;
        p.b = m_weights[copy % m_weights.size()];
        p.out = m_out;
        p.rows = m_rows;
        p.columns = m_columns;
        p.depth = p.aRowStride = p.bColumnStride = m_depth;
        p.bDepthStride = 1;
        p.outStride = m_columns;
        return p;
    }

    // A graph's calls take the copies one after the other.
    [[nodiscard]] TimedSeries own(bool rotating) const {
        return {rotating ? "own_rotating" : "own",
                [this, rotating, next = std::size_t(0)](const LaunchOptions& options) mutable {
                    const GemmArguments p = arguments(rotating ? next++ : 0);
                    return checked(suitedGemm(p).launch(p, options), "launching a GEMM kernel");
                }};
    }

    [[nodiscard]] TimedSeries own(std::string name, const OwnGemm& gemm) const {
        return {std::move(name), [this, &gemm](const LaunchOptions& options) {
                    return checked(gemm.launch(arguments(0), options), "launching a GEMM kernel");
                }};
    }

    [[nodiscard]] TimedSeries library(std::string name, const std::shared_ptr<const LtProduct>& product,
                                      const LtAlgorithm& algorithm, bool rotating) const {
        return {std::move(name),
                [this, product, algorithm, rotating, next = std::size_t(0)](const LaunchOptions& options) mutable {
                    const GemmArguments p = arguments(rotating ? next++ : 0);
                    return product->run(algorithm, p.a, p.b, p.out, m_workspace, options.stream);
                }};
    }

    [[nodiscard]] std::int64_t rows() const { return m_rows; }
    [[nodiscard]] std::int64_t columns() const { return m_columns; }
    [[nodiscard]] std::int64_t depth() const { return m_depth; }

private:
    Cell() = default;

    Result<void> fill(const GeneratedInput& a, const GeneratedInput& b, std::int64_t cacheBytes) {
        m_rows = a.shape[0];
        m_depth = a.shape[1];
        m_columns = b.shape[1];
        const auto rows = generateInput(a);
        if (!rows) return failureOf(rows);
        const auto weight = generateInput(b);
        if (!weight) return failureOf(weight);
        GemmInputs inputs{rows->view(), weight->view(), {}};
        const PackedGemm packed = packGemm(inputs, 0);
        if (packed.depth != m_depth || packed.columns != m_columns)
            return failure("K {} must be a multiple of {} and N {} of 8 to be timed", m_depth, kLibraryDepth,
                           m_columns);
        m_a = m_call.upload(std::span<const std::uint16_t>(packed.a));
        const auto bytes = static_cast<std::int64_t>(packed.weight.size()) * 2;
        const std::int64_t copies = std::max<std::int64_t>(2, (4 * cacheBytes + bytes - 1) / bytes);
        for (std::int64_t i = 0; i < copies; ++i)
            m_weights.push_back(m_call.upload(std::span<const std::uint16_t>(packed.weight)));
        m_out = m_call.allocate(static_cast<std::size_t>(m_rows * m_columns) * 2);
        m_workspace = m_call.allocate(kLibraryWorkspace);
        return m_call.finish("copying the operands");
    }

    DeviceCall m_call;
    std::int64_t m_rows = 0;
    std::int64_t m_columns = 0;
    std::int64_t m_depth = 0;
    void* m_a = nullptr;
    std::vector<void*> m_weights;
    void* m_out = nullptr;
    void* m_workspace = nullptr;
};

Result<void> addAdmitted(const Cell& cell, const GemmAdmissionTable& table,
                         const std::shared_ptr<const LtProduct>& product, std::vector<TimedSeries>& series) {
    const AdmittedGemm* const entry = table.find(cell.rows(), cell.columns(), cell.depth());
    if (entry == nullptr) return {};
    if (entry->algorithm) {
        const LtAlgorithm algorithm = algorithmOf(*entry->algorithm);
        if (!product->supports(algorithm))
            return failure("{}: the library does not run what was admitted", table.source);
        series.push_back(cell.library("admitted", product, algorithm, false));
        return {};
    }
    const OwnGemm* const own = findOwnGemm(entry->realisation);
    if (own == nullptr) return failure("{}: there is no own kernel \"{}\"", table.source, entry->realisation);
    series.push_back(cell.own("admitted", *own));
    return {};
}

struct Library {
    std::shared_ptr<const CublasLt> handle;  ///< nullptr: there is none
    Result<GemmAdmissionTable> table = failure("no table");
};

Result<void> timeCell(const Plan& plan, const CellResult& result, const Library& library, std::int64_t cacheBytes,
                      const GemmMeasurementOptions& options, Measurement& measurement) {
    const auto cell = Cell::create(plan, result, cacheBytes);
    if (!cell) return failureOf(cell);
    std::vector<TimedSeries> series{(*cell)->own(false), (*cell)->own(true)};
    if (library.handle != nullptr) {
        auto made = LtProduct::create(library.handle, (*cell)->rows(), (*cell)->columns(), (*cell)->depth(),
                                      GemmOutputType::Bf16);
        if (!made) return failureOf(made);
        const auto product = std::make_shared<const LtProduct>(std::move(*made));
        const auto proposed = product->heuristics(1, kLibraryWorkspace);
        if (!proposed) return failureOf(proposed);
        for (const LtAlgorithm& algorithm : *proposed) {
            series.push_back((*cell)->library("cublaslt_default", product, algorithm, false));
            series.push_back((*cell)->library("cublaslt_default_rotating", product, algorithm, true));
        }
        if (library.table)
            if (auto added = addAdmitted(**cell, *library.table, product, series); !added) return added;
    }
    return timeSeries(series, result, options.protocol, measurement);
}

void stateMethod(const TimingProtocol& protocol, Measurement& measurement) {
    auto& provenance = measurement.provenance;
    provenance["method"] =
        methodText(protocol) + ", *_rotating: copies of the weight of four times the second-level cache";
    provenance["bytes_a_call"] = "2 * (N * K + M * K + M * N)";
}

}  // namespace

Result<Measurement> measureGemms(const Run& run, const GemmMeasurementOptions& options) {
    const auto info = discoverDevice();
    if (!info) return failureOf(info);
    Measurement measurement;
    stateDevice(*info, options.protocol, measurement);
    stateMethod(options.protocol, measurement);
    Library library;
    if (const auto opened = CublasLt::open()) {
        library.handle = *opened;
        measurement.provenance["cublaslt"] = std::to_string((*opened)->version());
        library.table = chosenAdmissionTable();
        if (library.table)
            if (auto fits = requireSameMachine(*library.table, info->name, (*opened)->version()); !fits)
                library.table = failureOf(fits);
    } else {
        measurement.provenance["cublaslt"] = opened.error().message;
    }
    if (auto done = raiseClocks(); !done) return failureOf(done);
    std::size_t finished = 0;
    for (const CellResult& cell : run.cells) {
        if (options.stop.stop_requested()) return failure("the measurement was stopped");
        if (auto done = timeCell(run.plan, cell, library, info->l2Bytes, options, measurement); !done)
            return failure("cell {}: {}", cell.id, done.error().message);
        if (options.cellFinished) options.cellFinished(++finished, run.cells.size());
    }
    stateClocks(measurement);
    return measurement;
}

}  // namespace isobit::cuda
