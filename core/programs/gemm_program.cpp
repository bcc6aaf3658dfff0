// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/arithmetic/gemm_evaluate.h"
#include "core/programs/projection_inputs.h"
#include "core/programs/projection_programs.h"
#include "core/programs/reference_program.h"

namespace isobit {
namespace {

constexpr int kGemmVersion = 1;

GemmMatrix matrixOf(const TensorView& view) {
    return {view.data, view.shape[0], view.shape[1], view.strides[0], view.strides[1]};
}

class GemmProgram final : public ReferenceProgram {
public:
    GemmProgram(const NamedGemm& gemm, const Silicon& silicon)
        : ReferenceProgram("gemm", gemm.name, kGemmVersion), m_arithmetic(gemm.arithmetic), m_silicon(silicon) {}

    [[nodiscard]] std::vector<std::string_view> batchInputs() const override { return {"a"}; }

    [[nodiscard]] Result<std::vector<NamedTensor>> run(const OperationCall& call,
                                                       const RunOptions& options) const override {
        const auto inputs = requireGemmInputs(call, m_arithmetic);
        if (!inputs) return failureOf(inputs);
        auto outputs = gemmOutputs(call, *inputs, m_arithmetic);
        if (!outputs) return outputs;
        const GemmCall gemm{.a = matrixOf(inputs->a),
                            .b = matrixOf(inputs->b),
                            .bias = inputs->bias.empty() ? nullptr : inputs->bias.data(),
                            .out = outputs->front().tensor.bytes().data()};
        if (!evaluateGemm(m_arithmetic, m_silicon, gemm, options.threads, options.stop)) return stopped();
        return outputs;
    }

    // Every row is evaluated on its own in any case; only stream-K looks at how many there are.
    [[nodiscard]] Result<std::vector<NamedTensor>> runRowsAlone(const OperationCall& call,
                                                                const RunOptions& options) const override {
        return m_arithmetic.split == KSplit::Stream ? Program::runRowsAlone(call, options) : run(call, options);
    }

private:
    const GemmArithmetic& m_arithmetic;
    const Silicon& m_silicon;
};

// gemm.md 5: every product of the stack by itself.
class BmmProgram final : public ReferenceProgram {
public:
    BmmProgram(const NamedGemm& gemm, const Silicon& silicon)
        : ReferenceProgram(fmt::format("reference:bmm.{}", gemm.name), "bmm", gemm.name, kGemmVersion),
          m_arithmetic(gemm.arithmetic),
          m_silicon(silicon) {}

    [[nodiscard]] std::vector<std::string_view> batchInputs() const override { return {"a", "b"}; }

    [[nodiscard]] Result<std::vector<NamedTensor>> run(const OperationCall& call,
                                                       const RunOptions& options) const override {
        const auto inputs = requireBmmInputs(call, m_arithmetic);
        if (!inputs) return failureOf(inputs);
        auto outputs = bmmOutputs(call, *inputs, m_arithmetic);
        if (!outputs || inputs->batches() == 0) return outputs;
        const auto bytes = outputs->front().tensor.bytes();
        const std::size_t each = bytes.size() / static_cast<std::size_t>(inputs->batches());
        for (std::int64_t batch = 0; batch < inputs->batches(); ++batch) {
            const GemmInputs one = inputs->batch(batch);
            const GemmCall gemm{.a = matrixOf(one.a),
                                .b = matrixOf(one.b),
                                .out = bytes.data() + static_cast<std::size_t>(batch) * each};
            if (!evaluateGemm(m_arithmetic, m_silicon, gemm, options.threads, options.stop)) return stopped();
        }
        return outputs;
    }

private:
    const GemmArithmetic& m_arithmetic;
    const Silicon& m_silicon;
};

}  // namespace

std::unique_ptr<const Program> makeBmmProgram(const NamedGemm& gemm, const Silicon& silicon) {
    return std::make_unique<BmmProgram>(gemm, silicon);
}

std::unique_ptr<const Program> makeGemmProgram(const NamedGemm& gemm, const Silicon& silicon) {
    return std::make_unique<GemmProgram>(gemm, silicon);
}

}  // namespace isobit
