// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/projection_program.h"

#include <algorithm>

#include "core/programs/projection_inputs.h"
#include "kernels/attention_program.h"
#include "kernels/device_call.h"
#include "kernels/gemm_launch.h"
#include "kernels/head_buffers.h"
#include "kernels/library_program.h"
#include "kernels/own_gemms.h"
#include "kernels/rope_program.h"

namespace isobit::cuda {
namespace {

constexpr int kVersion = 1;

GemmInputType inputTypeOf(GemmOperand operand) {
    if (operand == GemmOperand::Bf16) return GemmInputType::Bf16;
    return operand == GemmOperand::Fp16 ? GemmInputType::Fp16 : GemmInputType::Fp32;
}

GemmOutputType outputTypeOf(GemmOutput output) {
    if (output == GemmOutput::Bf16) return GemmOutputType::Bf16;
    return output == GemmOutput::Fp16 ? GemmOutputType::Fp16 : GemmOutputType::Fp32;
}

// Pointers stay null.
GemmArguments argumentsOf(const GemmArithmetic& arithmetic, const GemmInputs& inputs) {
    GemmArguments p;
    p.rows = inputs.rows();
    p.columns = inputs.columns();
    p.depth = inputs.depth();
    p.aRowStride = inputs.a.strides[0];
    p.aDepthStride = inputs.a.strides[1];
    p.bDepthStride = inputs.b.strides[0];
    p.bColumnStride = inputs.b.strides[1];
    p.outStride = inputs.columns();
    p.input = inputTypeOf(arithmetic.operand);
    p.output = outputTypeOf(arithmetic.output);
    p.biasAfterCast = arithmetic.bias == BiasPlace::AfterCast;
    return p;
}

class CudaGemm final : public DeviceProgram {
public:
    /// `own` nullptr: the kernel that suits each call, as it is also where `own` cannot run one.
    CudaGemm(const NamedGemm& gemm, const OwnGemm* own)
        : DeviceProgram(
              own == nullptr ? fmt::format("cuda:{}", gemm.name) : fmt::format("cuda:{}.{}", gemm.name, own->name),
              "gemm", gemm.name, kVersion),
          m_arithmetic(gemm.arithmetic),
          m_own(own) {}

    [[nodiscard]] std::vector<std::string_view> batchInputs() const override { return {"a"}; }

    [[nodiscard]] Result<std::vector<NamedTensor>> run(const OperationCall& call, const RunOptions&) const override {
        const auto inputs = requireGemmInputs(call, m_arithmetic);
        if (!inputs) return failureOf(inputs);
        auto outputs = gemmOutputs(call, *inputs, m_arithmetic);
        if (!outputs) return outputs;
        DeviceCall device;
        GemmArguments p = argumentsOf(m_arithmetic, *inputs);
        p.a = device.upload(inputs->a);
        p.b = device.upload(inputs->b);
        p.bias = device.upload(std::span<const float>(inputs->bias));
        p.out = device.allocate(outputs->front().tensor.bytes().size());
        if (p.out != nullptr)
            device.launch("launching a GEMM kernel", [&](const LaunchOptions& options) { return launch(p, options); });
        return finished(device, std::move(*outputs), {p.out});
    }

private:
    [[nodiscard]] CudaStatus launch(const GemmArguments& p, const LaunchOptions& options) const {
        if (m_arithmetic.operand == GemmOperand::Fp32) return launchTf32Gemm(p, options);
        return (m_own != nullptr && m_own->admits(p) ? *m_own : suitedGemm(p)).launch(p, options);
    }

    const GemmArithmetic& m_arithmetic;
    const OwnGemm* m_own;
};

// gemm.md 5: one launch for the whole stack.
class CudaBmm final : public DeviceProgram {
public:
    explicit CudaBmm(const NamedGemm& gemm)
        : DeviceProgram(fmt::format("cuda:bmm.{}", gemm.name), "bmm", gemm.name, kVersion),
          m_arithmetic(gemm.arithmetic) {}

    [[nodiscard]] std::vector<std::string_view> batchInputs() const override { return {"a", "b"}; }

