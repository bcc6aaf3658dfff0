// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/programs/projection_inputs.h"
#include "core/programs/projection_programs.h"
#include "core/programs/reference_program.h"

namespace isobit {
namespace {

constexpr int kFoldVersion = 1;

class LoraFoldProgram final : public ReferenceProgram {
public:
    explicit LoraFoldProgram(const NamedLoraFold& fold)
        : ReferenceProgram("lora_fold", fold.name, kFoldVersion), m_arithmetic(fold.arithmetic) {}

    [[nodiscard]] std::vector<std::string_view> batchInputs() const override { return {"W", "B"}; }

    [[nodiscard]] Result<std::vector<NamedTensor>> run(const OperationCall& call,
                                                       const RunOptions& options) const override {
        const auto inputs = requireLoraFoldInputs(call);
        if (!inputs) return failureOf(inputs);
        std::vector<NamedTensor> outputs = loraFoldOutputs(*inputs);
        const LoraFoldCall fold{.rows = inputs->rows(),
                                .columns = inputs->columns(),
                                .rank = inputs->rank,
                                .a = inputs->a.data(),
                                .b = inputs->b.data(),
                                .weight = inputs->weight.as<std::uint16_t>(),
                                .scaling = inputs->scaling,
                                .delta = outputs[0].tensor.as<float>(),
                                .folded = outputs[1].tensor.as<std::uint16_t>()};
        if (!evaluateLoraFold(m_arithmetic, fold, options.threads, options.stop)) return stopped();
        return outputs;
    }

private:
    const LoraFoldArithmetic& m_arithmetic;
};

}  // namespace

std::unique_ptr<const Program> makeLoraFoldProgram(const NamedLoraFold& fold) {
    return std::make_unique<LoraFoldProgram>(fold);
}

}  // namespace isobit
