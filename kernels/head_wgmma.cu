// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/approximations.cuh"
#include "kernels/head_launch.h"
#include "kernels/tensor_map.h"
#include "kernels/wide_launch.cuh"

namespace isobit::cuda {
namespace {

constexpr unsigned kWholeWarp = 0xFFFFFFFFu;
constexpr int kLaneSums = kHeadTile / 2;  // of two rows
constexpr int kGroups = kHeadTile / 8;    // eight columns, two in each lane of a quad

__device__ float negativeInfinity() { return __uint_as_float(0xFF800000u); }

// expApprox is EX2 of this.
__device__ float exponentIn2(float x) { return __fmul_rn(x, __uint_as_float(0x3FB8AA3Bu)); }

// expApprox where the result is no subnormal number (exponentIn2(x) >= kLeastNormal, or NaN): there the flushing form,
// one instruction, gives the same word.
constexpr float kLeastNormal = -126.0f;
__device__ float expNormal(float x) {
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(exponentIn2(x)));
    return y;
}

__device__ float quadMaximum(float value) {
    value = maxIgnoringNan(value, __shfl_xor_sync(kWholeWarp, value, 1));
    return maxIgnoringNan(value, __shfl_xor_sync(kWholeWarp, value, 2));
}

// One level of the tree between two lanes, and half of the sums stays in each: the lanes' bit `distance` says which.
template <int kKept>
__device__ void addAndShare(float (&sums)[kGroups], int distance) {
    const bool upper = (threadIdx.x & distance) != 0;
#pragma unroll
    for (int i = 0; i < kKept; ++i) {
        const float kept = upper ? sums[kKept + i] : sums[i];
        const float given = upper ? sums[i] : sums[kKept + i];
        sums[i] = __fadd_rn(kept, __shfl_xor_sync(kWholeWarp, given, distance));
    }
}

// lm_head.md 2.1 step 5 over a quad's 256 columns: pairs lie in a lane, groups of four and eight in neighbours. Those
// two levels leave eight adjacent groups in each lane, so that three levels more need no exchange.
__device__ float treeSum(float (&sums)[kGroups]) {
    addAndShare<kGroups / 2>(sums, 1);
    addAndShare<kGroups / 4>(sums, 2);
#pragma unroll
    for (int pairs = kGroups / 8; pairs > 0; pairs /= 2)
#pragma unroll
        for (int i = 0; i < kGroups / 8; ++i)
            if (i < pairs) sums[i] = __fadd_rn(sums[2 * i], sums[2 * i + 1]);
    const float sum = __fadd_rn(sums[0], __shfl_xor_sync(kWholeWarp, sums[0], 2));
    return __fadd_rn(sum, __shfl_xor_sync(kWholeWarp, sum, 1));
}

// What a quad does with one row of a tile, of which a lane holds columns first + 8 j and the next ones.
struct HeadRow {
    const HeadArguments& p;
    std::int64_t row;
    std::int64_t tile;
    int half;           // which of the lane's two rows
    std::int64_t id;    // the row's, or -1
    float temperature;  // the row's

    static __device__ int first() { return static_cast<int>(threadIdx.x) % 4 * 2; }
    [[nodiscard]] __device__ bool exists() const { return row < p.product.rows; }
    // Columns of the vocabulary from this lane's first one on.
    [[nodiscard]] __device__ std::int64_t left() const { return p.product.columns - tile * kHeadTile - first(); }

    // lm_head.md 2.1 and 2.2. kWhole: all 256 columns exist.
    template <bool kWhole, bool kScaled>
    __device__ void statistics(const float (&z)[kLaneSums]) const {
        const std::int64_t columns = left();
        const float inverse = kScaled ? divFull(1.0f, temperature) : 1.0f;
        const auto logit = [&](int j, int i) { return z[j * 4 + half * 2 + i]; };
        const auto scaled = [&](float value) { return kScaled ? __fmul_rn(value, inverse) : value; };

        float maximum = negativeInfinity();
        float least = -negativeInfinity();  // used where the tile is whole and not scaled
#pragma unroll
        for (int j = 0; j < kGroups; ++j)
#pragma unroll
            for (int i = 0; i < 2; ++i) {
                if (kWhole || j * 8 + i < columns) maximum = maxIgnoringNan(maximum, scaled(logit(j, i)));
                least = fminf(least, logit(j, i));
            }
        maximum = quadMaximum(maximum);

        const std::int64_t chosen = id - tile * kHeadTile - first();
        if (chosen >= 0 && chosen < kHeadTile && chosen % 8 < 2 && (kWhole || chosen < columns))
#pragma unroll
            for (int j = 0; j < kGroups; ++j)
#pragma unroll
                for (int i = 0; i < 2; ++i)
                    if (chosen == j * 8 + i) p.selected[row] = scaled(logit(j, i));

        float sums[kGroups];
        const auto exponentials = [&](auto exponential) {
#pragma unroll
            for (int j = 0; j < kGroups; ++j) {
                float e[2];
#pragma unroll
                for (int i = 0; i < 2; ++i) {
                    const float value = logit(j, i);
                    e[i] = exponential(kScaled ? __fmaf_rn(value, inverse, -maximum) : __fsub_rn(value, maximum));
                    if (!kWhole && j * 8 + i >= columns) e[i] = 0.0f;
                }
                sums[j] = __fadd_rn(e[0], e[1]);
            }
        };
        // Arguments fall with the logits, so the least one says whether any result could be subnormal.
        if (kWhole && !kScaled && !__any_sync(kWholeWarp, exponentIn2(__fsub_rn(least, maximum)) < kLeastNormal))
            exponentials([](float x) { return expNormal(x); });
        else
            exponentials([](float x) { return expApprox(x); });
        const float sum = treeSum(sums);
        if (exists() && first() == 0) {
            p.maxima[row * p.tiles + tile] = maximum;
            p.sums[row * p.tiles + tile] = sum;
        }
    }