    [[nodiscard]] Result<std::vector<NamedTensor>> run(const OperationCall& call, const RunOptions&) const override {
        const auto inputs = requireBmmInputs(call, m_arithmetic);
        if (!inputs) return failureOf(inputs);
        auto outputs = bmmOutputs(call, *inputs, m_arithmetic);
        if (!outputs || inputs->batches() == 0) return outputs;
        DeviceCall device;
        GemmArguments p = argumentsOf(m_arithmetic, inputs->batch(0));
        p.batches = inputs->batches();
        p.aBatchStride = inputs->a.strides[0];
        p.bBatchStride = inputs->b.strides[0];
        p.outBatchStride = p.rows * p.columns;
        p.a = device.upload(inputs->a);
        p.b = device.upload(inputs->b);
        p.out = device.allocate(outputs->front().tensor.bytes().size());
        if (p.out != nullptr)
            device.launch("launching a batched GEMM kernel", [&](const LaunchOptions& options) {
                return m_arithmetic.operand == GemmOperand::Fp32 ? launchTf32Gemm(p, options)
                                                                 : launchMmaGemm(p, tileRowsFor(p.rows), options);
            });
        return finished(device, std::move(*outputs), {p.out});
    }

private:
    const GemmArithmetic& m_arithmetic;
};

/// How a head's statistics come about.
enum class HeadRoute {
    Suited,   ///< in the product's epilogue, by the kernel that suits the call
    Mma,      ///< in the epilogue, by mma.sync
    Wide64,   ///< by wgmma in tiles of 64 rows, or by mma.sync where the operands' strides do not suit it
    Wide128,  ///< the same in tiles of 128 rows
    FromLogits,
    Chunks
};

class CudaHead final : public DeviceProgram {
public:
    CudaHead(std::string name, std::string_view arithmetic, HeadRoute route)
        : DeviceProgram(std::move(name), "lm_head", arithmetic, kVersion), m_route(route) {}

    [[nodiscard]] std::vector<std::string_view> batchInputs() const override { return {"h", "ids", "temperature"}; }

    [[nodiscard]] Result<std::vector<NamedTensor>> run(const OperationCall& call,
                                                       const RunOptions& options) const override {
        const auto inputs = requireHeadInputs(call);
        if (!inputs) return failureOf(inputs);
        auto outputs = headOutputs(call, *inputs);
        if (!outputs) return failureOf(outputs);
        const std::int64_t rows = inputs->rows();
        if (rows == 0) return std::move(outputs->tensors);
        const std::int64_t tileColumns = m_route == HeadRoute::Chunks ? kHeadChunk : kHeadTile;
        HeadArguments p;
        p.tiles = (inputs->vocabulary() + tileColumns - 1) / tileColumns;
        if (m_route != HeadRoute::Chunks && p.tiles > kHeadMostTiles)
            return failure("{}: a vocabulary of {} tokens, expected at most {}", name(), inputs->vocabulary(),
                           std::int64_t(kHeadMostTiles) * kHeadTile);
        DeviceCall device;
        prepare(device, *inputs, p);
        launch(device, *inputs, p, options);
        const auto bytes = static_cast<std::size_t>(rows) * sizeof(float);
        if (outputs->logits != nullptr)
            device.download(outputs->logits, p.product.out, bytes * static_cast<std::size_t>(inputs->vocabulary()));
        if (outputs->logprob != nullptr) device.download(outputs->logprob, p.logprob, bytes);
        device.download(outputs->lse, p.lse, bytes);
        if (outputs->selected != nullptr) device.download(outputs->selected, p.selected, bytes);
        return finished(device, std::move(outputs->tensors), {});
    }

private:
    void prepare(DeviceCall& device, const HeadInputs& inputs, HeadArguments& p) const {
        const std::int64_t rows = inputs.rows();
        GemmArguments& product = p.product;
        product.a = device.upload(inputs.hidden);
        product.b = device.upload(inputs.weight);
        product.rows = rows;
        product.columns = inputs.vocabulary();
        product.depth = inputs.hidden.shape[1];
        product.aRowStride = inputs.hidden.strides[0];
        product.bDepthStride = 1;
        product.bColumnStride = inputs.weight.strides[0];
        product.outStride = inputs.vocabulary();
        product.output = GemmOutputType::Fp32;
        if (inputs.keepLogits || m_route == HeadRoute::FromLogits)
            product.out = device.allocate<float>(rows * inputs.vocabulary());
        p.ids = device.upload(std::span<const std::int64_t>(inputs.ids));
        p.temperature = device.upload(std::span<const float>(inputs.temperatures));
        allocateHeadResults(device, p);
    }

