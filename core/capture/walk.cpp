// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/capture/walk.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/capture/tensor_comparison.h"

namespace isobit {
namespace {

/// The operations of one walk, and what was captured of their outputs.
class Graph {
public:
    Graph(const GraphTemplate& graph, const std::vector<TensorPair>& pairs) {
        std::vector<std::string> names;
        for (const TensorPair& pair : pairs) names.push_back(pair.name);
        m_nodes = expandGraph(graph, layersIn(graph, names));
        for (std::size_t i = 0; i < m_nodes.size(); ++i) m_place.emplace(m_nodes[i].output, i);
    }

    [[nodiscard]] const OperationNode* maker(const std::string& tensor) const {
        const auto found = m_place.find(tensor);
        return found == m_place.end() ? nullptr : &m_nodes[found->second];
    }

    // Execution order; tensors that no operation makes come first, in the order of the file.
    [[nodiscard]] std::size_t place(const std::string& tensor) const {
        const auto found = m_place.find(tensor);
        return found == m_place.end() ? 0 : found->second + 1;
    }

private:
    std::vector<OperationNode> m_nodes;
    std::map<std::string, std::size_t> m_place;
};

/// What the captured tensors say of an operation's inputs, seen through inputs that were not captured.
struct Ancestry {
    std::vector<std::string> differing;    // captured inputs whose words differ
    std::vector<std::string> uncaptured;   // inputs that were not captured
    std::vector<std::string> suspects;     // operations that made those, up to captured tensors
};

using StatusByName = std::map<std::string, TensorStatus>;

void inspect(const OperationNode& node, const Graph& graph, const StatusByName& statuses, std::set<std::string>& seen,
             Ancestry& ancestry) {
    for (const std::string& input : node.inputs) {
        if (!seen.insert(input).second) continue;
        const auto status = statuses.find(input);
        const bool captured = status != statuses.end() && (status->second == TensorStatus::Equal ||
                                                           status->second == TensorStatus::Different);
        if (captured) {
            if (status->second == TensorStatus::Different) ancestry.differing.push_back(input);
            continue;
        }
        ancestry.uncaptured.push_back(input);
        if (const OperationNode* maker = graph.maker(input)) {
            ancestry.suspects.push_back(maker->operation);
            inspect(*maker, graph, statuses, seen, ancestry);
        }
    }
}

std::string sentenceOf(const OperationNode& node, const StatusByName& statuses, std::vector<std::string>& captureNext) {
    std::vector<std::string> uncaptured;
    for (const std::string& owned : node.owns)
        if (!statuses.contains(owned)) uncaptured.push_back(owned);
    captureNext.insert(captureNext.end(), uncaptured.begin(), uncaptured.end());
    std::string sentence = fmt::format("{} is equal and the output of {} differs", fmt::join(node.inputs, ", "), node.operation);
    if (!uncaptured.empty())
        sentence += fmt::format("; {} belong to it and were not captured", fmt::join(uncaptured, ", "));
    return sentence;
}

void assignRole(WalkStep& step, const Graph& graph, const StatusByName& statuses) {
    const OperationNode* node = graph.maker(step.pair.name);
    if (node == nullptr) return;
    step.operation = node->operation;
    if (step.status != TensorStatus::Different) return;
    Ancestry ancestry;
    std::set<std::string> seen;
    inspect(*node, graph, statuses, seen, ancestry);
    if (!ancestry.differing.empty()) {
        step.role = Role::Inherited;
        step.why = fmt::format("{} already differs", ancestry.differing.front());
    } else if (ancestry.uncaptured.empty()) {
        step.role = Role::Culprit;
        step.why = sentenceOf(*node, statuses, step.captureNext);
    } else {
        step.role = Role::CannotSay;
        ancestry.suspects.push_back(node->operation);
        step.why = fmt::format("{}: its input {} was not captured, and what that is made from is equal",
                               fmt::join(ancestry.suspects, " or "), fmt::join(ancestry.uncaptured, ", "));
        step.captureNext = ancestry.uncaptured;
    }
}

Result<WalkStep> compareStep(const TensorFile& trainer, const TensorFile& sampler, TensorPair pair,
                             const WalkOptions& options) {
    WalkStep step;
    step.pair = std::move(pair);
    if (step.pair.match == MatchKind::Missing) {
        step.reason = step.pair.how;
        return step;
    }
    step.reason = incomparable(trainer, sampler, step.pair);
    if (!step.reason.empty()) {
        step.status = TensorStatus::NotComparable;
        return step;
    }
    const auto words = PairWords::of(trainer, sampler, step.pair);
    if (!words) return failureOf(words);
    auto comparison = comparePair(*words, {.threads = options.threads, .stop = options.stop});
    if (!comparison) return failureOf(comparison);
    step.comparison = std::move(*comparison);
    step.status = step.comparison.equal() ? TensorStatus::Equal : TensorStatus::Different;
    return step;
}

std::vector<Comparability> checksOf(const GraphTemplate& graph, const std::vector<WalkStep>& steps) {
    std::vector<Comparability> checks;
    for (const std::string& identity : graph.identities) {
        const auto found = std::find_if(steps.begin(), steps.end(), [&](const WalkStep& s) { return s.pair.name == identity; });
        if (found == steps.end() || found->status == TensorStatus::Missing) {
            checks.push_back({identity, false, false, "not captured on both sides"});
            continue;
        }
        const bool equal = found->status == TensorStatus::Equal;
        const std::string sentence =
            equal ? fmt::format("{} elements, all equal", found->comparison.elements)
            : found->status == TensorStatus::NotComparable
                ? found->reason
                : fmt::format("{} of {} elements differ: the two sides did not see the same thing",
                              found->comparison.different, found->comparison.elements);
        checks.push_back({identity, equal, true, sentence});
    }
    return checks;
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
    return std::none_of(checks.begin(), checks.end(), [](const Comparability& check) { return check.known && !check.holds; });
}

std::size_t CaptureWalk::count(TensorStatus status) const {
    return static_cast<std::size_t>(
        std::count_if(steps.begin(), steps.end(), [&](const WalkStep& step) { return step.status == status; }));
}

Result<CaptureWalk> walkCaptures(const TensorFile& trainer, const TensorFile& sampler, const GraphTemplate& graphTemplate,
                                 const WalkOptions& options) {
    std::vector<TensorPair> pairs = pairTensors(trainer, sampler);
    const Graph graph(graphTemplate, pairs);
    std::stable_sort(pairs.begin(), pairs.end(), [&](const TensorPair& a, const TensorPair& b) {
        return graph.place(a.name) < graph.place(b.name);
    });
    CaptureWalk walk;
    StatusByName statuses;
    for (TensorPair& pair : pairs) {
        if (options.stop.stop_requested()) return failure("stopped after {} of {} tensors", walk.steps.size(), pairs.size());
        auto step = compareStep(trainer, sampler, std::move(pair), options);
        if (!step) return failureOf(step);
        statuses[step->pair.name] = step->status;
        walk.steps.push_back(std::move(*step));
        if (options.progress) options.progress(walk.steps.back());
    }
    for (std::size_t i = 0; i < walk.steps.size(); ++i) {
        assignRole(walk.steps[i], graph, statuses);
        if (!walk.firstDivergence && walk.steps[i].status == TensorStatus::Different) walk.firstDivergence = i;
    }
    walk.checks = checksOf(graphTemplate, walk.steps);
    return walk;
}

}  // namespace isobit
