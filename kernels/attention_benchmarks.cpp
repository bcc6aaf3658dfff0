// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/attention_benchmarks.h"

#include <memory>

#include "core/programs/input_generator.h"
#include "kernels/attention_program.h"
#include "kernels/device.h"
#include "kernels/timing.h"

namespace isobit::cuda {
namespace {

Result<std::unique_ptr<DeviceAttention>> deviceCall(const AttentionShape& shape) {
    const auto draw = [&](std::int64_t tokens, std::int64_t heads, std::uint64_t seed) {
        return generateInput({.generator = "bf16",
                              .shape = {shape.requests, tokens, heads, shape.headSize},
                              .seed = seed,
                              .exponentLo = 119,
                              .exponentHi = 127});
    };
    const auto q = draw(shape.queries, shape.queryHeads, 0);
    if (!q) return failureOf(q);
    const auto k = draw(shape.keys, shape.kvHeads, 1);
    if (!k) return failureOf(k);
    const auto v = draw(shape.keys, shape.kvHeads, 2);
    if (!v) return failureOf(v);
    OperationCall call{"attention", {{"q", q->view()}, {"k", k->view()}, {"v", v->view()}}, {}};
    if (shape.pageSize != 0) call.parameters["page_size"] = static_cast<double>(shape.pageSize);
    const auto inputs = requireAttentionInputs(call);
    if (!inputs) return failureOf(inputs);
    const AttentionArithmetic& arithmetic = findAttention(shape.arithmetic)->arithmetic;
    if (shape.pageSize == 0) return DeviceAttention::create(arithmetic, *inputs, AttentionRoute::OnePiece);
    const PagedKv paged = pagedKvOf(*inputs);
    return DeviceAttention::create(arithmetic, onPages(*inputs, paged), AttentionRoute::OnePiece);
}

}  // namespace

Result<BenchmarkPass> prepareAttention(const AttentionShape& shape, int calls) {
    const auto info = discoverDevice();
    if (!info) return failureOf(info);
    auto device = deviceCall(shape);
    if (!device) return failureOf(device);
    std::shared_ptr<DeviceAttention> shared = std::move(*device);
    return [shared, calls]() -> Result<BenchmarkWork> {
        const LaunchCall launch = [&](const LaunchOptions& options) {
            return shared->launch(AttentionKernel::Suitable, options);
        };
        const auto samples = timeHot(launch, {.warmups = 1, .calls = calls, .replays = 2});
        if (!samples) return failureOf(samples);
        return BenchmarkWork(calls, samples->minimumUs() * 1e-6 * calls);
    };
}

}  // namespace isobit::cuda
