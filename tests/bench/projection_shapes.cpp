// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0

// projection_shapes gemm | head | rows
// Launches every projection kernel on shapes small enough for a checker that slows it a thousandfold, and large enough
// for its ring to wrap, its tiles to be ragged and its clusters to share:
//   compute-sanitizer --tool memcheck|racecheck|synccheck|initcheck projection_shapes gemm
// It says which launch failed; words are compared by `isobit agree`. Not a test: it needs a Hopper GPU.
#include <fmt/format.h>

#include <array>
#include <string_view>
#include <vector>

#include "kernels/device_call.h"
#include "kernels/head_launch.h"
#include "kernels/own_gemms.h"

using namespace isobit;
using namespace isobit::cuda;

namespace {

struct Product {
    std::int64_t rows, columns, depth;
};

class Shapes {
public:
    void gemms() {
        for (const Product shape : {Product{3, 72, 136}, {70, 200, 392}, {130, 520, 392}, {150, 17, 51}}) {
            GemmArguments p = product(shape);
            p.out = floats(p.rows * p.columns);
            p.outStride = p.columns;
            const float* const bias = floats(p.columns);
            for (const OwnGemm& own : ownGemms()) {
                if (!own.admits(p)) continue;
                launch(own.launch(p, m_device.options()), own.name);
                p.bias = bias;
                launch(own.launch(p, m_device.options()), own.name);
                p.bias = nullptr;
                p.output = GemmOutputType::Fp32;
                launch(own.launch(p, m_device.options()), own.name);
                p.output = GemmOutputType::Bf16;
            }
        }
        batches();
    }

    void heads() {
        for (const Product shape :
             {Product{3, 600, 384}, {65, 600, 392}, {130, 300, 72}, {256, 17200, 72}, {9, 300, 51}})
            for (const bool temperature : {false, true})
                for (const bool logits : {false, true}) head(shape, temperature, logits);
    }

    void rows() {
        constexpr std::int64_t kRows = 5, kColumns = 300;
        const float* const x = floats(kRows * kColumns);
        float* const out = floats(kRows * kColumns);
        void* const folded = words(kRows * kColumns);
        const void* const weight = words(kRows * 2 * kColumns);
        launch(launchLogSoftmax(x, kRows, kColumns, out, m_device.options()), "log_softmax");
        launch(launchSiluMul(weight, kRows, kColumns, folded, m_device.options()), "silu_mul");
        for (const std::int64_t rank : {1, 7, 16, 64, 128})
            launch(launchLoraFold(weight, floats(rank * kColumns), floats(kRows * rank), kRows, kColumns, rank, 0.66f,
                                  out, folded, m_device.options()),
                   "lora_fold");
    }

    /// 0: every launch succeeded.
    [[nodiscard]] int result() {
        const auto done = m_device.finish("running the kernels");
        if (!done) fmt::print("{}\n", done.error().message);
        return done ? 0 : 1;
    }

private:
    void launch(CudaStatus status, std::string_view kernel) {
        m_device.launched(status, fmt::format("launching {}", kernel));
    }

    void* words(std::int64_t count) {
        std::vector<std::uint16_t> host(static_cast<std::size_t>(count));
        for (std::size_t i = 0; i < host.size(); ++i)
            host[i] = static_cast<std::uint16_t>((i % 3 == 0 ? 0x3F00 : 0xBC00) + i * 7919 % 97);
        return m_device.upload(std::span<const std::uint16_t>(host));
    }
    float* floats(std::int64_t count) {
        const std::vector<float> host(static_cast<std::size_t>(count), 0.5f);
        return const_cast<float*>(m_device.upload(std::span<const float>(host)));
    }

    GemmArguments product(Product shape) {
        GemmArguments p;
        p.a = words(shape.rows * shape.depth);
        p.b = words(shape.columns * shape.depth);
        p.rows = shape.rows;
        p.columns = shape.columns;
        p.depth = p.aRowStride = p.bColumnStride = shape.depth;
        p.bDepthStride = 1;
        return p;
    }

    void batches() {
        constexpr std::int64_t kBatches = 3;
        GemmArguments p = product({20 * kBatches, 24 * kBatches, 40});
        p.rows = 20;
        p.columns = p.outStride = 24;
        p.batches = kBatches;
        p.aBatchStride = p.rows * p.depth;
        p.bBatchStride = p.columns * p.depth;
        p.outBatchStride = p.rows * p.columns;
        p.out = floats(kBatches * p.outBatchStride);
        for (const int tileRows : {16, 32, 64, 128}) launch(launchMmaGemm(p, tileRows, m_device.options()), "bmm");
        p.input = GemmInputType::Fp32;
        p.output = GemmOutputType::Fp32;
        p.a = floats(kBatches * p.aBatchStride);
        p.b = floats(kBatches * p.bBatchStride);
        launch(launchTf32Gemm(p, m_device.options()), "bmm of FP32");
    }

    void head(Product shape, bool temperature, bool logits) {
        HeadArguments p;
        p.product = product(shape);
        p.product.outStride = shape.columns;
        p.product.output = GemmOutputType::Fp32;
        p.tiles = (shape.columns + kHeadTile - 1) / kHeadTile;
        std::vector<std::int64_t> ids(static_cast<std::size_t>(shape.rows));
        for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<std::int64_t>(i) * 37 % shape.columns;
        p.ids = m_device.upload(std::span<const std::int64_t>(ids));
        if (temperature) p.temperature = floats(shape.rows);
        if (logits) p.product.out = floats(shape.rows * shape.columns);
        p.maxima = floats(shape.rows * p.tiles);
        p.sums = floats(shape.rows * p.tiles);
        p.selected = floats(shape.rows);
        p.lse = floats(shape.rows);
        p.logprob = floats(shape.rows);
        const LaunchOptions options = m_device.options();
        launch(launchHeadTiles(p, options), "the head's tiles");
        launch(launchHeadMerge(p, options), "the head's merge");
        if (shape.rows < 200) launch(launchMmaHeadTiles(p, options), "the head's tiles by mma.sync");
        if (logits) launch(launchHeadFromLogits(p, options), "the head from logits");
        if (!wideAdmits(p.product)) return;
        for (const int tileRows : {64, 128}) launch(launchWideHeadTiles(p, tileRows, options), "the head's wide tiles");
    }

    DeviceCall m_device;
};

}  // namespace

int main(int argc, char** argv) {
    const std::string_view what = argc == 2 ? argv[1] : "";
    Shapes shapes;
    if (what == "gemm")
        shapes.gemms();
    else if (what == "head")
        shapes.heads();
    else if (what == "rows")
        shapes.rows();
    else
        return fmt::print("projection_shapes gemm | head | rows\n"), 2;
    return shapes.result();
}
