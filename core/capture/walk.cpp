// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/capture/walk.h"

#include <algorithm>

#include "core/capture/pair_words.h"
#include "core/capture/roles.h"
#include "core/capture/tensor_comparison.h"
#include "core/capture/token_alignment.h"

namespace isobit {
namespace {

Result<WalkStep> compareStep(const TensorFile& trainer, const TensorFile& sampler, TensorPair pair,
                             const WalkOptions& options) {
    WalkStep step;
    step.pair = std::move(pair);
    if (!step.pair.trainer || !step.pair.sampler) {
        step.reason = step.pair.how;
        return step;
    }
    step.reason = step.pair.problem.empty() ? incomparable(trainer, sampler, step.pair) : step.pair.problem;
    if (!step.reason.empty()) {
        step.status = TensorStatus::NotComparable;
        return step;
    }
    const auto words = PairWords::of(trainer, sampler, step.pair);
    if (!words) return failureOf(words);
    auto comparison = comparePair(*words, {.threads = options.threads, .stop = options.stop});
    if (!comparison) return failureOf(comparison);
    step.shape = words->shape();
    step.comparison = std::move(*comparison);
    step.status = step.comparison.equal() ? TensorStatus::Equal : TensorStatus::Different;
    return step;
}

/// The checks that need tensors: identities by value, weights and types by what became of the steps.
class TensorChecks {
public:
    TensorChecks(const TensorFile& trainer, const TensorFile& sampler, const OperationIndex& index, const CaptureWalk& walk)
        : m_trainer(trainer), m_sampler(sampler), m_index(index), m_walk(walk) {}

    [[nodiscard]] Comparability identity(const std::string& name) const {
        const auto step = std::find_if(m_walk.steps.begin(), m_walk.steps.end(), [&](const WalkStep& one) {
            return m_index.book().standardName(one.pair.name) == name;
        });
        if (step == m_walk.steps.end() || step->status == TensorStatus::Missing)
            return {name, false, false, "not captured on both sides"};
        if (step->status == TensorStatus::Equal)
            return {name, true, true, fmt::format("{} elements, all equal", step->comparison.elements)};
        return ofValues(name, *step);
    }

    // Captured weights that differ make every number below them one of other weights.
    void addCapturedWeights(Comparability& weights) const {
        std::size_t captured = 0, different = 0;
        std::string first;
        for (const WalkStep& step : m_walk.steps) {
            if (!isWeight(step)) continue;
            ++captured;
            if (step.status == TensorStatus::Equal) continue;
            if (++different == 1) first = step.pair.name;
        }
        if (captured == 0) return;
        const std::string sentence = different == 0
                                         ? fmt::format("{} captured weights are equal", captured)
                                         : fmt::format("{} of {} captured weights differ, first {}", different, captured, first);
        weights.found = weights.known ? weights.found + "; " + sentence : sentence;
        weights.holds = (weights.holds || !weights.known) && different == 0;
        weights.known = true;
    }

    // Words of different types cannot be equal or differ.
    void addTypes(Comparability& types) const {
        std::size_t other = 0;
        std::string first;
        for (const WalkStep& step : m_walk.steps) {
            if (!step.pair.trainer || !step.pair.sampler) continue;
            if (step.status == TensorStatus::Equal) continue;
            const DType ours = m_trainer.tensors()[*step.pair.trainer].dtype;
            const DType theirs = m_sampler.tensors()[*step.pair.sampler].dtype;
            if (ours == theirs) continue;
            if (++other == 1) first = fmt::format("{}: {} and {}", step.pair.name, nameOf(ours), nameOf(theirs));
        }
        const std::string sentence = other == 0 ? "all pairs are of one type"
                                                : fmt::format("{} pairs are of two types, first {}", other, first);
        types.found = types.known ? types.found + "; " + sentence : sentence;
        types.holds = (types.holds || !types.known) && other == 0;
        types.known = true;
    }

private:
    // Token ids may be of another width on each side and still be the same.
    [[nodiscard]] Comparability ofValues(const std::string& name, const WalkStep& step) const {
        if (!step.pair.problem.empty()) return {name, false, true, step.pair.problem};
        const auto ours = readIntegers(m_trainer, *step.pair.trainer, step.pair.trainerPart);
        const auto theirs = readIntegers(m_sampler, *step.pair.sampler, step.pair.samplerPart);
        if (!ours || !theirs) return {name, false, true, !ours ? ours.error().message : theirs.error().message};
        if (ours->size() != theirs->size())
            return {name, false, true, fmt::format("{} on the trainer's side and {} on the sampler's", ours->size(), theirs->size())};
        std::size_t different = 0, first = 0;
        for (std::size_t i = ours->size(); i-- > 0;)
            if ((*ours)[i] != (*theirs)[i]) ++different, first = i;
        if (different == 0) return {name, true, true, fmt::format("{} values, all equal", ours->size())};
        return {name, false, true,
                fmt::format("{} of {} differ, first at {}: {} and {}", different, ours->size(), first, (*ours)[first],
                            (*theirs)[first])};
    }

    [[nodiscard]] bool isWeight(const WalkStep& step) const {
        if (step.status == TensorStatus::Missing) return false;
        const std::string& name = step.pair.name;
        return name.ends_with(".weight") || name.ends_with(".bias") || name.ends_with("_weight");
    }

