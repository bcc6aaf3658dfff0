// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/sweep/cell.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <mutex>
#include <new>

#include "core/base/parallel.h"
#include "core/base/sha256.h"
#include "core/sweep/plan.h"

namespace isobit {
namespace {

constexpr std::size_t kDigestPiece = 8 << 20;  // a few milliseconds: how long a stop may wait for a digest
constexpr std::int64_t kRowsPerPiece = 64;

/// SHA-256 of a tensor's bytes; empty if stopped.
std::string digestOf(const Tensor& tensor, const std::stop_token& stop) {
    Sha256 hash;
    for (std::span<const std::byte> rest = tensor.bytes(); !rest.empty();) {
        if (stop.stop_requested()) return {};
        const auto piece = rest.first(std::min(kDigestPiece, rest.size()));
        hash.update(piece);
        rest = rest.subspan(piece.size());
    }
    return hash.finishHex();
}

/// One cell on its way: every step gives an Error or goes on, and the caller tells a stop from a failure.
class CellRun {
public:
    CellRun(const Plan& plan, const PairingPrograms& programs, const CellPoint& point, const RunOptions& options)
        : m_plan(plan), m_programs(programs), m_point(point), m_options(options) {}

    Result<void> run(CellResult& cell, CellTiming& timing) {
        if (auto made = makeInputs(); !made) return made;
        if (auto ran = runSide(m_plan.pairing.trainer, *m_programs.trainer, m_trainer, timing.trainerNs); !ran) return ran;
        if (auto ran = runSide(m_plan.pairing.sampler, *m_programs.sampler, m_sampler, timing.samplerNs); !ran) return ran;
        if (auto fits = checkOutputs(); !fits) return fits;
        compareOutputs(cell);
        takeDigests(cell);
        if (!m_plan.checkBatchInvariance || m_plan.rowAxis.empty()) return {};
        if (auto checked = checkInvariance(m_plan.pairing.trainer, *m_programs.trainer, m_trainer, cell.trainerInvariance);
            !checked)
            return checked;
        return checkInvariance(m_plan.pairing.sampler, *m_programs.sampler, m_sampler, cell.samplerInvariance);
    }

private:
    Result<void> makeInputs() {
        m_call.operation = m_plan.operation;
        m_call.parameters = parametersOf(m_plan, m_point.coordinates);
        m_specs = inputsOf(m_plan, m_point.coordinates, m_point.seedIndex);
        for (std::size_t i = 0; i < m_specs.size(); ++i) {
            Result<Tensor> tensor = generateInput(m_specs[i], m_options.threads, m_options.stop);
            if (!tensor) return failureOf(tensor);
            m_inputs.push_back(std::move(*tensor));
            m_call.inputs[m_plan.inputs[i].name] = m_inputs.back().view();
        }
        return {};
    }

    Result<void> runSide(const ProgramRef& side, const Program& program, std::vector<NamedTensor>& outputs,
                         std::uint64_t& timeNs) const {
        const auto start = std::chrono::steady_clock::now();
        auto result = side.rowsAlone                ? program.runRowsAlone(m_call, m_options)
                      : rowsInAll(program) == rows() ? program.run(m_call, m_options)
                                                     : runInLaunches(program);
        timeNs = static_cast<std::uint64_t>(
            std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start).count());
        if (!result) return failureOf(result);
        outputs = std::move(*result);
        return {};
    }

    /// Rows of one call, by the plan.
    [[nodiscard]] std::int64_t rows() const {
        return m_plan.rowAxis.empty() ? 1 : m_point.coordinates[static_cast<std::size_t>(axisIndex(m_plan, m_plan.rowAxis))];
    }

    /// Rows that the inputs have; as many as in one call, but for plans whose inputs have a fixed number.
    [[nodiscard]] std::int64_t rowsInAll(const Program& program) const {
        if (m_plan.rowAxis.empty()) return 1;
        for (const std::string_view name : program.batchInputs())
            if (const auto input = m_call.inputs.find(std::string(name)); input != m_call.inputs.end())
                return input->second.shape[0];
        return rows();
    }

