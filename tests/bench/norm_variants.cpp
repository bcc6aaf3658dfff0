// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0

// norm_variants check | random COUNT SEED | qk COUNT SEED | sums | copies | once H M | exchange BLOCKS THREADS
// alone|sent |
//               peer PEER.json FILE.csv | time FILE.csv REGEX programmatic|both LEAST_BYTES
// Checks and times every geometry of the norm kernels on the device, each against the CPU model. Not a test: it needs a
// Hopper GPU.
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <random>
#include <regex>
#include <string>
#include <vector>

#include "core/arithmetic/norm_evaluate.h"
#include "core/base/atomic_file.h"
#include "core/base/json.h"
#include "core/numeric/dtype.h"
#include "kernels/device.h"
#include "kernels/norm.h"
#include "kernels/timing.h"
#include "tests/bench/norm_probe.h"

using namespace isobit;
using namespace isobit::cuda;

namespace {

const std::vector<std::int64_t> kH = {2048, 3840, 4096, 5120, 7168, 8192, 12288, 16384, 32768};
const std::vector<std::int64_t> kM = {1, 8, 16, 32, 64, 256, 512, 2048};

constexpr NormDevice kDevice{132, 62914560};  // an H200: what the variants are meant for

template <class T>
T orDie(Result<T> result) {
    if (!result) {
        fmt::print(stderr, "norm_variants: {}\n", result.error().message);
        std::exit(2);
    }
    if constexpr (!std::is_void_v<T>) return std::move(*result);
}
void orDie(CudaStatus status, const char* doing) { orDie(checked(status, doing)); }

DeviceBuffer device(std::size_t bytes) { return orDie(DeviceBuffer::allocate(bytes)); }

std::vector<std::uint16_t> wordsOf(const DeviceBuffer& buffer) {
    std::vector<std::uint16_t> words(buffer.bytes() / 2);
    orDie(cudaMemcpy(words.data(), buffer.data(), buffer.bytes(), cudaMemcpyDeviceToHost), "copying");
    return words;
}

/// What the words must be: the CPU model, on the silicon whose tables are in the program.
const Silicon& hopper() {
    static const Silicon& silicon = *orDie(sm90Silicon());
    return silicon;
}

struct Problem {
    std::int64_t rows = 0, columns = 0;
    std::int64_t xStride = 0, rStride = 0, outStride = 0, sumStride = 0;
    std::size_t xOffset = 0, rOffset = 0, wOffset = 0, outOffset = 0, sumOffset = 0;  // elements before the first
    bool residual = true, zeroCentered = false;
    float epsilon = 1e-6f;
};

struct Buffers {
    DeviceBuffer x, r, w, out, sum, expectedOut, expectedSum, scratch, differences;

