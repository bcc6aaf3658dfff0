// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/captures/capture.h"

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

void addTokens(Capture& capture) {
    if (!capture.logProbs) return;
    const auto& [trainer, sampler, aligned] = *capture.logProbs;
    for (std::size_t token = 0; token < trainer.size(); ++token)
        capture.tokens.push_back(replayToken(trainer[token], sampler[token]));
    capture.tokenIds = tokenIdsOf(capture.trainer, trainer.size());
}

}  // namespace

Result<Capture> compareFiles(const std::string& trainerPath, const std::string& samplerPath, const CaptureRequest& request,
                             std::stop_token stop, const CaptureProgress& progress) {
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
    WalkOptions options;
    options.stop = stop;
    options.order = std::move(*order);
    options.inputRoot = request.open.inputRoot;
    options.progress = [&](const WalkStep&) { progress(++done, total); };
    progress(0, total);
    auto compared = compareCaptures(*trainer, *sampler, *paired, options);
    if (!compared) return failureOf(compared);
    Capture capture{std::move(*compared), std::move(*trainer), std::move(*sampler), request, {}, {}};
    addTokens(capture);
    return capture;
}

Shape shapeOf(const Capture& capture, const WalkStep& step) {
    const bool compared = step.status == TensorStatus::Equal || step.status == TensorStatus::Different;
    return compared ? selectedShape(capture.trainer, *step.pair.trainer, step.pair.trainerPart) : Shape();
}

}  // namespace isobit::views
