// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/capture/routing.h"

#include <algorithm>
#include <cassert>

#include "core/capture/pair_words.h"
#include "core/capture/token_alignment.h"

namespace isobit {
namespace {

enum class Change { None, Order, Set };

Change changeOf(std::span<const std::int64_t> trainer, std::span<const std::int64_t> sampler) {
    if (std::ranges::equal(trainer, sampler)) return Change::None;
    std::vector<std::int64_t> a(trainer.begin(), trainer.end()), b(sampler.begin(), sampler.end());
    std::ranges::sort(a);
    std::ranges::sort(b);
    return a == b ? Change::Order : Change::Set;
}

std::vector<Change> changesOf(std::span<const std::int64_t> trainer, std::span<const std::int64_t> sampler,
                              std::int64_t perToken) {
    assert(trainer.size() == sampler.size());
    std::vector<Change> changes;
    const auto each = static_cast<std::size_t>(perToken);
    for (std::size_t at = 0; each > 0 && at + each <= trainer.size(); at += each)
        changes.push_back(changeOf(trainer.subspan(at, each), sampler.subspan(at, each)));
    return changes;
}

RoutingDifference countOf(std::string tensor, const std::vector<Change>& changes) {
    RoutingDifference difference;
    difference.tensor = std::move(tensor);
    difference.tokens = static_cast<std::int64_t>(changes.size());
    difference.setChanged = std::ranges::count(changes, Change::Set);
    difference.orderChanged = std::ranges::count(changes, Change::Order);
    if (const auto first = std::ranges::find(changes, Change::Set); first != changes.end())
        difference.firstSetChange = first - changes.begin();
    return difference;
}

bool isRouting(const NameBook& book, const TensorPair& pair) {
    const std::string standard = book.standardName(pair.name);
    return standard == "topk_ids" || standard.ends_with(".topk_ids");
}

bool isInteger(DType dtype) { return dtype >= DType::I8 && dtype <= DType::U64; }

}  // namespace

RoutingDifference compareRouting(std::span<const std::int64_t> trainer, std::span<const std::int64_t> sampler,
                                 std::int64_t perToken) {
    return countOf("", changesOf(trainer, sampler, perToken));
}

Result<std::optional<RoutingReport>> routingOf(const TensorFile& trainer, const TensorFile& sampler,
                                               const GraphTemplate& graph, const std::vector<TensorPair>& pairs) {
    const NameBook book(graph);
    RoutingReport report;
    std::vector<Change> any;
    for (const TensorPair& pair : pairs) {
        if (!pair.trainer || !pair.sampler || !pair.problem.empty() || !isRouting(book, pair)) continue;
        const Shape shape = selectedShape(trainer, *pair.trainer, pair.trainerPart);
        if (shape != selectedShape(sampler, *pair.sampler, pair.samplerPart) || shape.size() < 2) continue;
        if (!isInteger(trainer.tensors()[*pair.trainer].dtype) || !isInteger(sampler.tensors()[*pair.sampler].dtype)) continue;
        const auto ours = readIntegers(trainer, *pair.trainer, pair.trainerPart);
        if (!ours) return failureOf(ours);
        const auto theirs = readIntegers(sampler, *pair.sampler, pair.samplerPart);
        if (!theirs) return failureOf(theirs);
        const std::vector<Change> changes = changesOf(*ours, *theirs, shape.back());
        report.layers.push_back(countOf(pair.name, changes));
        if (any.empty()) any.resize(changes.size(), Change::None);
        for (std::size_t i = 0; i < std::min(any.size(), changes.size()); ++i) any[i] = std::max(any[i], changes[i]);
    }
    if (report.layers.empty()) return std::optional<RoutingReport>();
    report.anyLayer = countOf("", any);
    return std::optional<RoutingReport>(std::move(report));
}

}  // namespace isobit