    /// All rows, in calls of rows() each. The last call begins early enough to be full.
    Result<std::vector<NamedTensor>> runInLaunches(const Program& program) const {
        const std::int64_t all = rowsInAll(program);
        const std::int64_t inOne = rows();
        if (inOne > all) return failure("{} rows in a call, the inputs have {}", inOne, all);
        std::vector<NamedTensor> outputs;
        Result<void> problem;
        std::mutex merging;
        parallelFor(
            static_cast<std::size_t>((all + inOne - 1) / inOne), m_options.threads,
            [&](std::size_t launch) {
                const std::int64_t first = std::min(static_cast<std::int64_t>(launch) * inOne, all - inOne);
                const auto part = program.run(callOf(program, first, inOne), {1, m_options.stop});
                const std::scoped_lock lock(merging);
                if (!part) problem = failureOf(part);
                if (problem) copyRows(*part, first, all, outputs);
            },
            m_options.stop);
        if (!problem) return failureOf(problem);
        return outputs;
    }

    /// The call on some of its rows.
    [[nodiscard]] OperationCall callOf(const Program& program, std::int64_t first, std::int64_t count) const {
        OperationCall part = m_call;
        for (const std::string_view name : program.batchInputs())
            if (const auto input = part.inputs.find(std::string(name)); input != part.inputs.end()) {
                TensorView& view = input->second;
                view.data += first * view.strides[0] * static_cast<std::int64_t>(bytesOf(view.dtype));
                view.shape[0] = count;
            }
        return part;
    }

    static void copyRows(const std::vector<NamedTensor>& part, std::int64_t first, std::int64_t all,
                         std::vector<NamedTensor>& outputs) {
        for (std::size_t i = 0; i < part.size(); ++i) {
            Shape shape = part[i].tensor.shape();
            const std::span<const std::byte> bytes = part[i].tensor.bytes();
            const std::size_t rowBytes = bytes.size() / static_cast<std::size_t>(shape[0]);
            shape[0] = all;
            if (outputs.size() == i) outputs.push_back({part[i].name, Tensor(part[i].tensor.dtype(), shape)});
            std::memcpy(outputs[i].tensor.bytes().data() + static_cast<std::size_t>(first) * rowBytes, bytes.data(), bytes.size());
        }
    }

    [[nodiscard]] Result<void> checkOutputs() const {
        if (m_trainer.empty() || m_trainer.size() != m_sampler.size())
            return failure("{} outputs on the trainer's side and {} on the sampler's", m_trainer.size(), m_sampler.size());
        for (std::size_t i = 0; i < m_trainer.size(); ++i) {
            const auto& [name, trainer] = m_trainer[i];
            const auto& [samplerName, sampler] = m_sampler[i];
            if (name != samplerName || trainer.dtype() != sampler.dtype() || trainer.shape() != sampler.shape())
                return failure("output {}: {} {} {} on the trainer's side, {} {} {} on the sampler's", i, name,
                               nameOf(trainer.dtype()), textOf(trainer.shape()), samplerName, nameOf(sampler.dtype()),
                               textOf(sampler.shape()));
            const std::int64_t expected = rowsInAll(*m_programs.trainer);
            if (!m_plan.rowAxis.empty() && (trainer.shape().empty() || trainer.shape()[0] != expected))
                return failure("output {}: shape {}, expected {} rows", name, textOf(trainer.shape()), expected);
        }
        return {};
    }

    void compareOutputs(CellResult& cell) const {
        CompareOptions options;
        options.threads = m_options.threads;
        options.stop = m_options.stop;
        for (std::size_t i = 0; i < m_trainer.size(); ++i) {
            const Tensor& trainer = m_trainer[i].tensor;
            OutputResult output;
            output.name = m_trainer[i].name;
            output.dtype = trainer.dtype();
            output.shape = trainer.shape();
            output.comparison = compareWords(output.dtype, trainer.bytes(), m_sampler[i].tensor.bytes(), options);
            cell.outputs.push_back(std::move(output));
        }
        const bool equal = std::all_of(cell.outputs.begin(), cell.outputs.end(),
                                       [](const OutputResult& output) { return output.comparison.equal(); });
        cell.status = equal ? CellStatus::Equal : CellStatus::Different;
    }

    // Every digest is one task, since a SHA-256 cannot be split.
    void takeDigests(CellResult& cell) const {
        cell.inputs.resize(m_inputs.size());
        std::vector<std::pair<const Tensor*, std::string*>> tasks;
        for (std::size_t i = 0; i < m_inputs.size(); ++i) {
            cell.inputs[i].name = m_plan.inputs[i].name;
            cell.inputs[i].seed = m_specs[i].seed;
            tasks.emplace_back(&m_inputs[i], &cell.inputs[i].sha256);
        }
        for (std::size_t i = 0; i < m_trainer.size(); ++i) {
            tasks.emplace_back(&m_trainer[i].tensor, &cell.outputs[i].trainerSha256);
            if (!cell.outputs[i].comparison.equal())
                tasks.emplace_back(&m_sampler[i].tensor, &cell.outputs[i].samplerSha256);
        }
        parallelFor(tasks.size(), m_options.threads,
                    [&](std::size_t task) { *tasks[task].second = digestOf(*tasks[task].first, m_options.stop); });
        // The same words have the same digest.
        for (OutputResult& output : cell.outputs)
            if (output.comparison.equal()) output.samplerSha256 = output.trainerSha256;
    }

