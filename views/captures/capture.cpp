// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/captures/capture.h"

#include <algorithm>

#include "core/capture/walk_json.h"

namespace isobit::views {

namespace {

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

void addReplay(Capture& capture) {
    std::vector<TensorPair> pairs;
    for (const WalkStep& step : capture.walk.steps) pairs.push_back(step.pair);
    const auto logProbs = decisionLogProbsOf(capture.trainer, *capture.sampler, pairs);
    if (!logProbs) {
        capture.replayProblem = logProbs.error().message;
    } else if (*logProbs) {
        const auto& [trainer, sampler, aligned] = **logProbs;
        capture.replay = replayLogProbs(trainer, sampler);
        for (std::size_t token = 0; token < trainer.size(); ++token)
            capture.tokens.push_back(replayToken(trainer[token], sampler[token]));
        capture.tokenIds = tokenIdsOf(capture.trainer, trainer.size());
    }
}

}  // namespace

Result<Capture> compareFiles(const std::string& trainerPath, const std::string& samplerPath, const OpenOptions& openOptions,
                             std::stop_token stop, const CaptureProgress& progress) {
    auto trainer = openTensorFile(trainerPath, openOptions);
    if (!trainer) return failureOf(trainer);
    auto sampler = openTensorFile(samplerPath, openOptions);
    if (!sampler) return failureOf(sampler);
    // What only one side has comes on top: the bar is full a little early rather than never.
    const int total = static_cast<int>(std::max(trainer->tensors().size(), sampler->tensors().size()));
    int done = 0;
    WalkOptions options;
    options.stop = stop;
    options.progress = [&](const WalkStep&) {
        if (done < total) progress(++done, total);
    };
    progress(0, total);
    std::vector<std::string> names;
    for (const TensorInfo& tensor : trainer->tensors()) names.push_back(tensor.name);
    auto walk = walkCaptures(*trainer, *sampler, fittingGraph(builtInGraphs(), names), options);
    if (!walk) return failureOf(walk);
    if (stop.stop_requested()) return failure("stopped after {} of {} tensors", done, total);
    Capture capture;
    capture.trainer = std::move(*trainer);
    capture.sampler = std::move(*sampler);
    capture.walk = std::move(*walk);
    addReplay(capture);
    return capture;
}

Shape shapeOf(const Capture& capture, const WalkStep& step) {
    const bool compared = step.status == TensorStatus::Equal || step.status == TensorStatus::Different;
    return compared ? selectedShape(capture.trainer, *step.pair.trainer, step.pair.trainerPart) : Shape();
}

}  // namespace isobit::views
