// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/timing.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <cmath>

#include "kernels/device.h"

namespace isobit::cuda {
namespace {

struct EventPair {
    cudaEvent_t begin = nullptr;
    cudaEvent_t end = nullptr;
    EventPair() = default;
    EventPair(const EventPair&) = delete;
    EventPair& operator=(const EventPair&) = delete;
    ~EventPair() {
        if (begin != nullptr) cudaEventDestroy(begin);
        if (end != nullptr) cudaEventDestroy(end);
    }
    Result<void> create() {
        if (auto made = checked(cudaEventCreate(&begin), "making an event"); !made) return made;
        return checked(cudaEventCreate(&end), "making an event");
    }
    /// Runs `work` between the events and waits; nanoseconds.
    Result<std::uint64_t> time(cudaStream_t stream, const std::function<Result<void>()>& work) const {
        if (auto set = checked(cudaEventRecord(begin, stream), "timing"); !set) return failureOf(set);
        if (auto done = work(); !done) return failureOf(done);
        if (auto set = checked(cudaEventRecord(end, stream), "timing"); !set) return failureOf(set);
        if (auto done = checked(cudaEventSynchronize(end), "timing"); !done) return failureOf(done);
        float milliseconds = 0.0f;
        if (auto read = checked(cudaEventElapsedTime(&milliseconds, begin, end), "timing"); !read)
            return failureOf(read);
        return static_cast<std::uint64_t>(std::llround(static_cast<double>(milliseconds) * 1e6));
    }
};

struct Graph {
    cudaGraphExec_t executable = nullptr;
    Graph() = default;
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;
    ~Graph() {
        if (executable != nullptr) cudaGraphExecDestroy(executable);
    }
    Result<void> capture(const LaunchCall& launch, const LaunchOptions& options, int calls) {
        const auto stream = static_cast<cudaStream_t>(options.stream);
        if (auto begun = checked(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "capturing a graph");
            !begun)
            return begun;
        Result<void> launched;
        for (int call = 0; call < calls && launched; ++call) launched = launch(options);
        cudaGraph_t graph = nullptr;
        const auto ended = checked(cudaStreamEndCapture(stream, &graph), "capturing a graph");
        Result<void> made = !launched ? launched : ended;
        if (made) made = checked(cudaGraphInstantiate(&executable, graph, 0), "making a graph");
        if (graph != nullptr) cudaGraphDestroy(graph);
        return made;
    }
};

}  // namespace

double Samples::minimumUs() const {
    return static_cast<double>(*std::min_element(replaysNs.begin(), replaysNs.end())) / 1000.0 / calls;
}

double Samples::medianUs() const {
    std::vector<std::uint64_t> sorted = replaysNs;
    std::sort(sorted.begin(), sorted.end());
    const std::size_t half = sorted.size() / 2;
    const double middle = sorted.size() % 2 == 1 ? static_cast<double>(sorted[half])
                                                 : (static_cast<double>(sorted[half - 1]) + sorted[half]) / 2.0;
    return middle / 1000.0 / calls;
}

double Samples::spread() const {
    const auto [low, high] = std::minmax_element(replaysNs.begin(), replaysNs.end());
    return static_cast<double>(*high - *low) / 1000.0 / calls / medianUs();
}

Result<Samples> timeHot(const LaunchCall& launch, const TimingProtocol& protocol) {
    auto samples = timeInTurns({launch}, protocol);
    if (!samples) return failureOf(samples);
    return std::move(samples->front());
}

Result<std::vector<Samples>> timeInTurns(const std::vector<LaunchCall>& launches, const TimingProtocol& protocol) {
    auto stream = Stream::create();
    if (!stream) return failureOf(stream);
    const LaunchOptions options{stream->handle(), protocol.programmatic};
    std::vector<Graph> graphs(launches.size());
    for (std::size_t i = 0; i < launches.size(); ++i) {
        for (int call = 0; call < protocol.warmups; ++call)
            if (auto done = launches[i](options); !done) return failureOf(done);
        if (auto done = stream->synchronize("running the timed kernel"); !done) return failureOf(done);
        if (auto made = graphs[i].capture(launches[i], options, protocol.calls); !made) return failureOf(made);
    }
    EventPair events;
    if (auto made = events.create(); !made) return failureOf(made);
    std::vector<Samples> samples(launches.size(), Samples{protocol.calls, {}});
    const auto native = static_cast<cudaStream_t>(stream->handle());
    for (int replay = 0; replay < protocol.replays; ++replay)
        for (std::size_t i = 0; i < launches.size(); ++i) {
            const auto time = events.time(
                native, [&] { return checked(cudaGraphLaunch(graphs[i].executable, native), "replaying a graph"); });
            if (!time) return failureOf(time);
            samples[i].replaysNs.push_back(*time);
            if (protocol.rest > 0) std::this_thread::sleep_for(std::chrono::nanoseconds(*time) * protocol.rest);
        }
    return samples;
}

Result<Samples> timeCold(const LaunchCall& launch, int count) {
    auto stream = Stream::create();
    if (!stream) return failureOf(stream);
    const auto device = discoverDevice();
    if (!device) return failureOf(device);
    auto other = DeviceBuffer::allocate(static_cast<std::size_t>(device->l2Bytes) * 3);  // also past a partitioned L2
    if (!other) return failureOf(other);
    EventPair events;
    if (auto made = events.create(); !made) return failureOf(made);
    const LaunchOptions options{stream->handle(), false};
    if (auto done = launch(options); !done) return failureOf(done);
    Samples samples{1, {}};
    for (int sample = 0; sample < count; ++sample) {
        if (auto filled = stream->fill(other->data(), sample, other->bytes()); !filled) return failureOf(filled);
        const auto time = events.time(static_cast<cudaStream_t>(stream->handle()), [&] { return launch(options); });
        if (!time) return failureOf(time);
        samples.replaysNs.push_back(*time);
    }
    return samples;
}

Result<void> raiseClocks() {
    constexpr std::size_t kBytes = std::size_t{256} << 20;
    constexpr auto kDuration = std::chrono::milliseconds(500);
    auto stream = Stream::create();
    if (!stream) return failureOf(stream);
    auto from = DeviceBuffer::allocate(kBytes), to = DeviceBuffer::allocate(kBytes);
    if (!from) return failureOf(from);
    if (!to) return failureOf(to);
    if (auto filled = stream->fill(from->data(), 0x3c, kBytes); !filled) return filled;
    const auto end = std::chrono::steady_clock::now() + kDuration;
    while (std::chrono::steady_clock::now() < end) {
        if (auto copied = checked(cudaMemcpyAsync(to->data(), from->data(), kBytes, cudaMemcpyDeviceToDevice,
                                                  static_cast<cudaStream_t>(stream->handle())),
                                  "copying");
            !copied)
            return copied;
        if (auto done = stream->synchronize("copying"); !done) return done;
    }
    return {};
}

Result<double> measureCopyBandwidth() {
    constexpr std::size_t kBytes = std::size_t{2} << 30;  // far more than any L2
    auto stream = Stream::create();
    if (!stream) return failureOf(stream);
    auto from = DeviceBuffer::allocate(kBytes), to = DeviceBuffer::allocate(kBytes);
    if (!from) return failureOf(from);
    if (!to) return failureOf(to);
    if (auto filled = stream->fill(from->data(), 0x3c, kBytes); !filled) return failureOf(filled);
    EventPair events;
    if (auto made = events.create(); !made) return failureOf(made);
    const auto native = static_cast<cudaStream_t>(stream->handle());
    std::uint64_t best = 0;
    for (int repetition = 0; repetition < 10; ++repetition) {
        const auto time = events.time(native, [&] {
            return checked(cudaMemcpyAsync(to->data(), from->data(), kBytes, cudaMemcpyDeviceToDevice, native),
                           "copying");
        });
        if (!time) return failureOf(time);
        if (repetition > 0 && (best == 0 || *time < best)) best = *time;  // the first one warms up
    }
    return 2.0 * static_cast<double>(kBytes) / (static_cast<double>(best) * 1e-9);
}

}  // namespace isobit::cuda
