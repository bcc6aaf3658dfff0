// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/arithmetic/router.h"
#include "core/programs/call_inputs.h"
#include "core/programs/projection_programs.h"
#include "core/programs/reference_program.h"

namespace isobit {
namespace {

constexpr int kRouterVersion = 1;

class RouterProgram final : public ReferenceProgram {
public:
    RouterProgram(const NamedRouter& router, const Silicon& silicon)
        : ReferenceProgram("router", router.name, kRouterVersion), m_arithmetic(router.arithmetic), m_silicon(silicon) {}

    [[nodiscard]] Result<std::vector<NamedTensor>> run(const OperationCall& call, const RunOptions&) const override {
        const auto x = requireInput(call, "x", DType::Fp32, 2);
        if (!x) return failureOf(x);
        if (!x->isContiguous()) return failure("router: input \"x\" must be contiguous");
        const auto k = requireParameter(call, "k");
        if (!k) return failureOf(k);
        const auto selected = static_cast<std::int64_t>(*k);
        if (!(*k >= 1.0f) || static_cast<float>(selected) != *k || selected > x->shape[1])
            return failure("router: k is {}, expected an integer from 1 to the {} experts", *k, x->shape[1]);
        std::vector<NamedTensor> outputs;
        outputs.push_back({"ids", Tensor(DType::I64, {x->shape[0], selected})});
        outputs.push_back({"weights", Tensor(DType::Fp32, {x->shape[0], selected})});
        evaluateRouter(m_arithmetic, m_silicon, x->as<float>(), x->shape[0], x->shape[1], selected,
                       outputs[0].tensor.as<std::int64_t>(), outputs[1].tensor.as<float>());
        return outputs;
    }

private:
    const RouterArithmetic& m_arithmetic;
    const Silicon& m_silicon;
};

}  // namespace

std::unique_ptr<const Program> makeRouterProgram(const NamedRouter& router, const Silicon& silicon) {
    return std::make_unique<RouterProgram>(router, silicon);
}

}  // namespace isobit