    void launch(DeviceCall& device, const HeadInputs& inputs, const HeadArguments& p, const RunOptions& options) const {
        if (device.failed()) return;
        if (m_route == HeadRoute::Chunks) return launchChunks(device, inputs, p, options);
        if (m_route == HeadRoute::FromLogits) {
            device.launched(suitedGemm(p.product).launch(p.product, device.options()), "launching a GEMM kernel");
            device.launched(launchHeadFromLogits(p, device.options()), "launching a head kernel");
        } else {
            device.launched(launchTiles(p, device.options()), "launching a head kernel");
        }
        device.launched(launchHeadMerge(p, device.options()), "launching a head's merge");
    }

    [[nodiscard]] CudaStatus launchTiles(const HeadArguments& p, const LaunchOptions& options) const {
        if (m_route == HeadRoute::Suited) return launchHeadTiles(p, options);
        if (m_route == HeadRoute::Mma || !wideAdmits(p.product)) return launchMmaHeadTiles(p, options);
        return launchWideHeadTiles(p, m_route == HeadRoute::Wide64 ? 64 : 128, options);
    }

    // Chunk by chunk into one buffer of logits, or into the logits that are kept.
    void launchChunks(DeviceCall& device, const HeadInputs& inputs, const HeadArguments& p,
                      const RunOptions& options) const {
        const std::int64_t most = std::min<std::int64_t>(kHeadChunk, inputs.vocabulary());
        float* const band = inputs.keepLogits ? nullptr : device.allocate<float>(inputs.rows() * most);
        for (std::int64_t chunk = 0; chunk < p.tiles && !device.failed(); ++chunk) {
            if (options.stop.stop_requested()) break;
            const std::int64_t first = chunk * kHeadChunk;
            GemmArguments product = p.product;
            product.columns = std::min<std::int64_t>(kHeadChunk, inputs.vocabulary() - first);
            product.b = static_cast<const std::uint16_t*>(p.product.b) + first * product.bColumnStride;
            product.out = inputs.keepLogits ? static_cast<float*>(p.product.out) + first : band;
            if (!inputs.keepLogits) product.outStride = most;
            device.launched(suitedGemm(product).launch(product, device.options()), "launching a GEMM kernel");
            device.launched(launchHeadChunk(p, static_cast<const float*>(product.out), product.outStride, first,
                                            product.columns, chunk, device.options()),
                            "launching a head kernel");
        }
        device.launched(launchHeadChunkMerge(p, device.options()), "launching a head's merge");
    }

    HeadRoute m_route;
};

class CudaLogSoftmax final : public DeviceProgram {
public:
    CudaLogSoftmax() : DeviceProgram("cuda:log_softmax.v1", "log_softmax", "log_softmax.v1", kVersion) {}

    [[nodiscard]] Result<std::vector<NamedTensor>> run(const OperationCall& call, const RunOptions&) const override {
        const auto x = requireLogSoftmaxInput(call);
        if (!x) return failureOf(x);
        std::vector<NamedTensor> outputs;
        outputs.push_back({"out", Tensor(DType::Fp32, x->shape)});
        DeviceCall device;
        const auto* const from = static_cast<const float*>(device.upload(*x));
        auto* const to = device.allocate<float>(x->elements());
        if (to != nullptr)
            device.launch("launching a log-softmax kernel", [&](const LaunchOptions& options) {
                return launchLogSoftmax(from, x->shape[0], x->shape[1], to, options);
            });
        return finished(device, std::move(outputs), {to});
    }
};

class CudaSiluMul final : public DeviceProgram {
public:
    CudaSiluMul() : DeviceProgram("cuda:silu_mul.fused", "silu_mul", "silu_mul.fused", kVersion) {}

