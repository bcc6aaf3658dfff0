// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/arithmetic/head_evaluate.h"
#include "core/programs/projection_inputs.h"
#include "core/programs/projection_programs.h"
#include "core/programs/reference_program.h"

namespace isobit {
namespace {

constexpr int kHeadVersion = 1;

class HeadProgram final : public ReferenceProgram {
public:
    HeadProgram(const NamedHead& head, const Silicon& silicon)
        : ReferenceProgram("lm_head", head.name, kHeadVersion), m_arithmetic(head.arithmetic), m_silicon(silicon) {}

    [[nodiscard]] std::vector<std::string_view> batchInputs() const override { return {"h", "ids", "temperature"}; }

    [[nodiscard]] Result<std::vector<NamedTensor>> run(const OperationCall& call,
                                                       const RunOptions& options) const override {
        const auto inputs = requireHeadInputs(call);
        if (!inputs) return failureOf(inputs);
        auto outputs = headOutputs(call, *inputs);
        if (!outputs) return failureOf(outputs);
        const HeadCall head{
            .hidden = {inputs->hidden.data, inputs->rows(), inputs->hidden.shape[1], inputs->hidden.strides[0], 1},
            .weight = {inputs->weight.data, inputs->vocabulary(), inputs->weight.shape[1], inputs->weight.strides[0],
                       1},
            .ids = inputs->ids.empty() ? nullptr : inputs->ids.data(),
            .temperature = inputs->temperatures.empty() ? nullptr : inputs->temperatures.data(),
            .logits = outputs->logits,
            .logprob = outputs->logprob,
            .lse = outputs->lse,
            .selected = outputs->selected};
        if (!evaluateHead(m_arithmetic, m_silicon, head, options.threads, options.stop)) return stopped();
        return std::move(outputs->tensors);
    }

    // Every row is evaluated on its own in any case.
    [[nodiscard]] Result<std::vector<NamedTensor>> runRowsAlone(const OperationCall& call,
                                                                const RunOptions& options) const override {
        return run(call, options);
    }

private:
    const HeadArithmetic& m_arithmetic;
    const Silicon& m_silicon;
};

}  // namespace

std::unique_ptr<const Program> makeHeadProgram(const NamedHead& head, const Silicon& silicon) {
    return std::make_unique<HeadProgram>(head, silicon);
}

}  // namespace isobit
