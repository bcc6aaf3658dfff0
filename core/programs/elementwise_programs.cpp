// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/arithmetic/log_softmax.h"
#include "core/programs/projection_inputs.h"
#include "core/programs/projection_programs.h"
#include "core/programs/reference_program.h"

namespace isobit {
namespace {

constexpr int kElementwiseVersion = 1;

class LogSoftmaxProgram final : public ReferenceProgram {
public:
    explicit LogSoftmaxProgram(const Silicon& silicon)
        : ReferenceProgram("log_softmax", "log_softmax.v1", kElementwiseVersion), m_silicon(silicon) {}

    [[nodiscard]] Result<std::vector<NamedTensor>> run(const OperationCall& call,
                                                       const RunOptions& options) const override {
        const auto x = requireLogSoftmaxInput(call);
        if (!x) return failureOf(x);
        std::vector<NamedTensor> outputs;
        outputs.push_back({"out", Tensor(DType::Fp32, x->shape)});
        if (!evaluateLogSoftmax(logSoftmaxV1(), m_silicon, x->as<float>(), x->shape[0], x->shape[1],
                                outputs[0].tensor.as<float>(), options.threads, options.stop))
            return stopped();
        return outputs;
    }

private:
    const Silicon& m_silicon;
};

class SiluMulProgram final : public ReferenceProgram {
public:
    SiluMulProgram(const NamedSiluMul& silu, const Silicon& silicon)
        : ReferenceProgram("silu_mul", silu.name, kElementwiseVersion), m_arithmetic(silu.arithmetic), m_silicon(silicon) {}

    [[nodiscard]] Result<std::vector<NamedTensor>> run(const OperationCall& call,
                                                       const RunOptions& options) const override {
        const auto x = requireSiluMulInput(call);
        if (!x) return failureOf(x);
        std::vector<NamedTensor> outputs;
        outputs.push_back({"out", Tensor(DType::Bf16, {x->shape[0], x->shape[1] / 2})});
        if (!evaluateSiluMul(m_arithmetic, m_silicon, x->as<std::uint16_t>(), x->shape[0], x->shape[1] / 2,
                             outputs[0].tensor.as<std::uint16_t>(), options.threads, options.stop))
            return stopped();
        return outputs;
    }

private:
    const SiluMulArithmetic& m_arithmetic;
    const Silicon& m_silicon;
};

}  // namespace

std::unique_ptr<const Program> makeLogSoftmaxProgram(const Silicon& silicon) {
    return std::make_unique<LogSoftmaxProgram>(silicon);
}

std::unique_ptr<const Program> makeSiluMulProgram(const NamedSiluMul& silu, const Silicon& silicon) {
    return std::make_unique<SiluMulProgram>(silu, silicon);
}

}  // namespace isobit
