// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/programs/call_inputs.h"
#include "core/programs/reference_program.h"
#include "core/programs/rope_inputs.h"
#include "core/programs/rope_programs.h"

namespace isobit {
namespace {

constexpr int kRopeVersion = 1;

class RopeProgram final : public ReferenceProgram {
public:
    explicit RopeProgram(const NamedRope& rope)
        : ReferenceProgram("rope", rope.name, kRopeVersion), m_arithmetic(rope.arithmetic) {}

    [[nodiscard]] std::vector<std::string_view> batchInputs() const override {
        return {"x", "cos", "sin", "positions"};
    }

    [[nodiscard]] Result<std::vector<NamedTensor>> run(const OperationCall& call,
                                                       const RunOptions& options) const override {
        const auto inputs = requireRopeInputs(call, m_arithmetic);
        if (!inputs) return failureOf(inputs);
        const auto shape = checkedOutput(call, "out", inputs->x.shape);
        if (!shape) return failureOf(shape);
        std::vector<NamedTensor> outputs;
        outputs.push_back({"out", Tensor(outputTypeOf(m_arithmetic), *shape)});
        const RopeCall rope{.tokens = inputs->tokens(),
                            .heads = inputs->heads(),
                            .headSize = inputs->headSize(),
                            .rotarySize = inputs->rotarySize,
                            .x = inputs->x.data,
                            .tokenStride = inputs->x.strides[0],
                            .headStride = inputs->x.strides[1],
                            .cosine = inputs->cosine.data(),
                            .sine = inputs->sine.data(),
                            .layer = inputs->layer,
                            .out = outputs[0].tensor.bytes().data()};
        if (!evaluateRope(inputs->arithmetic, rope, options.threads, options.stop)) return stopped();
        return outputs;
    }

private:
    const RopeArithmetic& m_arithmetic;
};

}  // namespace

std::unique_ptr<const Program> makeRopeProgram(const NamedRope& rope) { return std::make_unique<RopeProgram>(rope); }

}  // namespace isobit
