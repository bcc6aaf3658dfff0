// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/capture_comparison.h"

#include <fmt/ranges.h>

#include <ostream>
#include <regex>

#include "core/base/atomic_file.h"
#include "core/capture/reordering.h"
#include "core/capture/walk_json.h"

namespace isobit::cli {
namespace {

Result<GraphTemplate> graphOf(const std::string& path) {
    if (path.empty()) return builtInGraph();
    const auto text = readTextFile(path);
    if (!text) return failureOf(text);
    return parseGraph(*text, path);
}

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
        default: return "~";
    }
}

void printStep(std::ostream& out, const WalkStep& step) {
    out << fmt::format("{} {:<34} ", markOf(step), step.pair.name);
    if (step.status == TensorStatus::Missing || step.status == TensorStatus::NotComparable)
        out << step.reason;
    else if (step.status == TensorStatus::Equal)
        out << fmt::format("{:>9} elements equal", step.comparison.elements);
    else
        out << fmt::format("{:>9} of {} differ, largest {} ULP", step.comparison.different, step.comparison.elements,
                           step.comparison.maxUlp);
    if (step.pair.match == MatchKind::Renamed || step.pair.match == MatchKind::Slice) out << "  (" << step.pair.how << ")";
    out << '\n';
}

// What the words of the first divergence say about their order; empty where there is none.
Result<std::string> orderOfFirst(const TensorFile& trainer, const TensorFile& sampler, const CaptureWalk& walk) {
    if (!walk.firstDivergence) return std::string();
    const auto words = PairWords::of(trainer, sampler, walk.steps[*walk.firstDivergence].pair);
    if (!words) return failureOf(words);
    return reorderingOf(*words);
}

void printVerdict(std::ostream& out, const CaptureWalk& walk, const std::optional<Replay>& replay, const std::string& order) {
    for (const Comparability& check : walk.checks)
        out << fmt::format("{} {}: {}\n", !check.known ? "not known" : check.holds ? "holds    " : "FAILS    ", check.name,
                           check.found);
    const std::size_t different = walk.count(TensorStatus::Different);
    if (!walk.comparable()) out << "NOT COMPARABLE: a check above fails, so the numbers below it say nothing\n";
    out << fmt::format("{}: {} of {} tensors differ\n", different == 0 ? "EQUAL" : "DIFFERENT", different,
                       walk.steps.size());
    if (walk.firstDivergence) {
        const WalkStep& first = walk.steps[*walk.firstDivergence];
        out << fmt::format("first divergence {}: {} of {} elements, first at {}\n", first.pair.name,
                           first.comparison.different, first.comparison.elements, first.comparison.first->index);
        if (!order.empty()) out << order << '\n';
        out << fmt::format("{}: {}\n", nameOf(first.role), first.why);
        if (!first.captureNext.empty()) out << fmt::format("capture next: {}\n", fmt::join(first.captureNext, ", "));
    }
    if (replay)
        out << fmt::format("decision-time log-probabilities: {} of {} words differ{}, K3 {:.6e}\n", replay->different,
                           replay->tokens,
                           replay->firstDivergentToken ? fmt::format(", first at token {}", *replay->firstDivergentToken) : "",
                           replay->k3);
}

}  // namespace

void compareCaptures(Invocation& invocation, const TensorFile& trainer, const TensorFile& sampler,
                     const CaptureArguments& arguments) {
    const auto graph = graphOf(arguments.graphPath);
    if (!graph) return invocation.cannotRun("compare", graph.error());
    std::optional<std::regex> only;
    try {
        only.emplace(arguments.only);
    } catch (const std::regex_error&) {
        return invocation.cannotRun("compare", Error{fmt::format("--only {}: is not a regular expression", arguments.only)});
    }
    WalkOptions options{arguments.threads, {}, {}};
    if (invocation.progressBar)
        options.progress = [&](const WalkStep& step) { invocation.err << "\r\x1b[K" << step.pair.name << std::flush; };
    auto walk = walkCaptures(trainer, sampler, *graph, options);
    if (invocation.progressBar) invocation.err << "\r\x1b[K" << std::flush;
    if (!walk) return invocation.cannotRun("compare", walk.error());
    const auto replay = replayOf(trainer, sampler);
    if (!replay) return invocation.cannotRun("compare", replay.error());

    const auto order = orderOfFirst(trainer, sampler, *walk);
    if (!order) return invocation.cannotRun("compare", order.error());

    Json document = toJson(*walk, *replay);
    if (!order->empty()) document["first_divergence"]["order"] = *order;
    const std::string verdict = document["verdict"].get<std::string>();
    invocation.exitCode = verdict == "equal"       ? ExitCode::Holds
                          : verdict == "different" ? ExitCode::Violated
                                                   : ExitCode::CannotRun;
    if (arguments.json) return invocation.print(document);
    for (const WalkStep& step : walk->steps)
        if (std::regex_search(step.pair.name, *only)) printStep(invocation.out, step);
    printVerdict(invocation.out, *walk, *replay, *order);
}

}  // namespace isobit::cli
