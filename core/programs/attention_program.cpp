// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/programs/attention_inputs.h"
#include "core/programs/attention_programs.h"

namespace isobit {
namespace {

constexpr int kAttentionVersion = 1;

class AttentionProgram final : public ReferenceProgram {
public:
    AttentionProgram(const NamedAttention& attention, AttentionRoute route, const Silicon& silicon)
        : ReferenceProgram("attention", attention.name, kAttentionVersion),
          m_name(fmt::format("reference:{}{}", attention.name, suffixOf(route))),
          m_arithmetic(attention.arithmetic),
          m_route(route),
          m_silicon(silicon) {}

    [[nodiscard]] std::string_view name() const override { return m_name; }
    [[nodiscard]] std::vector<std::string_view> batchInputs() const override { return {"q", "k", "v"}; }

    [[nodiscard]] Result<std::vector<NamedTensor>> run(const OperationCall& call,
                                                       const RunOptions& options) const override {
        const auto inputs = requireAttentionInputs(call);
        if (!inputs) return failureOf(inputs);
        if (m_route != AttentionRoute::Paged || !inputs->pageTable.empty()) return evaluate(*inputs, options);
        const PagedKv paged = pagedKvOf(*inputs);
        return evaluate(onPages(*inputs, paged), options);
    }

    [[nodiscard]] Result<std::vector<NamedTensor>> runRowsAlone(const OperationCall& call,
                                                                const RunOptions& options) const override {
        return requestsAlone(*this, call, options);
    }

private:
    [[nodiscard]] Result<std::vector<NamedTensor>> evaluate(const AttentionInputs& inputs,
                                                            const RunOptions& options) const {
        const auto launches = launchesOf(inputs, m_route);
        if (!launches) return failureOf(launches);
        auto outputs = attentionOutputs(inputs);
        AttentionCall call = callOf(inputs);
        call.out = outputs[0].tensor.as<std::uint16_t>();
        call.lse = outputs[1].tensor.as<float>();
        for (const auto& requests : *launches) {
            call.requests = requests;
            if (!evaluateAttention(m_arithmetic, m_silicon, call, {.threads = options.threads}, options.stop))
                return stopped();
        }
        return outputs;
    }

    std::string m_name;
    const AttentionArithmetic& m_arithmetic;
    AttentionRoute m_route;
    const Silicon& m_silicon;
};

}  // namespace

Result<std::vector<NamedTensor>> requestsAlone(const Program& program, const OperationCall& call,
                                               const RunOptions& options) {
    const auto q = call.inputs.find("q");
    if (q == call.inputs.end() || q->second.shape.size() != 4)
        return failure("{}: requests are told apart by a first dimension of \"q\", \"k\" and \"v\": rank 4",
                       program.name());
    return program.Program::runRowsAlone(call, options);
}

std::unique_ptr<const Program> makeAttentionProgram(const NamedAttention& attention, AttentionRoute route,
                                                    const Silicon& silicon) {
    return std::make_unique<AttentionProgram>(attention, route, silicon);
}

}  // namespace isobit
