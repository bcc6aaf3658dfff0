// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/arithmetic/mean.h"

#include "core/programs/call_inputs.h"
#include "core/programs/norm_programs.h"

namespace isobit {
namespace {

class MeanProgram final : public Program {
public:
    explicit MeanProgram(const Silicon& silicon) : m_silicon(silicon) {}
    [[nodiscard]] std::string_view name() const override { return "reference:mean.v1"; }
    [[nodiscard]] std::string_view operation() const override { return "mean"; }
    [[nodiscard]] std::string_view arithmetic() const override { return "mean.v1"; }
    [[nodiscard]] std::string_view engine() const override { return "reference"; }
    [[nodiscard]] int version() const override { return 1; }

    [[nodiscard]] Result<std::vector<NamedTensor>> run(const OperationCall& call,
                                                       const RunOptions& options) const override {
        const auto x = requireInput(call, "x", DType::Fp32, 2);
        if (!x) return failureOf(x);
        if (!x->isContiguous()) return failure("mean: input \"x\" must be contiguous");
        std::vector<NamedTensor> outputs;
        outputs.push_back({"out", Tensor(DType::Fp32, {x->shape[0], 1})});
        evaluateMean(meanV1(), m_silicon, x->as<float>(), x->shape[0], x->shape[1], outputs[0].tensor.as<float>(),
                     options.threads);
        return outputs;
    }

private:
    const Silicon& m_silicon;
};

}  // namespace

std::unique_ptr<const Program> makeMeanProgram(const Silicon& silicon) { return std::make_unique<MeanProgram>(silicon); }

}  // namespace isobit