    NormArguments arguments(const Problem& p) const {
        NormArguments a;
        a.x = static_cast<std::uint16_t*>(x.data()) + p.xOffset;
        a.weight = static_cast<std::uint16_t*>(w.data()) + p.wOffset;
        a.out = static_cast<std::uint16_t*>(out.data()) + p.outOffset;
        if (p.residual) {
            a.residual = static_cast<std::uint16_t*>(r.data()) + p.rOffset;
            a.residualOut = static_cast<std::uint16_t*>(sum.data()) + p.sumOffset;
        }
        a.xStride = p.xStride, a.residualStride = p.rStride, a.outStride = p.outStride;
        a.residualOutStride = p.sumStride, a.rows = p.rows, a.columns = static_cast<std::int32_t>(p.columns);
        a.epsilon = p.epsilon, a.zeroCentered = p.zeroCentered;
        return a;
    }
};

Buffers make(const Problem& p, std::uint64_t seed, bool specials) {
    const auto words = [&](std::int64_t stride, std::size_t offset) { return (stride * p.rows + offset + 8) * 2; };
    Buffers b{device(words(p.xStride, p.xOffset)),
              device(words(p.rStride, p.rOffset)),
              device((p.columns + p.wOffset + 8) * 2),
              device(words(p.outStride, p.outOffset)),
              device(words(p.sumStride, p.sumOffset)),
              device(p.rows * p.columns * 2),
              device(p.rows * p.columns * 2),
              device(p.rows * ((p.columns + 511) / 512) * 4),
              device(8)};
    orDie(probe::fillWords(b.x.data(), b.x.bytes() / 2, seed, 118, 127, specials), "filling");
    orDie(probe::fillWords(b.r.data(), b.r.bytes() / 2, seed + 1, 118, 127, specials), "filling");
    orDie(probe::fillWords(b.w.data(), b.w.bytes() / 2, seed + 2, 126, 128, false), "filling");
    return b;
}

/// Computes the expected words by the CPU model and leaves them in b.expected*.
void expect(const Problem& p, Buffers& b) {
    const auto x = wordsOf(b.x), r = wordsOf(b.r), w = wordsOf(b.w);
    std::vector<float> weight(p.columns);
    for (std::int64_t i = 0; i < p.columns; ++i) weight[i] = static_cast<float>(valueOf(DType::Bf16, w[p.wOffset + i]));
    std::vector<std::uint16_t> out(p.rows * p.columns), sum(p.rows * p.columns);
    NormCall call{.rows = p.rows, .hiddenSize = p.columns, .weight = weight.data(), .epsilon = p.epsilon};
    call.x = x.data() + p.xOffset;
    call.xLayout.outerStride = p.xStride;
    call.out = out.data();
    call.outLayout.outerStride = p.columns;
    if (p.residual) {
        call.residual = r.data() + p.rOffset;
        call.residualLayout.outerStride = p.rStride;
        call.residualOut = sum.data();
    }
    evaluateNorm(findNorm(p.zeroCentered ? "norm.v2.zero_centered" : "norm.v2")->arithmetic, hopper(), call);
    orDie(cudaMemcpy(b.expectedOut.data(), out.data(), out.size() * 2, cudaMemcpyHostToDevice), "copying");
    orDie(cudaMemcpy(b.expectedSum.data(), sum.data(), sum.size() * 2, cudaMemcpyHostToDevice), "copying");
}

/// Poisons the outputs, runs the plan, counts differing words of both outputs.
unsigned long long differences(const Problem& p, const Buffers& b, const NormPlan& plan, bool programmatic) {
    const NormArguments a = b.arguments(p);
    orDie(cudaMemset(b.out.data(), 0xa5, b.out.bytes()), "poisoning");
    orDie(cudaMemset(b.sum.data(), 0xa5, b.sum.bytes()), "poisoning");
    orDie(cudaMemset(b.scratch.data(), 0xff, b.scratch.bytes()), "poisoning");
    orDie(cudaMemset(b.differences.data(), 0, 8), "clearing");
    orDie(launchNorm(plan, a, b.scratch.data(), {nullptr, programmatic}));
    auto* count = static_cast<unsigned long long*>(b.differences.data());
    orDie(probe::countDifferences(a.out, b.expectedOut.data(), p.rows, p.columns, p.outStride, p.columns, count),
          "comparing");
    if (p.residual)
        orDie(probe::countDifferences(a.residualOut, b.expectedSum.data(), p.rows, p.columns, p.sumStride, p.columns,
                                      count),
              "comparing");
    unsigned long long found = 0;
    orDie(cudaMemcpy(&found, count, 8, cudaMemcpyDeviceToHost), "running a norm kernel");
    return found;
}

struct Variant {
    std::string name;
    NormPlan plan;
};

/// Every geometry that holds the row without wasting more than three quarters of its columns.
std::vector<Variant> variantsOf(std::int64_t columns, bool aligned) {
    std::vector<Variant> variants;
    for (const int threads : {128, 256, 512, 1024})
        for (const int vectors : {1, 2, 3, 4, 8}) {
            const std::int64_t share = std::int64_t{8} * threads * vectors;
            NormPlan plan;
            plan.aligned = aligned;
            if (share >= columns && share < 4 * columns && rowGeometryExists({threads, vectors, 1}, aligned)) {
                plan.geometry = {threads, vectors, 1};
                variants.push_back({fmt::format("fused_{}x{}", threads, vectors), plan});
            }
            const std::int64_t blocks = (columns + share - 1) / share;
            if (blocks >= 2 && blocks <= 16 && rowGeometryExists({threads, vectors, 2}, aligned)) {
                plan.geometry = {threads, vectors, static_cast<int>(blocks)};
                variants.push_back({fmt::format("cluster{}_{}x{}", blocks, threads, vectors), plan});
            }
        }
    NormPlan split;
    split.kernel = NormPlan::Kernel::Split;
    split.aligned = aligned;
    variants.push_back({"split", split});
    NormPlan stream;
    stream.kernel = NormPlan::Kernel::Stream;
    stream.aligned = aligned;
    variants.push_back({"stream", stream});
    return variants;
}

Problem cell(std::int64_t columns, std::int64_t rows) {
    Problem p;
    p.rows = rows, p.columns = columns;
    p.xStride = p.rStride = p.outStride = p.sumStride = columns;
    return p;
}

int check() {
    unsigned long long bad = 0, runs = 0;
    std::uint64_t seed = 1000;
    for (const std::int64_t h : kH)
        for (const std::int64_t m : kM)
            for (int form = 0; form < 3; ++form) {
                Problem p = cell(h, m);
                p.residual = form == 0;
                p.zeroCentered = form == 2;
                if (form == 2) p.columns = 128;  // the first 128 columns, strided
                seed += 10;
                Buffers b = make(p, seed, m == 16 || m == 512);
                expect(p, b);
                std::vector<Variant> variants = variantsOf(p.columns, true);
                NormPlan narrow;
                narrow.kernel = NormPlan::Kernel::Narrow;
                narrow.aligned = true;
                if (p.columns <= 256) variants.push_back({"narrow", narrow});
                for (const auto realisation :
                     {NormRealisation::Fused, NormRealisation::Split, NormRealisation::Cluster})
                    variants.push_back(
                        {std::string(nameOf(realisation)), orDie(planNorm(realisation, b.arguments(p), kDevice))});
                for (const Variant& variant : variants)
                    for (const bool programmatic : {false, true}) {
                        ++runs;
                        const auto found = differences(p, b, variant.plan, programmatic);
                        if (found != 0 && ++bad < 40)
                            fmt::print("H {} M {} form {} {}: {} words differ\n", h, m, form, variant.name, found);
                    }
            }
    fmt::print("check: {} runs, {} with differing words\n", runs, bad);
    return bad == 0 ? 0 : 1;
}

int checkRandom(int count, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto below = [&](std::int64_t limit) { return static_cast<std::int64_t>(random() % limit); };
    unsigned long long bad = 0, runs = 0;
    std::map<std::string, int> kinds;
    for (int i = 0; i < count; ++i) {
        Problem p;
        const int width = static_cast<int>(below(5));
        p.columns = 1 + below(width == 0 ? 300 : width == 1 ? 2000 : width == 2 ? 9000 : width == 3 ? 40000 : 120000);
        p.rows = 1 + below(std::min<std::int64_t>(300, 1 + 600000 / p.columns));
        const bool even = below(3) == 0;
        if (even) p.columns = (p.columns + 7) / 8 * 8;
        const auto pad = [&] { return even ? 8 * below(5) : below(40); };
        p.xStride = p.columns + pad(), p.rStride = p.columns + pad();
        p.outStride = p.columns + pad(), p.sumStride = p.columns + pad();
        const auto offset = [&] { return static_cast<std::size_t>(even ? 8 * below(3) : below(9)); };
        p.xOffset = offset(), p.rOffset = offset(), p.wOffset = offset(), p.outOffset = offset(),
        p.sumOffset = offset();
        p.residual = below(2) == 0;
        p.zeroCentered = below(2) == 0;
        p.epsilon = below(2) == 0 ? 1e-6f : 1e-5f;
        Buffers b = make(p, seed + i * 10, below(4) == 0);
        expect(p, b);
        std::vector<Variant> variants;
        for (const auto realisation : {NormRealisation::Fused, NormRealisation::Split, NormRealisation::Cluster})
            variants.push_back(
                {std::string(nameOf(realisation)), orDie(planNorm(realisation, b.arguments(p), kDevice))});
        for (const Variant& variant : variants) {
            ++runs;
            ++kinds[variant.plan.description()];
            const auto found = differences(p, b, variant.plan, true);
            if (found != 0 && ++bad < 40)
                fmt::print("rows {} columns {} residual {}: {} ({}): {} words differ\n", p.rows, p.columns, p.residual,
                           variant.name, variant.plan.description(), found);
        }
    }
    for (const auto& [kind, times] : kinds) fmt::print("{:>5} x {}\n", times, kind);
    fmt::print("random: {} shapes, {} runs, {} with differing words\n", count, runs, bad);
    return bad == 0 ? 0 : 1;
}

/// QK norm where it lies: heads within packed rows, out is x; what is beside the heads must stay as it was.
int checkQk(int count, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto below = [&](std::int64_t limit) { return static_cast<std::int64_t>(random() % limit); };
    int bad = 0;
    for (int i = 0; i < count; ++i) {
        const bool even = below(2) == 0;
        const std::int64_t heads = 1 + below(24), width = even ? 64 * (1 + below(4)) : 1 + below(256);
        const std::int64_t before = even ? 8 * below(20) : below(50), tokens = 1 + below(200);
        const std::int64_t stride = before + heads * width + (even ? 8 * below(20) : below(50));
        const bool zeroCentered = below(2) == 0;
        const DeviceBuffer packed = device(tokens * stride * 2), weight = device(width * 2);
        orDie(probe::fillWords(packed.data(), tokens * stride, seed + i * 10, 118, 127, below(4) == 0), "filling");
        orDie(probe::fillWords(weight.data(), width, seed + i * 10 + 1, 126, 128, false), "filling");
        std::vector<std::uint16_t> expected = wordsOf(packed);
        const auto weightWords = wordsOf(weight);
        std::vector<float> widened(width);
        for (std::int64_t k = 0; k < width; ++k) widened[k] = static_cast<float>(valueOf(DType::Bf16, weightWords[k]));
        NormCall call{.rows = tokens * heads, .hiddenSize = width, .weight = widened.data()};
        call.x = call.out = expected.data() + before;
        call.xLayout = call.outLayout = {heads, stride, width};
        evaluateNorm(findNorm(zeroCentered ? "norm.v2.zero_centered" : "norm.v2")->arithmetic, hopper(), call);
        NormArguments a;
        a.x = a.out = static_cast<std::uint16_t*>(packed.data()) + before;
        a.weight = weight.data();
        a.xStride = a.outStride = stride;
        a.rows = tokens * heads;
        a.columns = static_cast<std::int32_t>(width);
        a.epsilon = call.epsilon;
        a.zeroCentered = zeroCentered;
        orDie(launchNorm(orDie(planQkNorm(a, heads)), a, nullptr, {nullptr, false}));
        if (wordsOf(packed) != expected && ++bad < 40)
            fmt::print("qk: {} tokens, {} heads of {}, stride {}, offset {}: words differ\n", tokens, heads, width,
                       stride, before);
    }
    fmt::print("qk in place: {} shapes, {} with differing words\n", count, bad);
    return bad == 0 ? 0 : 1;
}

/// One launch of each realisation, for a profiler.
int once(std::int64_t columns, std::int64_t rows) {
    const Problem p = cell(columns, rows);
    Buffers b = make(p, 7, false);
    expect(p, b);
    unsigned long long bad = 0;
    for (const auto realisation : {NormRealisation::Fused, NormRealisation::Cluster}) {
        const NormPlan plan = orDie(planNorm(realisation, b.arguments(p), kDevice));
        const auto found = differences(p, b, plan, false);
        fmt::print("{} x {}, {}: {} words differ\n", rows, columns, plan.description(), found);
        bad += found;
    }
    return bad == 0 ? 0 : 1;
}

/// The barrier of the cluster kernels and nothing else, for a checker of synchronisation.
int exchange(int blocks, int threads, bool sent) {
    const DeviceBuffer sums = device(blocks * sizeof(float));
    orDie(probe::exchangeInCluster(blocks, threads, sent, static_cast<float*>(sums.data())), "exchanging in a cluster");
    std::vector<float> found(blocks);
    orDie(cudaMemcpy(found.data(), sums.data(), sums.bytes(), cudaMemcpyDeviceToHost), "exchanging in a cluster");
    const float expected = sent ? static_cast<float>(blocks * (blocks - 1) / 2) : 0.0f;
    const bool right = std::ranges::all_of(found, [&](float sum) { return sum == expected; });
    fmt::print("exchange: cluster of {}, {} threads, {}: {}\n", blocks, threads, sent ? "sent" : "alone",
               right ? "right" : "WRONG");
    return right ? 0 : 1;
}

/// Each row variant with every moment at which the next grid may start, and streaming where the cache is short.
std::vector<Variant> scheduled(const std::vector<Variant>& variants, std::int64_t bytes) {
    std::vector<Variant> all;
    for (const Variant& variant : variants) {
        if (variant.plan.kernel != NormPlan::Kernel::Row) {
            all.push_back(variant);
            continue;
        }
        for (const auto dependents :
             {DependentsStart::First, DependentsStart::AfterLoads, DependentsStart::BeforeLastStores})
            for (const bool streaming : {false, true}) {
                if (streaming && bytes < 15'000'000) continue;
                Variant next = variant;
                next.plan.geometry.dependents = dependents;
                next.plan.geometry.streaming = streaming;
                next.name += fmt::format("_d{}{}", static_cast<int>(dependents), streaming ? "_s" : "");
                all.push_back(std::move(next));
            }
    }
    return all;
}

int timeAll(const std::string& path, const std::string& pattern, bool programmaticOnly, std::int64_t leastBytes) {
    const std::regex wanted(pattern);
    std::ofstream file(path);
    orDie(raiseClocks());
    const double bandwidth = orDie(measureCopyBandwidth());
    fmt::print("copy {:.1f} GB/s\n", bandwidth / 1e9);
    file << fmt::format("# copy {:.1f} GB/s\nH,M,variant,programmatic,min_us,median_us,spread\n", bandwidth / 1e9);
    for (const std::int64_t h : kH)
        for (const std::int64_t m : kM) {
            if (h * m * 8 < leastBytes) continue;
            const Problem p = cell(h, m);
            const Buffers b = make(p, 7, false);
            const NormArguments a = b.arguments(p);
            for (const Variant& variant : scheduled(variantsOf(h, true), h * m * 8))
                for (const bool programmatic : {true, false}) {
                    if (!std::regex_search(variant.name, wanted) || (programmaticOnly && !programmatic)) continue;
                    const Samples samples = orDie(timeHot(
                        [&](const LaunchOptions& options) {
                            return launchNorm(variant.plan, a, b.scratch.data(), options);
                        },
                        {20, 100, 7, programmatic}));
                    file << fmt::format("{},{},{},{},{:.4f},{:.4f},{:.4f}\n", h, m, variant.name, int{programmatic},
                                        samples.minimumUs(), samples.medianUs(), samples.spread());
                }
        }
    return file ? 0 : 2;
}

/// The dispatched program against the better structure of a public peer, cell by cell, under that file's protocol.
int comparePeer(const std::string& path, const std::string& csv) {
    const Json document = orDie(parseJsonStrictly(orDie(readTextFile(path)), path));
    const TimingProtocol protocol{20, document.at("iters").get<int>(), document.at("reps").get<int>(), true};
    orDie(raiseClocks());
    const double bandwidth = orDie(measureCopyBandwidth());
    std::ofstream file(csv);
    file << fmt::format(
        "# copy {:.1f} GB/s\nH,M,realisation,plan,us,serial_us,peer_us,ratio,serial_ratio,tb_s,of_copy\n",
        bandwidth / 1e9);
    double logs = 0.0, serialLogs = 0.0, least = 1e9;
    for (const Json& peer : document.at("cells")) {
        const auto h = peer.at("H").get<std::int64_t>(), m = peer.at("M").get<std::int64_t>();
        const Problem p = cell(h, m);
        const Buffers b = make(p, 7, false);
        const NormArguments a = b.arguments(p);
        const NormRealisation realisation = dispatchedNorm(a, kDevice);
        const NormPlan plan = orDie(planNorm(realisation, a, kDevice));
        const LaunchCall launch = [&](const LaunchOptions& options) {
            return launchNorm(plan, a, b.scratch.data(), options);
        };
        TimingProtocol serial = protocol;
        serial.programmatic = false;
        const double us = orDie(timeHot(launch, protocol)).medianUs();
        const double serialUs = orDie(timeHot(launch, serial)).medianUs();
        const double peerUs =
            std::min(peer.at("fused_us_median").get<double>(), peer.at("split_us_median").get<double>());
        const double bytes = 8.0 * h * m + 2.0 * h;
        file << fmt::format("{},{},{},\"{}\",{:.3f},{:.3f},{:.3f},{:.3f},{:.3f},{:.3f},{:.4f}\n", h, m,
                            nameOf(realisation), plan.description(), us, serialUs, peerUs, peerUs / us,
                            peerUs / serialUs, bytes / us / 1e6, bytes / us / bandwidth * 1e6);
        logs += std::log(peerUs / us);
        serialLogs += std::log(peerUs / serialUs);
        least = std::min(least, peerUs / us);
    }
    const double cells = static_cast<double>(document.at("cells").size());
    fmt::print("{} cells: geometric mean {:.3f}x, least {:.3f}x; without programmatic dependent launch {:.3f}x\n",
               cells, std::exp(logs / cells), least, std::exp(serialLogs / cells));
    return 0;
}

/// The runtime's own copy under the protocol of the kernels: as many bytes as a cell moves.
int timeCopies() {
    for (const std::int64_t h : kH) {
        const std::int64_t bytes = h * 2048 * 4;
        for (const std::int64_t pad : {0, 1 << 20}) {
            const DeviceBuffer from = device(bytes), gap = device(pad + 16), to = device(bytes);
            orDie(probe::fillWords(from.data(), bytes / 2, 3, 118, 127, false), "filling");
            const Samples samples = orDie(timeHot(
                [&](const LaunchOptions& options) {
                    return checked(cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice,
                                                   static_cast<cudaStream_t>(options.stream)),
                                   "copying");
                },
                {5, 100, 7, false}));
            fmt::print("copy as H {} M 2048: {:.2f} us, {:.3f} TB/s\n", h, samples.medianUs(),
                       2.0 * bytes / samples.medianUs() / 1e6);
        }
    }
    return 0;
}