    Result<void> checkInvariance(const ProgramRef& side, const Program& program, const std::vector<NamedTensor>& company,
                                 BatchInvariance& invariance) const {
        invariance.checked = true;
        invariance.holds = true;
        if (side.rowsAlone) return {};  // its rows never have company
        const auto alone = program.runRowsAlone(m_call, m_options);
        if (!alone) return failureOf(alone);
        for (std::size_t i = 0; i < company.size(); ++i)
            if ((*alone)[i].tensor.shape() != company[i].tensor.shape())
                return failure("output {}: {} alone, {} in company", company[i].name,
                               textOf((*alone)[i].tensor.shape()), textOf(company[i].tensor.shape()));
        countViolations(*alone, company, invariance);
        return {};
    }

    void countViolations(const std::vector<NamedTensor>& alone, const std::vector<NamedTensor>& company,
                         BatchInvariance& invariance) const {
        const std::int64_t rowCount = company[0].tensor.shape()[0];
        std::vector<std::uint8_t> violated(static_cast<std::size_t>(rowCount));  // 1 + first output that violates
        const auto pieces = static_cast<std::size_t>((rowCount + kRowsPerPiece - 1) / kRowsPerPiece);
        parallelFor(pieces, m_options.threads, [&](std::size_t piece) {
            const std::int64_t first = static_cast<std::int64_t>(piece) * kRowsPerPiece;
            for (std::int64_t row = first; row < std::min(first + kRowsPerPiece, rowCount); ++row)
                for (std::size_t i = company.size(); i-- > 0;) {
                    const std::size_t bytes = company[i].tensor.bytes().size() / static_cast<std::size_t>(rowCount);
                    const std::size_t offset = static_cast<std::size_t>(row) * bytes;
                    if (std::memcmp(alone[i].tensor.bytes().data() + offset, company[i].tensor.bytes().data() + offset,
                                    bytes) != 0)
                        violated[static_cast<std::size_t>(row)] = static_cast<std::uint8_t>(1 + i);
                }
        });
        for (std::int64_t row = 0; row < rowCount; ++row) {
            const std::uint8_t output = violated[static_cast<std::size_t>(row)];
            if (output == 0) continue;
            if (invariance.rowsViolating++ == 0) invariance.firstRow = row;
            // Outputs in declared order: the first that any row violates.
            if (invariance.output.empty() || output < 1 + outputIndex(company, invariance.output))
                invariance.output = company[output - 1u].name;
        }
        invariance.holds = invariance.rowsViolating == 0;
    }

    static int outputIndex(const std::vector<NamedTensor>& outputs, const std::string& name) {
        return static_cast<int>(std::find_if(outputs.begin(), outputs.end(),
                                             [&](const NamedTensor& output) { return output.name == name; }) -
                                outputs.begin());
    }

    const Plan& m_plan;
    const PairingPrograms& m_programs;
    const CellPoint& m_point;
    RunOptions m_options;
    std::vector<GeneratedInput> m_specs;
    std::vector<Tensor> m_inputs;
    OperationCall m_call;
    std::vector<NamedTensor> m_trainer;
    std::vector<NamedTensor> m_sampler;
};

}  // namespace

std::optional<CellResult> runCell(const Plan& plan, const PairingPrograms& programs, const CellPoint& point,
                                  unsigned threads, const std::stop_token& stop, CellTiming* timing) {
    CellTiming unasked;
    CellResult cell;
    Result<void> ran;
    try {
        ran = CellRun(plan, programs, point, {threads, stop}).run(cell, timing != nullptr ? *timing : unasked);
    } catch (const std::bad_alloc&) {
        ran = failure("not enough memory for a cell of {} input elements and its outputs", elementsOf(plan, point.coordinates));
    }
    if (stop.stop_requested()) return std::nullopt;
    if (!ran) {
        cell = CellResult();
        cell.status = CellStatus::Failed;
        cell.error = ran.error().message;
    }
    cell.coordinates = point.coordinates;
    cell.id = cellId(plan, point.coordinates);
    return cell;
}

}  // namespace isobit
