// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/sweep/cell.h"

#include <algorithm>
#include <atomic>
#include <cstring>
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

    Result<void> run(CellResult& cell) {
        if (auto made = makeInputs(); !made) return made;
        if (auto ran = runSide(m_plan.pairing.trainer, *m_programs.trainer, m_trainer); !ran) return ran;
        if (auto ran = runSide(m_plan.pairing.sampler, *m_programs.sampler, m_sampler); !ran) return ran;
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
        for (const auto& [name, text] : m_plan.parameters) m_call.parameters[name] = std::stod(text);
        m_specs = inputsOf(m_plan, m_point.coordinates, m_point.seedIndex);
        for (std::size_t i = 0; i < m_specs.size(); ++i) {
            Result<Tensor> tensor = generateInput(m_specs[i], m_options.threads, m_options.stop);
            if (!tensor) return failureOf(tensor);
            m_inputs.push_back(std::move(*tensor));
            m_call.inputs[m_plan.inputs[i].name] = m_inputs.back().view();
        }
        return {};
    }

    Result<void> runSide(const ProgramRef& side, const Program& program, std::vector<NamedTensor>& outputs) const {
        auto result = side.rowsAlone ? program.runRowsAlone(m_call, m_options) : program.run(m_call, m_options);
        if (!result) return failureOf(result);
        outputs = std::move(*result);
        return {};
    }

    [[nodiscard]] std::int64_t rows() const {
        return m_plan.rowAxis.empty() ? 1 : m_point.coordinates[static_cast<std::size_t>(axisIndex(m_plan, m_plan.rowAxis))];
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
            if (!m_plan.rowAxis.empty() && (trainer.shape().empty() || trainer.shape()[0] != rows()))
                return failure("output {}: shape {}, expected {} rows", name, textOf(trainer.shape()), rows());
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
        const std::int64_t rowCount = rows();
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
                                  unsigned threads, const std::stop_token& stop) {
    CellResult cell;
    Result<void> ran;
    try {
        ran = CellRun(plan, programs, point, {threads, stop}).run(cell);
    } catch (const std::bad_alloc&) {
        ran = failure("not enough memory for a cell of {} input elements", elementsOf(plan, point.coordinates));
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
