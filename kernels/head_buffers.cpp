// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/head_buffers.h"

namespace isobit::cuda {

Result<std::shared_ptr<HeadBuffers>> HeadBuffers::create(const GeneratedInput& hidden, const GeneratedInput& weight,
                                                         const GeneratedInput& ids) {
    if (hidden.shape.size() != 2 || weight.shape.size() != 2 || hidden.shape[1] != weight.shape[1] ||
        ids.shape != std::vector<std::int64_t>{hidden.shape[0]})
        return failure("a head needs hidden [M, K], weight [V, K] and ids [M]");
    const auto h = generateInput(hidden);
    if (!h) return failureOf(h);
    const auto w = generateInput(weight);
    if (!w) return failureOf(w);
    const auto tokens = generateInput(ids);
    if (!tokens) return failureOf(tokens);
    auto buffers = std::make_shared<HeadBuffers>();
    DeviceCall& device = buffers->device;
    HeadArguments& p = buffers->arguments;
    p.product.a = device.upload(h->view());
    p.product.b = device.upload(w->view());
    p.product.rows = hidden.shape[0];
    p.product.columns = weight.shape[0];
    p.product.depth = p.product.aRowStride = p.product.bColumnStride = hidden.shape[1];
    p.product.bDepthStride = 1;
    p.ids = static_cast<const std::int64_t*>(device.upload(tokens->view()));
    p.tiles = (p.product.columns + kHeadTile - 1) / kHeadTile;
    allocateHeadResults(device, p);
    if (const auto done = device.finish("copying the operands"); !done) return failureOf(done);
    return buffers;
}

void allocateHeadResults(DeviceCall& device, HeadArguments& p) {
    const std::int64_t rows = p.product.rows;
    p.maxima = device.allocate<float>(rows * p.tiles);
    p.sums = device.allocate<float>(rows * p.tiles);
    p.selected = device.allocate<float>(rows);
    p.lse = device.allocate<float>(rows);
    p.logprob = device.allocate<float>(rows);
}

Result<void> launchHead(const HeadArguments& arguments, const LaunchOptions& options) {
    if (auto done = checked(launchHeadTiles(arguments, options), "launching a head kernel"); !done) return done;
    return checked(launchHeadMerge(arguments, options), "launching a head's merge");
}

}  // namespace isobit::cuda
