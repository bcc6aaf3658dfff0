// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/capture/walk_text.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "core/capture/walk_json.h"
#include "core/compare/comparison_text.h"
#include "core/tensors/confinement.h"

namespace isobit {
namespace {

constexpr std::size_t kTensorLines = 16;

// One character that says the role in a column: the culprit stands out, what is inherited recedes.
std::string_view markOf(const WalkStep& step) {
    switch (step.status) {
        case TensorStatus::Equal: return "=";
        case TensorStatus::Missing: return "-";
        case TensorStatus::NotComparable: return "!";
        case TensorStatus::Different: break;
    }
    switch (step.role) {
        case Role::Culprit: return "#";
        case Role::CannotSay: return "?";
        case Role::Inherited:
        case Role::None: break;
    }
    return "~";
}

std::string largestText(const Comparison& comparison) {
    std::string text = fmt::format("largest {} ULP", comparison.maxUlp);
    if (comparison.largest && !comparison.largest->ulp)
        text += ulpDistance(comparison.dtype, 0, 0) ? " and a NaN" : " since these words have no order";
    return text;
}

std::string tensorLine(const WalkStep& step) {
    std::string line = fmt::format("{} {:<34} ", markOf(step), printable(step.pair.name));
    if (step.status == TensorStatus::Missing || step.status == TensorStatus::NotComparable)
        line += step.reason;
    else if (step.status == TensorStatus::Equal)
        line += fmt::format("{} elements equal", step.comparison.elements);
    else
        line += fmt::format("{} of {} differ, {}", step.comparison.different, step.comparison.elements,
                            largestText(step.comparison));
    const bool renamed = step.pair.match != MatchKind::Exact && step.pair.match != MatchKind::Missing;
    if (renamed) line += fmt::format("  ({})", printable(step.pair.how));
    if (!step.pair.aligned.empty()) line += fmt::format("  ({})", step.pair.aligned);
    return line + '\n';
}

bool isCalm(const WalkStep& step) {
    return step.status == TensorStatus::Equal && step.pair.match != MatchKind::Position;
}

// Runs of equal tensors in one line; the rest one by one, as far as a screen goes.
std::string shortList(const std::vector<WalkStep>& steps) {
    std::string text;
    std::size_t lines = 0, left = 0, leftDifferent = 0;
    for (std::size_t i = 0; i < steps.size();) {
        std::size_t end = i;
        while (end < steps.size() && isCalm(steps[end])) ++end;
        if (lines >= kTensorLines) {
            leftDifferent += steps[i].status == TensorStatus::Different ? 1 : 0;
            ++left, ++i;
            continue;
        }
        ++lines;
        if (end - i > 2) {
            text += fmt::format("= {} tensors equal, {} to {}\n", end - i, printable(steps[i].pair.name),
                                printable(steps[end - 1].pair.name));
            i = end;
        } else {
            text += tensorLine(steps[i++]);
        }
    }
    if (left > 0) text += fmt::format("  {} more tensors, {} of them differ; --all lists every one\n", left, leftDifferent);
    return text;
}

std::string tensorList(const CaptureWalk& walk, const WalkTextOptions& options) {
    std::string text = fmt::format("tensors in the order of {}\n",
                                   walk.order == OrderKind::Graph    ? "the graph " + printable(walk.graph)
                                   : walk.order == OrderKind::Layers ? "layer numbers"
                                   : walk.order == OrderKind::File   ? "the trainer's file"
                                                                     : "the given list");
    if (!options.allTensors && !options.only) return text + shortList(walk.steps);
    for (const WalkStep& step : walk.steps)
        if (!options.only || std::regex_search(step.pair.name, *options.only)) text += tensorLine(step);
    return text;
}

std::string firstText(const WalkStep& first, const std::string& order) {
    const Comparison& comparison = first.comparison;
    std::string text = fmt::format("first divergence {}: {} of {} elements ({:.3g}%), {} {}, {}\n",
                                   printable(first.pair.name), comparison.different, comparison.elements,
                                   100.0 * static_cast<double>(comparison.different) / static_cast<double>(comparison.elements),
                                   nameOf(comparison.dtype), textOf(first.shape), largestText(comparison));
    Comparison one = comparison;
    one.listed.resize(std::min<std::size_t>(1, one.listed.size()));
    text += "  " + listText(one, first.shape);
    if (!order.empty()) text += "  " + order + '\n';
    if (!first.belongsTo.empty()) text += fmt::format("belongs to {}; no activation differs\n", first.belongsTo);
    if (first.role != Role::None)
        text += fmt::format("{}: {}\n", first.role == Role::CannotSay ? "cannot say" : nameOf(first.role), printable(first.why));
    else if (first.belongsTo.empty())
        text += "no operation of the graph makes it, so whether its input was equal is not known; --graph takes another\n";
    if (!first.captureNext.empty()) text += fmt::format("capture next: {}\n", fmt::join(first.captureNext, ", "));
    return text;
}

std::string verdictText(const CaptureWalk& walk) {
    const std::size_t different = walk.count(TensorStatus::Different);
    const std::size_t missing = walk.count(TensorStatus::Missing), odd = walk.count(TensorStatus::NotComparable);
    std::string text;
    for (const Comparability& check : walk.checks)
        if (check.failed() && check.blocks)
            text += fmt::format("NOT COMPARABLE: {}: {}; the numbers below say nothing of arithmetic\n", check.name, check.found);
    const std::string_view verdict = verdictOf(walk);
    if (walk.steps.empty()) return text + "NOT COMPARABLE: neither side holds a tensor\n";
    if (different > 0) text += fmt::format("DIFFERENT: {} of {} tensors differ", different, walk.steps.size());
    else if (verdict == "equal") text += fmt::format("EQUAL: all {} tensors", walk.steps.size());
    else text += fmt::format("NO DIFFERENCE in the {} of {} tensors that could be compared", walk.count(TensorStatus::Equal),
                             walk.steps.size());
    if (missing > 0) text += fmt::format(", {} missing on one side", missing);
    if (odd > 0) text += fmt::format(", {} not comparable", odd);
    return text + '\n';
}

std::string checksText(const CaptureWalk& walk) {
    std::vector<std::string> holding, unknown;
    std::string text;
    for (const Comparability& check : walk.checks) {
        if (!check.known) unknown.push_back(check.name);
        else if (check.holds) holding.push_back(check.name);
        else if (!check.blocks) text += fmt::format("label {}: {}\n", check.name, check.found);
    }
    if (!holding.empty()) text += fmt::format("checks that hold: {}\n", fmt::join(holding, ", "));
    if (!unknown.empty()) text += fmt::format("not known: {}\n", fmt::join(unknown, ", "));
    if (!walk.uncovered.empty())
        text += fmt::format("not covered: {} (operations of the graph {} of which no output was compared)\n",
                            printable(fmt::format("{}", fmt::join(walk.uncovered, ", "))), printable(walk.graph));
    for (const std::string& note : walk.notes) text += fmt::format("note: {}\n", note);
    return text;
}

std::string oddText(const Replay& replay) {
    std::string text;
    if (replay.offset)
        text += fmt::format("offset by {}: the sampler's word i{:+} is the trainer's word i, so labels were shifted\n",
                            *replay.offset, *replay.offset);
    if (replay.impossible > 0)
        text += fmt::format("impossible: {} tokens have a log-probability that no sampled token has, first at token {}\n",
                            replay.impossible, *replay.firstImpossible);
    if (!replay.aligned.empty()) text += fmt::format("tokens: {}\n", replay.aligned);
    return text;
}

}  // namespace

std::string textOf(const CaptureWalk& walk, const std::optional<Replay>& replay, const WalkTextOptions& options) {
    std::string text = verdictText(walk);
    if (walk.firstDivergence) text += firstText(walk.steps[*walk.firstDivergence], options.order);
    if (replay) {
        text += fmt::format("log-probabilities: {} of {} words differ{}, K3 {:.6e}\n", replay->different, replay->tokens,
                            replay->firstDivergentToken ? fmt::format(", first at token {}", *replay->firstDivergentToken) : "",
                            replay->k3);
        text += oddText(*replay);
    }
    return text + checksText(walk) + tensorList(walk, options);
}

std::string textOf(const RoutingReport& report) {
    const RoutingDifference& any = report.anyLayer;
    std::string text = fmt::format("routing: {} of {} tokens with other experts in at least one of {} layers, {} more in another order\n",
                                   any.setChanged, any.tokens, report.layers.size(), any.orderChanged);
    const auto first = std::ranges::find_if(report.layers, [](const auto& layer) { return layer.setChanged > 0; });
    if (first != report.layers.end())
        text += fmt::format("  first {}: {} of {} tokens, first token {}\n", printable(first->tensor), first->setChanged,
                            first->tokens, *first->firstSetChange);
    return text;
}

std::string textOf(const Replay& replay) {
    std::string text = fmt::format("{}: {} of {} decision-time words differ\n",
                                   replay.different == 0 ? "EQUAL" : "DIFFERENT", replay.different, replay.tokens);
    if (replay.firstDivergentToken) text += fmt::format("first divergent token: {}\n", *replay.firstDivergentToken);
    text += fmt::format("K3 {:.9e} (largest {:.3e}), |d| mean {:.3e}, largest {:.3e}\n", replay.k3, replay.k3Largest,
                        replay.meanAbsolute, replay.largestAbsolute);
    return text + oddText(replay);
}

}  // namespace isobit
