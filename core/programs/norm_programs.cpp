// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/programs/norm_programs.h"

#include "core/arithmetic/norm_evaluate.h"
#include "core/arithmetic/row_kernels.h"
#include "core/base/parallel.h"
#include "core/programs/norm_inputs.h"

namespace isobit {
namespace {

constexpr int kNormVersion = 1;

Error stopped(std::string_view program) { return Error{fmt::format("{}: stopped", program)}; }

// A Program that holds what every CPU norm needs.
class ReferenceNorm : public Program {
public:
    ReferenceNorm(std::string name, const NamedNorm& norm, const Silicon& silicon)
        : m_name(std::move(name)), m_norm(norm), m_silicon(silicon) {}

    [[nodiscard]] std::string_view name() const override { return m_name; }
    [[nodiscard]] std::string_view arithmetic() const override { return m_norm.name; }
    [[nodiscard]] std::string_view engine() const override { return "reference"; }
    [[nodiscard]] int version() const override { return kNormVersion; }

protected:
    [[nodiscard]] const NormArithmetic& value() const { return m_norm.arithmetic; }
    [[nodiscard]] const Silicon& silicon() const { return m_silicon; }

private:
    std::string m_name;
    const NamedNorm& m_norm;
    const Silicon& m_silicon;
};

class NormProgram final : public ReferenceNorm {
public:
    NormProgram(std::string name, const NamedNorm& norm, const Silicon& silicon, ResidualAddition addition)
        : ReferenceNorm(std::move(name), norm, silicon), m_addition(addition) {}

    [[nodiscard]] std::string_view operation() const override { return "rms_norm"; }

    [[nodiscard]] Result<std::vector<NamedTensor>> run(const OperationCall& call,
                                                       const RunOptions& options) const override {
        return compute(call, options, 0);
    }

    // Rows are evaluated one by one in any case; what a launch of one row changes is the thread count's rule.
    [[nodiscard]] Result<std::vector<NamedTensor>> runRowsAlone(const OperationCall& call,
                                                                const RunOptions& options) const override {
        return compute(call, options, 1);
    }

private:
    [[nodiscard]] Result<std::vector<NamedTensor>> compute(const OperationCall& call, const RunOptions& options,
                                                           std::int64_t rowsInLaunch) const {
        const auto inputs = requireNormInputs(call);
        if (!inputs) return failureOf(inputs);
        std::vector<NamedTensor> outputs = normOutputs(*inputs);
        NormCall norm{.rows = inputs->x.shape[0],
                      .hiddenSize = inputs->columns,
                      .weight = inputs->widenedWeight.data(),
                      .epsilon = inputs->epsilon};
        norm.rowsInLaunch = rowsInLaunch;
        norm.x = inputs->x.as<std::uint16_t>();
        norm.xLayout.outerStride = inputs->x.strides[0];
        norm.out = outputs[0].tensor.as<std::uint16_t>();
        norm.outLayout.outerStride = norm.hiddenSize;
        if (inputs->residual) {
            norm.residual = inputs->residual->as<std::uint16_t>();
            norm.residualLayout.outerStride = inputs->residual->strides[0];
            norm.residualOut = outputs[1].tensor.as<std::uint16_t>();
        }
        if (m_addition == ResidualAddition::Materialised && norm.residual != nullptr &&
            !materialise(norm, options))
            return tl::unexpected(stopped(name()));
        if (!evaluateNorm(value(), silicon(), norm, options.threads, options.stop))
            return tl::unexpected(stopped(name()));
        return outputs;
    }

    // Stores bf(x + r) for all rows and makes it the norm's only input.
    [[nodiscard]] bool materialise(NormCall& norm, const RunOptions& options) const {
        const auto columns = static_cast<std::size_t>(norm.hiddenSize);
        const bool finished = parallelFor(
            static_cast<std::size_t>(norm.rows), options.threads,
            [&](std::size_t row) {
                thread_local std::vector<float> sum;
                sum.resize(columns);
                const auto i = static_cast<std::int64_t>(row);
                rows::addBf16(norm.x + norm.xLayout.offsetOf(i), norm.residual + norm.residualLayout.offsetOf(i),
                              sum.data(), columns);
                rows::castBf16(sum.data(), value().residualCast == OutputCast::TowardZero,
                               norm.residualOut + i * norm.hiddenSize, columns);
            },
            options.stop);
        norm.x = norm.residualOut;
        norm.xLayout = {.outerStride = norm.hiddenSize};
        norm.residual = nullptr;
        norm.residualOut = nullptr;
        return finished;
    }

    ResidualAddition m_addition;
};

class QkNormProgram final : public ReferenceNorm {
public:
    using ReferenceNorm::ReferenceNorm;
    [[nodiscard]] std::string_view operation() const override { return "qk_norm"; }

    [[nodiscard]] Result<std::vector<NamedTensor>> run(const OperationCall& call,
                                                       const RunOptions& options) const override {
        const auto inputs = requireQkNormInputs(call);
        if (!inputs) return failureOf(inputs);
        std::vector<NamedTensor> outputs = normOutputs(*inputs);
        NormCall norm{.rows = inputs->x.shape[0] * inputs->heads,
                      .hiddenSize = inputs->columns,
                      .weight = inputs->widenedWeight.data(),
                      .epsilon = inputs->epsilon};
        norm.x = inputs->x.as<std::uint16_t>();
        norm.xLayout = {inputs->heads, inputs->x.strides[0], inputs->columns};
        norm.out = outputs[0].tensor.as<std::uint16_t>();
        norm.outLayout = {inputs->heads, inputs->x.shape[1], inputs->columns};
        if (!evaluateNorm(value(), silicon(), norm, options.threads, options.stop))
            return tl::unexpected(stopped(name()));
        return outputs;
    }
};

}  // namespace

std::unique_ptr<const Program> makeNormProgram(const NamedNorm& norm, const Silicon& silicon,
                                               ResidualAddition addition) {
    std::string name = fmt::format("reference:{}", norm.name);
    if (addition == ResidualAddition::Materialised) name += ".materialised";
    return std::make_unique<NormProgram>(std::move(name), norm, silicon, addition);
}

std::unique_ptr<const Program> makeQkNormProgram(const NamedNorm& norm, const Silicon& silicon) {
    return std::make_unique<QkNormProgram>(fmt::format("reference:qk.{}", norm.name), norm, silicon);
}

}  // namespace isobit