int checkSums() {
    const DeviceBuffer count = device(8);
    orDie(cudaMemset(count.data(), 0, 8), "clearing");
    orDie(probe::checkAllSums(static_cast<unsigned long long*>(count.data())), "checking sums");
    unsigned long long found = 0;
    orDie(cudaMemcpy(&found, count.data(), 8, cudaMemcpyDeviceToHost), "checking sums");
    fmt::print("sums: 2^32 pairs, {} differ\n", found);
    return found == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    const DeviceInfo info = orDie(discoverDevice());
    fmt::print("{}, {} multiprocessors, driver {}\n", info.name, info.multiprocessors, info.driver);
    if (arguments.size() == 1 && arguments[0] == "check") return check();
    if (arguments.size() == 3 && arguments[0] == "peer") return comparePeer(arguments[1], arguments[2]);
    if (arguments.size() == 1 && arguments[0] == "copies") return timeCopies();
    if (arguments.size() == 1 && arguments[0] == "sums") return checkSums();
    if (arguments.size() == 3 && arguments[0] == "random")
        return checkRandom(std::stoi(arguments[1]), std::stoull(arguments[2]));
    if (arguments.size() == 3 && arguments[0] == "qk")
        return checkQk(std::stoi(arguments[1]), std::stoull(arguments[2]));
    if (arguments.size() == 3 && arguments[0] == "once")
        return once(std::stoll(arguments[1]), std::stoll(arguments[2]));
    if (arguments.size() == 4 && arguments[0] == "exchange")
        return exchange(std::stoi(arguments[1]), std::stoi(arguments[2]), arguments[3] == "sent");
    if (arguments.size() == 5 && arguments[0] == "time")
        return timeAll(arguments[1], arguments[2], arguments[3] == "programmatic", std::stoll(arguments[4]));
    fmt::print(stderr,
               "usage: norm_variants check | random COUNT SEED | qk COUNT SEED | sums | copies | once H M |\n"
               "                     exchange BLOCKS THREADS alone|sent | peer PEER.json FILE.csv |\n"
               "                     time FILE.csv REGEX programmatic|both LEAST_BYTES\n");
    return 2;
}