    template <bool kWhole>
    __device__ void storeLogits(const float (&z)[kLaneSums]) const {
        if (!exists()) return;
        const std::int64_t columns = left();
        float* const out = static_cast<float*>(p.product.out) + row * p.product.outStride + tile * kHeadTile + first();
        const bool pairs = kWhole && reinterpret_cast<std::uintptr_t>(out) % 8 == 0;
#pragma unroll
        for (int j = 0; j < kGroups; ++j) {
            const float a = z[j * 4 + half * 2];
            const float b = z[j * 4 + half * 2 + 1];
            if (pairs) {
                *reinterpret_cast<float2*>(out + j * 8) = make_float2(a, b);
                continue;
            }
            if (kWhole || j * 8 < columns) out[j * 8] = a;
            if (kWhole || j * 8 + 1 < columns) out[j * 8 + 1] = b;
        }
    }
};

class HeadResults {
public:
    explicit __device__ HeadResults(const HeadArguments& arguments) : p(arguments) {}

    // Before the product, which hides the time that these take.
    __device__ void prepare(int firstRow, int /*column*/) {
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            const std::int64_t row = rowOf(firstRow, half);
            const bool exists = row < p.product.rows;
            m_ids[half] = exists && p.ids != nullptr ? p.ids[row] : -1;
            m_temperatures[half] = exists && p.temperature != nullptr ? p.temperature[row] : 1.0f;
        }
    }

    __device__ void finish(const float (&z)[kLaneSums], int firstRow, int column) const {
        if (firstRow >= p.product.rows) return;
        if (column + kHeadTile <= p.product.columns)
            finishTile<true>(z, firstRow, column);
        else
            finishTile<false>(z, firstRow, column);
    }

private:
    static __device__ std::int64_t rowOf(int firstRow, int half) {
        const int thread = static_cast<int>(threadIdx.x) % 128;
        return firstRow + thread / 32 * 16 + thread % 32 / 4 + half * 8;
    }

    template <bool kWhole>
    __device__ void finishTile(const float (&z)[kLaneSums], int firstRow, int column) const {
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            const HeadRow row{p, rowOf(firstRow, half), column / kHeadTile, half, m_ids[half], m_temperatures[half]};
            if (p.product.out != nullptr) row.storeLogits<kWhole>(z);
            if (p.temperature != nullptr)
                row.statistics<kWhole, true>(z);
            else
                row.statistics<kWhole, false>(z);
        }
    }

    const HeadArguments& p;
    std::int64_t m_ids[2];
    float m_temperatures[2];
};

template <class Product>
__global__ void __launch_bounds__(Product::kThreads, 1)
    headWide(const __grid_constant__ CUtensorMap hidden, const __grid_constant__ CUtensorMap weight,
             const __grid_constant__ HeadArguments p, WideWork work) {
    extern __shared__ __align__(1024) unsigned char bytes[];
    const auto shared = static_cast<std::uint32_t>(__cvta_generic_to_shared(bytes));
    HeadResults results(p);
    Product::run(hidden, weight, work, shared, results);
}

template <int kConsumers, int kStages, int kBlocks>
CudaStatus launchTile(const HeadArguments& p, const LaunchOptions& options) {
    using Product = WideProduct<kConsumers, kHeadTile, kStages, kBlocks, 0>;
    const GemmArguments& product = p.product;
    CUtensorMap hidden = {}, weight = {};
    if (const CudaStatus status =
            encodeMap({product.a, product.rows, product.depth, product.aRowStride, Product::kRows}, hidden);
        status != cudaSuccess)
        return status;
    if (const CudaStatus status =
            encodeMap({product.b, product.columns, product.depth, product.bColumnStride, kHeadTile / kBlocks}, weight);
        status != cudaSuccess)
        return status;
    WideWork work;
    unsigned blocks = 0;
    if (const CudaStatus status = planWide<Product>(product, work, blocks); status != cudaSuccess) return status;
    return launchWide<Product>(headWide<Product>, blocks, options, hidden, weight, p, work);
}

}  // namespace

CudaStatus launchWideHeadTiles(const HeadArguments& p, int tileRows, LaunchOptions options) {
    if (p.product.rows == 0) return cudaSuccess;
    if (!wideAdmits(p.product)) return cudaErrorInvalidValue;
    if (tileRows == 64) return launchTile<1, 5, 1>(p, options);
    if (tileRows != 128) return cudaErrorInvalidConfiguration;
    return p.product.rows <= 128 ? launchTile<2, 4, 1>(p, options) : launchTile<2, 4, 2>(p, options);
}

CudaStatus launchHeadTiles(const HeadArguments& p, LaunchOptions options) {
    if (!wideAdmits(p.product)) return launchMmaHeadTiles(p, options);
    return launchWideHeadTiles(p, p.product.rows <= 64 ? 64 : 128, options);
}

}  // namespace isobit::cuda
