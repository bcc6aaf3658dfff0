// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/library_gemm.h"

#include <algorithm>

#include "core/base/parallel.h"
#include "kernels/device_call.h"

namespace isobit::cuda {
namespace {

std::int64_t filledTo(std::int64_t each, std::int64_t size) { return (size + each - 1) / each * each; }

// Lines of elements with any strides, one after the other with zeros behind them.
std::vector<std::uint16_t> packLines(const TensorView& view, int lineDimension, std::int64_t lines, std::int64_t depth,
                                     unsigned threads) {
    const std::int64_t known = view.shape[lineDimension];
    const std::int64_t length = view.shape[1 - lineDimension];
    const std::int64_t lineStride = view.strides[lineDimension];
    const std::int64_t stride = view.strides[1 - lineDimension];
    std::vector<std::uint16_t> packed(static_cast<std::size_t>(lines * depth));
    // Bands of lines: where neighbouring lines are neighbours in memory, a band's words share cache lines.
    constexpr std::int64_t kBand = 32;
    const auto* const from = view.as<std::uint16_t>();
    parallelFor(static_cast<std::size_t>((known + kBand - 1) / kBand), threads, [&](std::size_t band) {
        const std::int64_t first = static_cast<std::int64_t>(band) * kBand;
        const std::int64_t last = std::min(known, first + kBand);
        for (std::int64_t k = 0; k < length; ++k)
            for (std::int64_t line = first; line < last; ++line)
                packed[static_cast<std::size_t>(line * depth + k)] = from[line * lineStride + k * stride];
    });
    return packed;
}

}  // namespace

PackedGemm packGemm(const GemmInputs& inputs, unsigned threads) {
    PackedGemm packed{.rows = inputs.rows(),
                      .columns = filledTo(8, inputs.columns()),
                      .depth = filledTo(kLibraryDepth, inputs.depth())};
    packed.a = packLines(inputs.a, 0, packed.rows, packed.depth, threads);
    packed.weight = packLines(inputs.b, 1, packed.columns, packed.depth, threads);
    return packed;
}

Result<void> runLibraryGemm(const std::shared_ptr<const CublasLt>& library, const PackedGemm& packed,
                            const LtChoice& choose, std::int64_t columns, std::uint16_t* out) {
    if (packed.rows == 0 || columns == 0) return {};
    const auto product = LtProduct::create(library, packed.rows, packed.columns, packed.depth, GemmOutputType::Bf16);
    if (!product) return failureOf(product);
    const auto algorithm = choose(*product);
    if (!algorithm) return failureOf(algorithm);
    std::vector<std::uint16_t> words(static_cast<std::size_t>(packed.rows * packed.columns));
    const std::size_t bytes = words.size() * sizeof(std::uint16_t);
    DeviceCall device;
    const void* const a = device.upload(std::span<const std::uint16_t>(packed.a));
    const void* const weight = device.upload(std::span<const std::uint16_t>(packed.weight));
    void* const result = device.allocate(bytes);
    void* const workspace = device.allocate(algorithm->workspace);
    if (!device.failed())
        if (auto ran = product->run(*algorithm, a, weight, result, workspace, device.options().stream); !ran)
            return ran;
    device.download(words.data(), result, bytes);
    if (auto done = device.finish("running a library's product"); !done) return done;
    for (std::int64_t row = 0; row < packed.rows; ++row)
        std::copy_n(words.data() + row * packed.columns, columns, out + row * columns);
    return {};
}

LtAlgorithm algorithmOf(const AdmittedAlgorithm& admitted) {
    LtAlgorithm algorithm;
    algorithm.words = admitted.words;
    algorithm.workspace = admitted.workspace;
    algorithm.id = static_cast<std::int32_t>(admitted.id);
    algorithm.tile = static_cast<std::uint32_t>(admitted.tile);
    algorithm.stages = static_cast<std::uint32_t>(admitted.stages);
    algorithm.splitK = static_cast<std::uint32_t>(admitted.splitK);
    algorithm.reduction = static_cast<std::uint32_t>(admitted.reduction);
    algorithm.swizzle = static_cast<std::uint32_t>(admitted.swizzle);
    algorithm.custom = static_cast<std::uint32_t>(admitted.custom);
    algorithm.inner = static_cast<std::uint16_t>(admitted.inner);
    algorithm.cluster = static_cast<std::uint16_t>(admitted.cluster);
    return algorithm;
}

}  // namespace isobit::cuda
