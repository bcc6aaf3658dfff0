// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/packing/dispatch.h"

#include <algorithm>

namespace isobit {
namespace {

std::int64_t samplesIn(const Json& row) {
    const auto found = row.find("sample_count");
    return found != row.end() && found->is_number_integer() ? found->get<std::int64_t>() : 1;
}

void ignore(Json& row, const char* key) {
    const auto found = row.find(key);
    if (found == row.end() || !found->is_array()) return;
    for (Json& list : *found)
        if (list.is_array())
            for (Json& label : list) label = kIgnoredLabel;
}

// Cut to `tokens`: what is a sequence of a token a token.
void shorten(Json& row, std::size_t tokens) {
    for (const char* key : {"cumulative_lengths", "longest", "teacher_ids", "teacher_position_ids", "teacher_kept",
                            "teacher_cache_global", "teacher_cache_local"})
        row.erase(key);
    for (auto& [key, value] : row.items()) {
        if (!value.is_array() || value.size() != 1 || !value[0].is_array()) continue;
        Json& list = value[0];
        while (list.size() > tokens) list.erase(list.size() - 1);
        for (std::size_t i = 0; i < list.size(); ++i)
            if (key == "position_ids") list[i] = i;
            else if (key == "attention_mask") list[i] = 1;
    }
    row["sample_lengths"] = Json::array();
}

// How many rows a slice has after merging.
std::size_t mergedCount(const std::vector<Json>& rows, std::pair<std::size_t, std::size_t> range, std::int64_t size) {
    const std::vector<Json> own(rows.begin() + static_cast<std::ptrdiff_t>(range.first), rows.begin() + static_cast<std::ptrdiff_t>(range.second));
    return batchRows(own, size).size();
}

}  // namespace

std::vector<std::pair<std::size_t, std::size_t>> sliceRanges(std::size_t rows, std::int64_t count) {
    const auto slices = static_cast<std::size_t>(std::max<std::int64_t>(1, count));
    std::vector<std::pair<std::size_t, std::size_t>> ranges;
    std::size_t first = 0;
    for (std::size_t i = 0; i < slices; ++i) {
        const std::size_t last = first + rows / slices + (i < rows % slices ? 1 : 0);
        ranges.emplace_back(first, last);
        first = last;
    }
    return ranges;
}

Result<BatchingScope> batchingScope(std::string_view name, std::int64_t size) {
    std::string text(name);
    std::ranges::replace(text, '_', '-');
    for (const std::string_view local : {"", "rank-local", "local", "per-rank"})
        if (text == local) return BatchingScope::RankLocal;
    for (const std::string_view global : {"global", "executor", "orchestrator"})
        if (text == global) return BatchingScope::Global;
    if (size <= 1) return BatchingScope::Global;
    return failure("\"{}\" is no batching scope, expected rank-local, local, per-rank, global, executor or orchestrator", name);
}

Json fillerOf(const Json& row, std::optional<std::int64_t> tokens) {
    Json filler = row;
    ignore(filler, "labels");
    ignore(filler, "target_tokens");
    filler["sample_count"] = 0;
    if (tokens) shorten(filler, static_cast<std::size_t>(std::max<std::int64_t>(1, *tokens)));
    return filler;
}

Result<RankRows> rowsOfRank(const std::vector<Json>& rows, const DispatchRequest& request) {
    if (rows.empty()) return failure("there is no row to dispatch");
    const bool merges = request.rowBatch > 1 && request.scope == BatchingScope::RankLocal;
    if (merges && request.routingReplay) return failure("rank-local row batching cannot be combined with routing replay");
    const auto ranges = sliceRanges(rows.size(), request.world == 1 ? 1 : request.slice.count);
    const auto index = static_cast<std::size_t>(request.world == 1 ? 0 : request.slice.index);
    if (index >= ranges.size()) return failure("slice {} is not one of {}", index, ranges.size());
    const auto [first, last] = ranges[index];

    RankRows own;
    own.first = first;
    own.real = last - first;
    for (std::size_t i = 0; i < first; ++i) own.routingOffset += samplesIn(rows[i]);
    for (std::size_t i = first; i < last; ++i) {
        own.routingCount += samplesIn(rows[i]);
        own.rows.push_back(rows[i]);
    }
    std::size_t target = ranges.front().second;  // the first slice is the longest: ceil(n / count)
    if (merges) {
        own.rows = batchRows(own.rows, request.rowBatch);
        target = 0;
        for (const auto& range : ranges) target = std::max(target, mergedCount(rows, range, request.rowBatch));
    }
    if (request.world != 1 && request.pipelineParallel > 1) target = std::max(target, static_cast<std::size_t>(request.pipelineParallel));
    const Json source = own.rows.empty() ? rows.front() : own.rows.back();
    for (; own.rows.size() < target; ++own.fillers) own.rows.push_back(fillerOf(source, request.shortFillerTokens));
    return own;
}

}  // namespace isobit
