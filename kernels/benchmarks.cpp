// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/benchmarks.h"

#include <algorithm>
#include <memory>

#include "core/arithmetic/norm_arithmetic.h"
#include "core/silicon/silicon_table.h"
#include "core/sweep/timing_report.h"
#include "kernels/attention_benchmarks.h"
#include "kernels/device.h"
#include "kernels/device_call.h"
#include "kernels/head_buffers.h"
#include "kernels/norm.h"
#include "kernels/norm_buffers.h"
#include "kernels/rope_launch.h"
#include "kernels/silicon_launch.h"
#include "kernels/timing.h"

namespace isobit::cuda {
namespace {

constexpr double kGiga = 1e9;
constexpr double kMega = 1e6;

/// A graph of calls a pass, the faster of two replays: the first one also loads the graph.
BenchmarkPass timedCalls(LaunchCall launch, int calls, double workACall) {
    return [launch = std::move(launch), calls, workACall]() -> Result<BenchmarkWork> {
        const auto samples = timeHot(launch, {.warmups = 1, .calls = calls, .replays = 2});
        if (!samples) return failureOf(samples);
        return BenchmarkWork(workACall * calls, samples->minimumUs() * 1e-6 * calls);
    };
}

Result<std::shared_ptr<NormBuffers>> buffersFor(std::int64_t rows, std::int64_t columns) {
    const GeneratedInput matrix{.generator = "bf16", .shape = {rows, columns}, .exponentLo = 118, .exponentHi = 127};
    GeneratedInput residual = matrix, weight = matrix;
    residual.seed = 1;
    weight.seed = 2;
    weight.shape = {columns};
    auto buffers = NormBuffers::create(matrix, residual, weight);
    if (!buffers) return failureOf(buffers);
    return std::make_shared<NormBuffers>(std::move(*buffers));
}

/// norm.v2 with residual as the frozen rule dispatches it.
Result<BenchmarkPass> normPass(std::int64_t rows, std::int64_t columns, int calls, double workACall) {
    const auto info = discoverDevice();
    if (!info) return failureOf(info);
    const auto buffers = buffersFor(rows, columns);
    if (!buffers) return failureOf(buffers);
    const NormArguments a = (*buffers)->arguments();
    const NormDevice device{info->multiprocessors, info->l2Bytes};
    const auto plan = planNorm(dispatchedNorm(a, device), a, device);
    if (!plan) return failureOf(plan);
    auto scratch = DeviceBuffer::allocate(plan->scratchBytes);
    if (!scratch) return failureOf(scratch);
    const auto partials = std::make_shared<DeviceBuffer>(std::move(*scratch));
    return timedCalls([buffers = *buffers, plan = *plan, a, partials](
                          const LaunchOptions& options) { return launchNorm(plan, a, partials->data(), options); },
                      calls, workACall);
}

constexpr std::int64_t kRows = 512, kColumns = 4096;  // those of the CPU model's benchmark

Result<BenchmarkPass> prepareNorm() { return normPass(kRows, kColumns, 100, kRows * kColumns / kGiga); }
Result<BenchmarkPass> prepareManyRows() { return normPass(2048, 16384, 20, bytesMoved(2048, 16384) / kGiga); }
Result<BenchmarkPass> prepareFewRows() { return normPass(8, 7168, 200, 1 / kMega); }
Result<BenchmarkPass> prepareOneRow() { return normPass(1, 16384, 200, 1 / kMega); }

Result<BenchmarkPass> prepareFamily2() {
    const auto info = discoverDevice();
    if (!info) return failureOf(info);
    const auto buffers = buffersFor(kRows, kColumns);
    if (!buffers) return failureOf(buffers);
    const int width = findNorm("norm.v1.family2")->arithmetic.reduction.vectorWidthFor(kColumns);
    const LaunchCall launch = [buffers = *buffers, a = (*buffers)->arguments(), width](const LaunchOptions& options) {
        return checked(launchV1Norm(a, V1Family::ReciprocalSquareRoot, width, options), "launching a norm kernel");
    };
    return timedCalls(launch, 100, kRows * kColumns / kGiga);
}

/// Query heads of a packed projection, normalised where they lie.
Result<BenchmarkPass> prepareQkNorm() {
    constexpr std::int64_t kTokens = 4096, kHeads = 32, kHeadDim = 128, kProjection = 6144;
    const auto info = discoverDevice();
    if (!info) return failureOf(info);
    const auto buffers = buffersFor(kTokens, kProjection);
    if (!buffers) return failureOf(buffers);
    NormArguments a = (*buffers)->arguments();
    a.out = (*buffers)->x.data();
    a.residual = nullptr;
    a.residualOut = nullptr;
    a.rows = kTokens * kHeads;
    a.columns = kHeadDim;
    const auto plan = planQkNorm(a, kHeads);
    if (!plan) return failureOf(plan);
    const LaunchCall launch = [buffers = *buffers, plan = *plan, a](const LaunchOptions& options) {
        return launchNorm(plan, a, nullptr, options);
    };
    return timedCalls(launch, 100, kTokens * kHeads * kHeadDim / kGiga);
}

// A head over a vocabulary of 128,256 tokens, statistics in the product's epilogue, merge included.

constexpr std::int64_t kVocabulary = 128256, kHeadDepth = 3840;

template <std::int64_t kHeadRows>
Result<BenchmarkPass> prepareHead() {
    const auto info = discoverDevice();
    if (!info) return failureOf(info);
    const auto buffers = HeadBuffers::create(
        {.generator = "bf16", .shape = {kHeadRows, kHeadDepth}, .exponentLo = 119, .exponentHi = 127},
        {.generator = "bf16", .shape = {kVocabulary, kHeadDepth}, .seed = 1, .exponentLo = 114, .exponentHi = 121},
        {.generator = "index", .shape = {kHeadRows}, .seed = 2, .modulus = kVocabulary});
    if (!buffers) return failureOf(buffers);
    const LaunchCall launch = [buffers = *buffers](const LaunchOptions& options) {
        return launchHead(buffers->arguments, options);
    };
    return timedCalls(launch, 10, 1.0);
}

// Queries of 32 heads of 128 in 8,192 tokens: what is moved is x once each way and the table.

constexpr std::int64_t kRopeTokens = 8192, kRopeHeads = 32, kRopeSize = 128;

struct RopeBuffers {
    DeviceCall device;
    RopeArguments arguments;
};

template <RopeChain chain, bool interleaved, bool inPlace>
Result<BenchmarkPass> prepareRope() {
    const auto info = discoverDevice();
    if (!info) return failureOf(info);
    const GeneratedInput heads{.generator = "bf16",
                               .shape = {kRopeTokens, kRopeHeads * kRopeSize},
                               .seed = 1,
                               .exponentLo = 118,
                               .exponentHi = 127};
    const GeneratedInput angles{
        .generator = "fp32", .shape = {kRopeTokens, kRopeSize / 2}, .seed = 2, .exponentLo = 118, .exponentHi = 126};
    const auto x = generateInput(heads);
    if (!x) return failureOf(x);
    const auto table = generateInput(angles);
    if (!table) return failureOf(table);
    auto buffers = std::make_shared<RopeBuffers>();
    RopeArguments& p = buffers->arguments;
    void* const words = buffers->device.upload(x->view());
    p.x = words;
    p.out = inPlace ? words : buffers->device.allocate(x->bytes().size());
    p.cosine = static_cast<const float*>(buffers->device.upload(table->view()));
    p.sine = static_cast<const float*>(buffers->device.upload(table->view()));
    p.tokens = kRopeTokens;
    p.heads = kRopeHeads;
    p.headSize = p.rotarySize = p.xHeadStride = p.outHeadStride = kRopeSize;
    p.xTokenStride = p.outTokenStride = kRopeHeads * kRopeSize;
    p.chain = chain;
    p.interleaved = interleaved;
    if (const auto done = buffers->device.finish("copying the operands"); !done) return failureOf(done);
    constexpr double kBytes = kRopeTokens * (kRopeHeads * kRopeSize * 4.0 + kRopeSize * 4.0);
    return timedCalls(
        [buffers](const LaunchOptions& options) {
            return checked(launchRope(buffers->arguments, options), "launching RoPE");
        },
        20, kBytes / kGiga);
}

// Attention: a prefill, the same work whatever the size of its heads, a chunk of one, and decode steps.
template <int kHeadSize>
Result<BenchmarkPass> preparePrefill() {
    constexpr std::int64_t kHeads = 2048 / kHeadSize;
    return prepareAttention(
        {.requests = 2, .queries = 8192, .keys = 8192, .queryHeads = kHeads, .kvHeads = kHeads, .headSize = kHeadSize},
        5);
}
Result<BenchmarkPass> preparePrefillChunk() {
    return prepareAttention({.requests = 2, .queries = 512, .keys = 8192}, 20);
}
template <int kPageSize>
Result<BenchmarkPass> prepareDecode() {
    return prepareAttention({.requests = 64, .keys = 4096, .queryHeads = 32, .kvHeads = 8, .pageSize = kPageSize}, 20);
}
Result<BenchmarkPass> prepareOneDecode() {
    return prepareAttention({.keys = 8192, .queryHeads = 32, .kvHeads = 8}, 50);
}
Result<BenchmarkPass> prepareSplitDecode() {
    return prepareAttention({.keys = 8192, .queryHeads = 32, .kvHeads = 8, .arithmetic = "attention.split_512"}, 50);
}

Result<BenchmarkPass> prepareCopy() {
    const auto info = discoverDevice();
    if (!info) return failureOf(info);
    if (const auto raised = raiseClocks(); !raised) return failureOf(raised);
    return []() -> Result<BenchmarkWork> {
        const auto bandwidth = measureCopyBandwidth();
        if (!bandwidth) return failureOf(bandwidth);
        return BenchmarkWork(*bandwidth / kGiga, 1.0);
    };
}

Result<BenchmarkPass> prepareApproximation() {
    const auto info = discoverDevice();
    if (!info) return failureOf(info);
    const auto& table = embeddedSm90Table();
    if (!table) return failureOf(table);
    return [&tables = table->tables]() -> Result<BenchmarkWork> {
        DeviceCheck found;
        if (const char* problem = verifyFunction(tables, SiliconFunction::Rsqrt, true, found); problem != nullptr)
            return failure("rsqrt.approx.ftz on the device: {}", problem);
        return BenchmarkWork(static_cast<double>(found.inputs) / kGiga);
    };
}

Result<BenchmarkPass> prepareTensorStep() {
    constexpr std::uint64_t kSteps = std::uint64_t{1} << 26;
    constexpr double kProducts = 16;
    const auto info = discoverDevice();
    if (!info) return failureOf(info);
    return []() -> Result<BenchmarkWork> {
        DeviceCheck found;
        TensorMismatch mismatch;
        if (const char* problem = verifyMma(TensorKind::Bf16, OperandClass::Ordinary, kSteps, found, mismatch);
            problem != nullptr)
            return failure("bf16 tensor-core steps on the device: {}", problem);
        return BenchmarkWork(kProducts * static_cast<double>(found.inputs) / kGiga);
    };
}

}  // namespace

std::span<const Benchmark> benchmarks() {
    // To add one: a function that prepares its pass, and one line here.
    static constexpr Benchmark list[] = {
        {"copy", "GB/s", "the runtime's copy between two blocks of 2 GiB, bytes of both sides, events", prepareCopy},
        {"norm.v2", "G elements/s",
         "norm.v2 with residual as dispatched, 512 rows of 4096 bf16 elements, graph of 100 calls, hot cache",
         prepareNorm},
        {"norm.v2.many_rows", "GB/s",
         "the same, 2048 rows of 16384: 8 bytes an element and the weight, graph of 20 calls", prepareManyRows},
        {"norm.v2.few_rows", "M calls/s", "the same, 8 rows of 7168, graph of 200 calls", prepareFewRows},
        {"norm.v2.one_row", "M calls/s", "the same, one row of 16384, graph of 200 calls", prepareOneRow},
        {"norm.v1.family2", "G elements/s", "norm.v1.family2 with residual, 512 rows of 4096, graph of 100 calls",
         prepareFamily2},
        {"qk_norm.v2", "G elements/s",
         "norm.v2 of 32 heads of 128 in 4096 rows of a packed projection 6144 wide, in place, graph of 100 calls",
         prepareQkNorm},
        {"lm_head.v2.m1", "calls/s",
         "head.v2, 1 row over 128,256 tokens, K 3840, no logits in memory, graph of 10 calls", prepareHead<1>},
        {"lm_head.v2.m8", "calls/s", "the same, 8 rows", prepareHead<8>},
        {"lm_head.v2.m64", "calls/s", "the same, 64 rows", prepareHead<64>},
        {"lm_head.v2.m256", "calls/s", "the same, 256 rows", prepareHead<256>},
        {"lm_head.v2.m1024", "calls/s", "the same, 1024 rows", prepareHead<1024>},
        {"rope.class_a", "GB/s", "half-split, 8192 tokens, 32 heads of 128, graph of 20 calls",
         prepareRope<RopeChain::ClassA, false, false>},
        {"rope.class_b", "GB/s", "the same", prepareRope<RopeChain::ClassB, false, false>},
        {"rope.class_b.in_place", "GB/s", "the same, rotated where it lies",
         prepareRope<RopeChain::ClassB, false, true>},
        {"rope.class_b.interleaved", "GB/s", "pairs side by side", prepareRope<RopeChain::ClassB, true, false>},
        {"attention.prefill", "calls/s",
         "attention.local, 2 requests of 8192 tokens, 16 heads of 128, causal, graph of 5 calls", preparePrefill<128>},
        {"attention.prefill.head64", "calls/s", "the same with 32 heads of 64", preparePrefill<64>},
        {"attention.prefill.head256", "calls/s", "the same with 8 heads of 256", preparePrefill<256>},
        {"attention.chunk", "calls/s", "the last 512 tokens of each request, 16 heads of 128, graph of 20 calls",
         preparePrefillChunk},
        {"attention.decode", "calls/s",
         "attention.local, one query of 64 requests of 4096 tokens, 32 heads on 8, graph of 20 calls",
         prepareDecode<0>},
        {"attention.decode.page1", "calls/s", "the same, pages of one token", prepareDecode<1>},
        {"attention.decode.page16", "calls/s", "the same, pages of 16 tokens", prepareDecode<16>},
        {"attention.decode.one", "calls/s", "one query of one request of 8192 tokens, graph of 50 calls",
         prepareOneDecode},
        {"attention.decode.one.split_512", "calls/s", "the same in ranges of 512 keys, merge included",
         prepareSplitDecode},
        {"silicon.rsqrt", "G operands/s",
         "rsqrt.approx.ftz and its model on all 2^32 operands, compared on the device, wall clock",
         prepareApproximation},
        {"silicon.tensor_step", "G multiply-accumulates/s",
         "2^26 bf16 steps by mma.sync and by the model, compared on the device, wall clock", prepareTensorStep},
    };
    return list;
}

}  // namespace isobit::cuda
