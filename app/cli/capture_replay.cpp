// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/capture_replay.h"

#include "core/capture/names.h"
#include "core/tensors/confinement.h"

namespace isobit::cli {
namespace {

// Other tokens have other log-probabilities: that would be a difference of inputs, not of arithmetic.
Result<void> sameTokens(const TensorFile& trainer, const TensorFile& sampler, const PairedCaptures& paired) {
    WalkOptions options;
    options.pairs.emplace();
    const NameBook book(paired.graph);
    for (const TensorPair& pair : paired.pairs)
        if (const auto name = book.standardName(pair.name); name == "token_ids" || name == "positions") options.pairs->push_back(pair);
    const auto walk = walkCaptures(trainer, sampler, paired.graph, options);
    if (!walk) return failureOf(walk);
    for (const Comparability& check : walk->checks)
        if (check.failed() && check.blocks) return failure("{}: {}, so the two sides did not score the same", check.name, check.found);
    return {};
}

}  // namespace

Result<DecisionLogProbs> readLogProbs(const ReplayRequest& request) {
    const auto trainer = openFile(request.trainer, *request.open);
    if (!trainer) return failureOf(trainer);
    const auto sampler = openFile(request.sampler, *request.open);
    if (!sampler) return failureOf(sampler);
    const auto paired = pairCaptures(*trainer, *sampler, *request.pairing);
    if (!paired) return failureOf(paired);
    if (const auto same = sameTokens(*trainer, *sampler, *paired); !same) return failureOf(same);
    auto result = decisionLogProbsOf(*trainer, *sampler, paired->pairs, request.tensor);
    if (!result) return failureOf(result);
    if (*result) return std::move(**result);
    for (const TensorFile* file : {&*trainer, &*sampler})
        if (!file->find(request.tensor))
            return failure("{}: holds no tensor \"{}\"; --tensor names another", printable(file->path()),
                           printable(request.tensor));
    return failure("\"{}\" has no partner on the other side", printable(request.tensor));
}

}  // namespace isobit::cli
