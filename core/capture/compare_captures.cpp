// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/capture/compare_captures.h"

#include "core/capture/pair_words.h"
#include "core/capture/reordering.h"
#include "core/capture/walk_json.h"

namespace isobit {
namespace {

// The walk stands without it.
void addReplay(const TensorFile& trainer, const TensorFile& sampler, const std::vector<TensorPair>& pairs,
               ComparedCaptures& compared) {
    auto logProbs = decisionLogProbsOf(trainer, sampler, pairs);
    if (!logProbs) {
        compared.replayProblem = logProbs.error().message;
        compared.walk.notes.push_back(compared.replayProblem);
    } else if (*logProbs) {
        compared.replay = replayLogProbs((*logProbs)->trainer, (*logProbs)->sampler);
        compared.replay->aligned = (*logProbs)->aligned;
        compared.logProbs = std::move(*logProbs);
    }
}

// What the words of the first divergence say about their order; empty where there is none.
Result<std::string> orderOfFirst(const TensorFile& trainer, const TensorFile& sampler, const CaptureWalk& walk,
                                 const std::stop_token& stop) {
    if (!walk.firstDivergence) return std::string();
    const auto words = PairWords::of(trainer, sampler, walk.steps[*walk.firstDivergence].pair);
    if (!words) return failureOf(words);
    return reorderingOf(*words, stop);
}

}  // namespace

Result<ComparedCaptures> compareCaptures(const TensorFile& trainer, const TensorFile& sampler,
                                         const PairedCaptures& paired, WalkOptions options) {
    options.pairs = paired.pairs;
    auto walk = walkCaptures(trainer, sampler, paired.graph, options);
    if (!walk) return failureOf(walk);
    ComparedCaptures compared;
    compared.walk = std::move(*walk);
    addReplay(trainer, sampler, paired.pairs, compared);
    auto routing = routingOf(trainer, sampler, paired.graph, paired.pairs);
    if (!routing) return failureOf(routing);
    compared.routing = std::move(*routing);
    auto reordering = orderOfFirst(trainer, sampler, compared.walk, options.stop);
    if (!reordering) return failureOf(reordering);
    if (options.stop.stop_requested()) return failure("stopped after {} tensors", compared.walk.steps.size());
    compared.reordering = std::move(*reordering);
    return compared;
}

Json toJson(const ComparedCaptures& compared) {
    Json document = toJson(compared.walk, compared.replay);
    if (!compared.reordering.empty()) document["first_divergence"]["order"] = compared.reordering;
    document["routing"] = compared.routing ? toJson(*compared.routing) : Json();
    return document;
}

}  // namespace isobit