    [[nodiscard]] Result<std::vector<NamedTensor>> run(const OperationCall& call, const RunOptions&) const override {
        const auto x = requireSiluMulInput(call);
        if (!x) return failureOf(x);
        std::vector<NamedTensor> outputs;
        outputs.push_back({"out", Tensor(DType::Bf16, {x->shape[0], x->shape[1] / 2})});
        DeviceCall device;
        const void* const from = device.upload(*x);
        void* const to = device.allocate(outputs[0].tensor.bytes().size());
        if (to != nullptr)
            device.launch("launching a SiLU kernel", [&](const LaunchOptions& options) {
                return launchSiluMul(from, x->shape[0], x->shape[1] / 2, to, options);
            });
        return finished(device, std::move(outputs), {to});
    }
};

class CudaLoraFold final : public DeviceProgram {
public:
    CudaLoraFold() : DeviceProgram("cuda:lora.fold", "lora_fold", "lora.fold", kVersion) {}

    [[nodiscard]] std::vector<std::string_view> batchInputs() const override { return {"W", "B"}; }

    [[nodiscard]] Result<std::vector<NamedTensor>> run(const OperationCall& call, const RunOptions&) const override {
        const auto inputs = requireLoraFoldInputs(call);
        if (!inputs) return failureOf(inputs);
        std::vector<NamedTensor> outputs = loraFoldOutputs(*inputs);
        DeviceCall device;
        const void* const weight = device.upload(inputs->weight);
        const float* const a = device.upload(std::span<const float>(inputs->a));
        const float* const b = device.upload(std::span<const float>(inputs->b));
        auto* const delta = device.allocate<float>(inputs->rows() * inputs->columns());
        void* const folded = device.allocate(outputs[1].tensor.bytes().size());
        if (folded != nullptr)
            device.launch("launching a LoRA fold", [&](const LaunchOptions& options) {
                return launchLoraFold(weight, a, b, inputs->rows(), inputs->columns(), inputs->rank, inputs->scaling,
                                      delta, folded, options);
            });
        return finished(device, std::move(outputs), {delta, folded});
    }
};

}  // namespace

void addProjectionPrograms(ProgramList& programs) {
    for (const std::string_view name : {"gemm.bf16", "gemm.bf16.fp32_out", "gemm.bf16.bias_after_cast", "gemm.fp16"}) {
        const NamedGemm& gemm = *findGemm(name);
        programs.push_back(std::make_unique<CudaGemm>(gemm, nullptr));
        const bool bf16 = gemm.arithmetic.operand == GemmOperand::Bf16;
        for (const OwnGemm& own : ownGemms())
            if (bf16 || !own.bf16Only) programs.push_back(std::make_unique<CudaGemm>(gemm, &own));
    }
    programs.push_back(std::make_unique<CudaGemm>(*findGemm("gemm.fp32"), nullptr));
    addLibraryPrograms(programs);
    for (const std::string_view name : {"gemm.bf16", "gemm.fp16", "gemm.fp32"})
        programs.push_back(std::make_unique<CudaBmm>(*findGemm(name)));
    programs.push_back(std::make_unique<CudaHead>("cuda:head.v2", "head.v2", HeadRoute::Suited));
    programs.push_back(std::make_unique<CudaHead>("cuda:head.v2.mma", "head.v2", HeadRoute::Mma));
    programs.push_back(std::make_unique<CudaHead>("cuda:head.v2.wide64", "head.v2", HeadRoute::Wide64));
    programs.push_back(std::make_unique<CudaHead>("cuda:head.v2.wide128", "head.v2", HeadRoute::Wide128));
    programs.push_back(std::make_unique<CudaHead>("cuda:head.v2.from_logits", "head.v2", HeadRoute::FromLogits));
    programs.push_back(std::make_unique<CudaHead>("cuda:head.v1", "head.v1", HeadRoute::Chunks));
    programs.push_back(std::make_unique<CudaLogSoftmax>());
    programs.push_back(std::make_unique<CudaSiluMul>());
    programs.push_back(std::make_unique<CudaLoraFold>());
    addAttentionPrograms(programs);
    addRopePrograms(programs);
}

}  // namespace isobit::cuda
