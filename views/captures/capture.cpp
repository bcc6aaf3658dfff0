// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/captures/capture.h"

#include <algorithm>

namespace isobit::views {

namespace {

const std::string& nameOfStep(const WalkStep& step) { return step.pair.name; }

/// The ids that belong to the log-probabilities; none if they are stored otherwise, or not at all.
std::vector<std::int64_t> tokenIdsOf(const TensorFile& file, std::size_t tokens) {
    const auto place = file.find("token_ids");
    if (!place) return {};
    const TensorInfo& info = file.tensors()[*place];
    if (info.dtype != DType::I64 || elementsOf(info.shape) != static_cast<std::int64_t>(tokens)) return {};
    std::vector<std::int64_t> ids(tokens);
    if (!file.read(*place, 0, std::as_writable_bytes(std::span(ids)))) ids.clear();
    return ids;
}

/// Shows a comparison while it goes on.
class Streaming {
public:
    Streaming(const CaptureStream& stream, Capture begun) : m_stream(stream), m_begun(std::move(begun)), m_wait(stream.interval) {}

    void add(const WalkStep& step) {
        if (!m_stream.show) return;
        m_begun.walk.steps.push_back(step);
        const auto now = Clock::now();
        if (now - m_shown < m_wait || !m_begun.isPartial() || (m_stream.isWanted && !m_stream.isWanted())) return;
        m_stream.show(m_begun);
        m_shown = Clock::now();
        m_wait = std::max<Clock::duration>(m_stream.interval, 10 * (m_shown - now));
    }

private:
    using Clock = std::chrono::steady_clock;
    const CaptureStream& m_stream;
    Capture m_begun;
    Clock::time_point m_shown = Clock::now();
    Clock::duration m_wait;
};

void addTokens(Capture& capture) {
    if (!capture.logProbs) return;
    const auto& [trainer, sampler, aligned] = *capture.logProbs;
    for (std::size_t token = 0; token < trainer.size(); ++token)
        capture.tokens.push_back(replayToken(trainer[token], sampler[token]));
    capture.tokenIds = tokenIdsOf(capture.trainer, trainer.size());
}

}  // namespace

Result<Capture> compareFiles(const std::string& trainerPath, const std::string& samplerPath, const CaptureRequest& request,
                             std::stop_token stop, const CaptureProgress& progress, const CaptureStream& stream) {
    auto order = readOrder(request.choices.order);
    if (!order) return failureOf(order);
    auto trainer = openTensorFile(trainerPath, request.open);
    if (!trainer) return failureOf(trainer);
    auto sampler = openTensorFile(samplerPath, request.open);
    if (!sampler) return failureOf(sampler);
    const auto paired = pairCaptures(*trainer, *sampler, request.choices);
    if (!paired) return failureOf(paired);
    const int total = static_cast<int>(paired->pairs.size());
    int done = 0;
    Capture begun;
    begun.walk.graph = paired->graph.name;
    begun.walk.order = order->kind;
    begun.trainer = *trainer;
    begun.sampler = *sampler;
    begun.request = request;
    begun.pairs = paired->pairs.size();
    Streaming streaming(stream, std::move(begun));
    WalkOptions options;
    options.stop = stop;
    options.order = std::move(*order);
    options.inputRoot = request.open.inputRoot;
    options.progress = [&](const WalkStep& step) {
        progress(++done, total);
        streaming.add(step);
    };
    progress(0, total);
    auto compared = compareCaptures(*trainer, *sampler, *paired, options);
    if (!compared) return failureOf(compared);
    Capture capture{std::move(*compared), std::move(*trainer), std::move(*sampler), request, {}, {}, paired->pairs.size()};
    addTokens(capture);
    return capture;
}

bool continues(const Capture& now, const Capture& before) {
    const auto& steps = before.walk.steps;
    const bool grows = before.isPartial() && before.pairs == now.pairs && now.walk.steps.size() >= steps.size();
    if (!grows || before.trainer.path() != now.trainer.path() || before.request.choices != now.request.choices) return false;
    // Asked several times a frame, so not of every name: the same files in the same order differ in the last one, if at all.
    return steps.empty() || (nameOfStep(steps.front()) == nameOfStep(now.walk.steps.front()) &&
                             nameOfStep(steps.back()) == nameOfStep(now.walk.steps[steps.size() - 1]));
}

Shape shapeOf(const Capture& capture, const WalkStep& step) {
    const bool compared = step.status == TensorStatus::Equal || step.status == TensorStatus::Different;
    return compared ? selectedShape(capture.trainer, *step.pair.trainer, step.pair.trainerPart) : Shape();
}

}  // namespace isobit::views
