// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/packing/batch_slice.h"

#include <algorithm>

namespace isobit {
namespace {

std::int64_t stageRanks(const SliceRequest& request) { return std::max<std::int64_t>(1, request.world / request.pipelineParallel); }

BatchSlice byArithmetic(const SliceRequest& request) {
    const std::int64_t rank = request.rank % stageRanks(request);
    const std::int64_t sharing = request.contextParallel * request.tensorParallel;
    const std::int64_t count = std::max<std::int64_t>(1, stageRanks(request) / sharing);
    return {std::min(rank / sharing, count - 1), count};
}

BatchSlice legacyExperts(const SliceRequest& request) {
    const std::int64_t count = std::max<std::int64_t>(1, request.state.expertDataSize.value_or(1));
    const std::int64_t rank = request.rank % stageRanks(request);
    const std::int64_t index = request.state.expertDataCoordinate.value_or(rank / request.state.expertParallel);
    return {std::clamp<std::int64_t>(index, 0, count - 1), count};
}

}  // namespace

BatchSlice batchSliceOf(const SliceRequest& request) {
    const ParallelState& state = request.state;
    if (state.expertParallel > 1) return request.legacyExpertDuplication ? legacyExperts(request) : byArithmetic(request);
    if (state.replicateSize && *state.replicateSize == 1) return {0, 1};
    if (state.replicateSize && state.replicateRank) return {*state.replicateRank, *state.replicateSize};
    if (state.dataSize && state.dataRank) return {*state.dataRank, *state.dataSize};
    return byArithmetic(request);
}

}  // namespace isobit
