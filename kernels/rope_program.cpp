// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/rope_program.h"

#include "core/programs/call_inputs.h"
#include "core/programs/rope_inputs.h"
#include "kernels/device_call.h"
#include "kernels/rope_launch.h"

namespace isobit::cuda {
namespace {

constexpr int kVersion = 1;

class CudaRope final : public DeviceProgram {
public:
    CudaRope(const NamedRope& rope, RopeChain chain, bool inPlace)
        : DeviceProgram(fmt::format("cuda:{}{}", rope.name, inPlace ? ".in_place" : ""), "rope", rope.name, kVersion),
          m_arithmetic(rope.arithmetic),
          m_chain(chain),
          m_inPlace(inPlace) {}

    [[nodiscard]] std::vector<std::string_view> batchInputs() const override {
        return {"x", "cos", "sin", "positions"};
    }

    [[nodiscard]] Result<std::vector<NamedTensor>> run(const OperationCall& call, const RunOptions&) const override {
        const auto inputs = requireRopeInputs(call, m_arithmetic);
        if (!inputs) return failureOf(inputs);
        const auto shape = checkedOutput(call, "out", inputs->x.shape);
        if (!shape) return failureOf(shape);
        std::vector<NamedTensor> outputs;
        outputs.push_back({"out", Tensor(DType::Bf16, *shape)});
        DeviceCall device;
        RopeArguments p = argumentsOf(*inputs);
        void* const x = device.upload(inputs->x);
        p.x = x;
        p.cosine = device.upload(std::span<const float>(inputs->cosine));
        p.sine = device.upload(std::span<const float>(inputs->sine));
        p.out = m_inPlace ? x : device.allocate(outputs[0].tensor.bytes().size());
        if (p.out != nullptr)
            device.launch("launching RoPE", [&](const LaunchOptions& options) { return launchRope(p, options); });
        if (!m_inPlace || inputs->x.isContiguous()) return finished(device, std::move(outputs), {p.out});
        downloadHeads(device, *inputs, x, outputs[0].tensor);
        return finished(device, std::move(outputs), {});
    }

private:
    [[nodiscard]] RopeArguments argumentsOf(const RopeInputs& inputs) const {
        RopeArguments p;
        p.tokens = inputs.tokens();
        p.heads = inputs.heads();
        p.headSize = inputs.headSize();
        p.rotarySize = inputs.rotarySize;
        p.xTokenStride = inputs.x.strides[0];
        p.xHeadStride = inputs.x.strides[1];
        p.outTokenStride = m_inPlace ? p.xTokenStride : p.heads * p.headSize;
        p.outHeadStride = m_inPlace ? p.xHeadStride : p.headSize;
        p.chain = m_chain;
        p.interleaved = inputs.arithmetic.pairing == RopePairing::Interleaved;
        p.adjoint = inputs.arithmetic.direction == RopeDirection::Adjoint;
        return p;
    }

    // The heads of x as it lies on the device, rotated where it was.
    static void downloadHeads(DeviceCall& device, const RopeInputs& inputs, const void* x, Tensor& out) {
        const std::size_t row = static_cast<std::size_t>(inputs.headSize()) * sizeof(std::uint16_t);
        const auto* const from = static_cast<const std::byte*>(x);
        for (std::int64_t token = 0; token < inputs.tokens(); ++token)
            for (std::int64_t head = 0; head < inputs.heads(); ++head) {
                const std::int64_t at = token * inputs.x.strides[0] + head * inputs.x.strides[1];
                device.download(out.bytes().data() + static_cast<std::size_t>(token * inputs.heads() + head) * row,
                                from + at * 2, row);
            }
    }

    const RopeArithmetic& m_arithmetic;
    RopeChain m_chain;
    bool m_inPlace;
};

void add(ProgramList& programs, std::string_view name, RopeChain chain, bool alsoInPlace) {
    const NamedRope& rope = *findRope(name);
    programs.push_back(std::make_unique<CudaRope>(rope, chain, false));
    if (alsoInPlace) programs.push_back(std::make_unique<CudaRope>(rope, chain, true));
}

}  // namespace

void addRopePrograms(ProgramList& programs) {
    add(programs, "rope.class_a", RopeChain::ClassA, true);
    add(programs, "rope.class_b", RopeChain::ClassB, true);
    add(programs, "rope.class_b.adjoint", RopeChain::ClassB, true);
    add(programs, "rope.class_b.uncontracted", RopeChain::Uncontracted, false);
    add(programs, "rope.class_b.sine_product", RopeChain::SineProduct, false);
    add(programs, "rope.class_b.table_downcast", RopeChain::TableDowncast, false);
}

}  // namespace isobit::cuda