    const TensorFile& m_trainer;
    const TensorFile& m_sampler;
    const OperationIndex& m_index;
    const CaptureWalk& m_walk;
};

// Identities count by value: token ids of another width are the same tokens.
void acceptValues(CaptureWalk& walk, const OperationIndex& index, const std::string& name, const std::string& found) {
    for (WalkStep& step : walk.steps) {
        if (step.status != TensorStatus::NotComparable || index.book().standardName(step.pair.name) != name) continue;
        step.status = TensorStatus::Equal;
        step.reason = fmt::format("{} by value; {}", found, step.reason);
    }
}

void addChecks(const TensorFile& trainer, const TensorFile& sampler, const GraphTemplate& graph,
               const OperationIndex& index, const std::string& inputRoot, CaptureWalk& walk) {
    const SideFacts ours = factsOf(trainer, inputRoot), theirs = factsOf(sampler, inputRoot);
    for (const SideFacts* facts : {&ours, &theirs})
        walk.notes.insert(walk.notes.end(), facts->notes.begin(), facts->notes.end());
    const TensorChecks tensors(trainer, sampler, index, walk);
    for (const NamedTensors& identity : graph.identities) {
        walk.checks.push_back(tensors.identity(identity.name));
        if (walk.checks.back().holds) acceptValues(walk, index, identity.name, walk.checks.back().found);
    }
    for (Comparability& check : checkFacts(ours, theirs)) {
        if (check.name == "weights") tensors.addCapturedWeights(check);
        if (check.name == "dtype") tensors.addTypes(check);
        walk.checks.push_back(std::move(check));
    }
}

void findFirstDivergence(CaptureWalk& walk) {
    std::optional<std::size_t> owned;
    for (std::size_t i = 0; i < walk.steps.size() && !walk.firstDivergence; ++i) {
        if (walk.steps[i].status != TensorStatus::Different) continue;
        if (walk.steps[i].belongsTo.empty()) walk.firstDivergence = i;
        else if (!owned) owned = i;
    }
    if (!walk.firstDivergence) walk.firstDivergence = owned;
}

// A fused output stands for every operation that it holds a part of; its step has its own name.
bool isMadeIn(const WalkStep& step, const OperationNode& node) {
    return step.operation == node.operation || std::ranges::any_of(node.partOf, [&](const std::string& fused) {
               return fused.substr(fused.rfind('.') + 1) == step.operation;
           });
}

void findUncovered(const GraphTemplate& graph, CaptureWalk& walk) {
    const auto isCompared = [&](const OperationNode& node) {
        return std::ranges::any_of(walk.steps, [&](const WalkStep& step) {
            return (step.status == TensorStatus::Equal || step.status == TensorStatus::Different) && isMadeIn(step, node);
        });
    };
    std::vector<std::string> compared;
    for (const auto* part : {&graph.before, &graph.block, &graph.after})
        for (const OperationNode& node : *part) (isCompared(node) ? compared : walk.uncovered).push_back(node.operation);
    // An operation with two outputs, as RoPE of q and k, is covered by one of them.
    std::erase_if(walk.uncovered, [&](const std::string& name) { return std::ranges::find(compared, name) != compared.end(); });
    walk.uncovered.erase(std::unique(walk.uncovered.begin(), walk.uncovered.end()), walk.uncovered.end());
}

}  // namespace

std::string_view nameOf(TensorStatus status) {
    switch (status) {
        case TensorStatus::Equal: return "equal";
        case TensorStatus::Different: return "different";
        case TensorStatus::Missing: return "missing";
        case TensorStatus::NotComparable: return "not_comparable";
    }
    return "";
}

std::string_view nameOf(Role role) {
    switch (role) {
        case Role::None: return "none";
        case Role::Culprit: return "culprit";
        case Role::Inherited: return "inherited";
        case Role::CannotSay: return "cannot_say";
    }
    return "";
}

bool CaptureWalk::comparable() const {
    return std::none_of(checks.begin(), checks.end(),
                        [](const Comparability& check) { return check.failed() && check.blocks; });
}

std::size_t CaptureWalk::count(TensorStatus status) const {
    return static_cast<std::size_t>(
        std::count_if(steps.begin(), steps.end(), [&](const WalkStep& step) { return step.status == status; }));
}

Result<CaptureWalk> walkCaptures(const TensorFile& trainer, const TensorFile& sampler, const GraphTemplate& graph,
                                 const WalkOptions& options) {
    std::vector<TensorPair> pairs = options.pairs ? *options.pairs : pairTensors(trainer, sampler, graph);
    std::vector<std::string> names;
    for (const TensorPair& pair : pairs) names.push_back(pair.name);
    const OperationIndex index(graph, names);
    CaptureWalk walk;
    walk.graph = graph.name;
    walk.order = options.order.kind;
    walk.notes = sortPairs(pairs, index, options.order);
    for (TensorPair& pair : pairs) {
        if (options.stop.stop_requested()) return failure("stopped after {} of {} tensors", walk.steps.size(), pairs.size());
        auto step = compareStep(trainer, sampler, std::move(pair), options);
        if (!step) return failureOf(step);
        walk.steps.push_back(std::move(*step));
        if (options.progress) options.progress(walk.steps.back());
    }
    assignRoles(walk.steps, index);
    findFirstDivergence(walk);
    findUncovered(graph, walk);
    addChecks(trainer, sampler, graph, index, options.inputRoot, walk);
    return walk;
}

}  // namespace isobit
