// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/attention_device.cuh"
#include "kernels/launch.cuh"

// The ranges of keys of one row meet, ascending; one warp a row. A range in which the row has no weight takes no part.
namespace isobit::cuda {
namespace {

constexpr int kWarps = 4;

struct PartRecord {
    float reference;
    float sum;
};

class Parts {
public:
    __device__ Parts(const AttentionArguments& p, std::int64_t row, int ranges)
        : m_p(p), m_row(row), m_rows(p.queryRows * p.queryHeads), m_ranges(ranges) {}

    __device__ PartRecord record(int range) const {
        const float2 words = *reinterpret_cast<const float2*>(m_p.partRecords + (range * m_rows + m_row) * 2);
        return {words.x, words.y};
    }
    __device__ float2 pair(int range, int column) const {
        return *reinterpret_cast<const float2*>(m_p.partSums + (range * m_rows + m_row) * m_p.headDim + column);
    }
    /// use(range, record) for each that has weight.
    template <class Use>
    __device__ void forEach(Use use) const {
        for (int range = 0; range < m_ranges; ++range)
            if (const PartRecord one = record(range); one.sum != 0.0f) use(range, one);
    }

private:
    const AttentionArguments& m_p;
    std::int64_t m_row;
    std::int64_t m_rows;
    int m_ranges;
};

// A row's outputs, two columns at a time: value(range, record, column) -> weighted into the chain.
struct Weights {
    float reference = 0.0f;  // of GlobalMax; the row's logarithm of LogSumExp
    float sum = 0.0f;
    int parts = 0;
};

__device__ Weights weightsByMaximum(const AttentionArguments& p, const Parts& parts) {
    Weights all;
    all.reference = lowest();
    parts.forEach([&](int, const PartRecord& one) {
        all.reference = maxIgnoringNan(all.reference, one.reference);
        ++all.parts;
    });
    parts.forEach([&](int, const PartRecord& one) {
        const float weight = ex2Flushed(__fmul_rn(__fsub_rn(one.reference, all.reference), p.scaleInBaseTwo));
        all.sum = __fmaf_rn(weight, one.sum, all.sum);
    });
    return all;
}

// EXP of the model with ex2.approx.ftz.
__device__ float natural(float x) { return ex2Flushed(__fmul_rn(x, __uint_as_float(0x3FB8AA3Bu))); }

__device__ Weights weightsByLogSumExp(const AttentionArguments& p, const Parts& parts) {
    Weights all;
    float largest = lowest();
    parts.forEach([&](int, const PartRecord& one) {
        largest = maxIgnoringNan(largest, logSumExp(one.reference, one.sum, p.scale));
        ++all.parts;
    });
    parts.forEach([&](int, const PartRecord& one) {
        all.sum = __fadd_rn(all.sum, natural(__fsub_rn(logSumExp(one.reference, one.sum, p.scale), largest)));
    });
    all.reference = __fadd_rn(largest, logFlushed(all.sum));
    return all;
}

__device__ void mergeByMaximum(const AttentionArguments& p, const Parts& parts, const Weights& all, int column,
                               float2& value) {
    parts.forEach([&](int range, const PartRecord& one) {
        const float weight = ex2Flushed(__fmul_rn(__fsub_rn(one.reference, all.reference), p.scaleInBaseTwo));
        const float2 own = parts.pair(range, column);
        value = {__fmaf_rn(weight, own.x, value.x), __fmaf_rn(weight, own.y, value.y)};
    });
    const float inverse = __frcp_rn(all.sum);
    value = {__fmul_rn(value.x, inverse), __fmul_rn(value.y, inverse)};
}

__device__ void mergeByLogSumExp(const AttentionArguments& p, const Parts& parts, const Weights& all, int column,
                                 float2& value) {
    parts.forEach([&](int range, const PartRecord& one) {
        const float weight = natural(__fsub_rn(logSumExp(one.reference, one.sum, p.scale), all.reference));
        const float inverse = __frcp_rn(one.sum);
        const float2 own = parts.pair(range, column);
        value = {__fmaf_rn(weight, __fmul_rn(own.x, inverse), value.x),
                 __fmaf_rn(weight, __fmul_rn(own.y, inverse), value.y)};
    });
}

__global__ void __launch_bounds__(kWarps * 32) attentionMerge(const __grid_constant__ AttentionArguments p, int groups) {
    const DeviceRequest request = p.requests[static_cast<int>(blockIdx.x) / groups];
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int own = static_cast<int>(blockIdx.x) % groups * kWarps + static_cast<int>(threadIdx.x) / 32;
    if (own >= request.queries * p.queryHeads) return;
    const std::int64_t row = static_cast<std::int64_t>(request.firstQuery) * p.queryHeads + own;
    const int length = blocksOfRange(p, request.keys) * kAttentionBlock;
    const Parts parts(p, row, request.keys == 0 ? 1 : (request.keys + length - 1) / length);
    Weights all = p.mergeByLogSumExp ? weightsByLogSumExp(p, parts) : weightsByMaximum(p, parts);
    // One range alone is normalised as a row without ranges is.
    const bool byLogSumExp = p.mergeByLogSumExp && all.parts > 1;
    if (p.mergeByLogSumExp && !byLogSumExp) all = weightsByMaximum(p, parts);
    for (int column = lane * 2; column < p.headDim; column += 64) {
        float2 value = {0.0f, 0.0f};
        if (all.parts != 0) {
            if (byLogSumExp)
                mergeByLogSumExp(p, parts, all, column, value);
            else
                mergeByMaximum(p, parts, all, column, value);
        }
        *reinterpret_cast<std::uint32_t*>(static_cast<std::uint16_t*>(p.out) + row * p.headDim + column) =
            all.parts == 0 ? 0u : roundedPair(value.x, value.y);
    }
    if (lane == 0 && p.lse != nullptr)
        p.lse[row] = byLogSumExp ? all.reference : logSumExp(all.reference, all.sum, p.scale);
}

}  // namespace

CudaStatus launchAttentionMerge(const AttentionArguments& p, LaunchOptions options) {
    const std::int64_t groups = (std::int64_t(p.mostQueries) * p.queryHeads + kWarps - 1) / kWarps;
    if (groups * p.requestCount > 0x7FFFFFFF) return cudaErrorInvalidConfiguration;
    attentionMerge<<<static_cast<unsigned>(groups * p.requestCount), kWarps * 32, 0,
                     static_cast<cudaStream_t>(options.stream)>>>(p, static_cast<int>(groups));
    return cudaGetLastError();
}

CudaStatus launchAttention(const AttentionArguments& p, AttentionKernel kernel, LaunchOptions options) {
    if (p.requestCount == 0 || p.mostQueries == 0) return cudaSuccess;
    const std::int64_t rows = std::int64_t(p.mostQueries) * (p.queryHeads / p.kvHeads);
    const bool many = kernel == AttentionKernel::Rows128 || (kernel == AttentionKernel::Suitable && rows >= 64);
    if (const CudaStatus status = many ? launchAttentionRows128(p, options) : launchAttentionRows16(p, options);
        status != cudaSuccess)
        return status;
    return p.partSums == nullptr ? cudaSuccess : launchAttentionMerge(p, options);
}

}  // namespace isobit::cuda
