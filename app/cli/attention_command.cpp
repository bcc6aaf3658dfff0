// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/ranges.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <ostream>

#include "app/cli/commands.h"
#include "app/cli/programs.h"
#include "app/cli/stop_on_signal.h"
#include "core/arithmetic/attention_evaluate.h"
#include "core/arithmetic/attention_lse.h"
#include "core/golden/attention_invariance.h"

namespace isobit::cli {
namespace {

std::string_view dependenceText(AttentionDependence dependence) {
    switch (dependence) {
        case AttentionDependence::Nothing:
            return "its own keys alone";
        case AttentionDependence::OwnLength:
            return "its request's length";
        case AttentionDependence::WholeLaunch:
            return "the whole launch";
    }
    return "";
}

Json documentOf(const ProgramInvariance& program) {
    Json variants = Json::array();
    for (const InvarianceVariant& variant : program.variants)
        variants.push_back({{"variant", variant.name},
                            {"promised", variant.promised},
                            {"holds", variant.holds()},
                            {"words", variant.words},
                            {"differing", variant.differing},
                            {"problem", variant.problem}});
    return {{"program", program.program},
            {"depends_on", dependenceText(program.dependence)},
            {"holds", program.keepsItsPromise()},
            {"variants", std::move(variants)}};
}

void print(std::ostream& out, const ProgramInvariance& program) {
    out << fmt::format("{}: a row's words depend on {}\n", program.program, dependenceText(program.dependence));
    for (const InvarianceVariant& variant : program.variants) {
        const std::string_view verdict = variant.holds()    ? "equal"
                                         : variant.promised ? "DIFFERS"
                                                            : "differs, as it may";
        out << fmt::format("    {:<42} {:>9} words {:>9} differ  {}\n", variant.name, variant.words, variant.differing,
                           verdict);
        if (!variant.problem.empty()) out << fmt::format("        {}\n", variant.problem);
    }
}

void runInvariance(InvarianceOptions options, bool json, Invocation& invocation) {
    const auto programs = programsOf(options.engine);
    if (!programs) return invocation.cannotRun("attention invariance", programs.error());
    const StopOnSignal signal;
    options.stop = signal.token();
    if (!json)
        options.progress = [&](const ProgramInvariance& program) {
            print(invocation.out, program), invocation.out.flush();
        };
    const auto results = measureInvariance(**programs, options);
    if (!results) return invocation.cannotRun("attention invariance", results.error());
    bool holds = true;
    Json document{{"engine", options.engine}, {"length", options.length}, {"programs", Json::array()}};
    for (const ProgramInvariance& program : *results) {
        holds = holds && program.keepsItsPromise();
        document["programs"].push_back(documentOf(program));
    }
    document["holds"] = holds;
    if (json) invocation.print(document);
    invocation.exitCode = holds ? ExitCode::Holds : ExitCode::Violated;
}

struct EdgeArguments {
    std::vector<std::int64_t> lengths;
    int splits = 0;
    std::int64_t splitLength = 0;
    std::int64_t block = 128;
    bool json = false;
};

std::vector<std::int64_t> beginsOf(const std::vector<KeyRange>& ranges) {
    std::vector<std::int64_t> begins;
    for (const KeyRange& range : ranges) begins.push_back(range.begin);
    return begins;
}

std::string sentenceOf(const std::vector<KeyRange>& kept, bool all) {
    if (all) return "every position of the shorter one keeps its range\n";
    if (kept.empty()) return "no position keeps its range\n";
    std::vector<std::string> stretches;
    for (const KeyRange& range : kept) stretches.push_back(fmt::format("{} to {}", range.begin, range.end - 1));
    return fmt::format("positions {} keep their range, the others do not\n", fmt::join(stretches, ", "));
}

void runEdges(const EdgeArguments& arguments, Invocation& invocation) {
    AttentionArithmetic arithmetic;
    arithmetic.kvBlock = arguments.block;
    arithmetic.split = arguments.splitLength != 0 ? KvSplit::Length : KvSplit::Count;
    arithmetic.splits = std::max(arguments.splits, 1);
    arithmetic.splitLength = arguments.splitLength;
    if (const std::string problem = problemOf(arithmetic); !problem.empty())
        return invocation.cannotRun("attention edges", Error{problem});
    const auto before = splitRanges(arithmetic, arguments.lengths[0], arithmetic.splits);
    const auto after = splitRanges(arithmetic, arguments.lengths[1], arithmetic.splits);
    const std::vector<KeyRange> common = commonRanges(before, after);
    std::int64_t kept = 0;
    for (const KeyRange& range : common) kept += range.end - range.begin;
    const bool holds = kept == std::min(arguments.lengths[0], arguments.lengths[1]);
    if (arguments.json) {
        invocation.print({{"edges", {beginsOf(before), beginsOf(after)}},
                          {"positions_that_keep_their_range", kept},
                          {"holds", holds}});
    } else {
        invocation.out << fmt::format("length {}: ranges begin at {}\nlength {}: ranges begin at {}\n",
                                      arguments.lengths[0], fmt::join(beginsOf(before), ", "), arguments.lengths[1],
                                      fmt::join(beginsOf(after), ", "))
                       << sentenceOf(common, holds);
    }
    invocation.exitCode = holds ? ExitCode::Holds : ExitCode::Violated;
}

// The parser's own conversion takes -1 for 2^64 - 1, and everything above for the same.
std::string seedProblem(const std::string& text) {
    std::uint64_t seed = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, seed);
    return error == std::errc() && rest == end ? std::string()
                                               : fmt::format("'{}': expected a whole number from 0 to 2^64 - 1", text);
}

void addInvariance(CLI::App& attention, Invocation& invocation) {
    CLI::App* command = attention.add_subcommand(
        "invariance",
        "one request alone, in company, in chunks, token by token, on pages: which programs keep its words");
    command->footer(
        "Keys of --json: {engine, length, holds, programs: [{program, depends_on, holds, variants: [{variant, "
        "promised,\n"
        "  holds, words, differing, problem}]}]}.\n"
        "Exit 0: every program keeps what its arithmetic promises; 1: one does not; 2: could not run.");
    const auto options = std::make_shared<InvarianceOptions>();
    const auto json = std::make_shared<bool>(false);
    command->add_option("--engine", options->engine, "whose programs are judged")->capture_default_str();
    command->add_option("--length", options->length, "tokens of the request")
        ->capture_default_str()
        ->check(CLI::Range(1, 16384));
    command->add_option("--head-dim", options->headDim, "64, 128 or 256")
        ->capture_default_str()
        ->check(CLI::IsMember({64, 128, 256}));
    command->add_option("--heads", options->queryHeads, "query heads")
        ->capture_default_str()
        ->check(CLI::Range(1, 128));
    command->add_option("--kv-heads", options->kvHeads, "a divisor of the query heads")
        ->capture_default_str()
        ->check(CLI::Range(1, 128));
    command->add_option("--seed", options->seed, "of the words")->capture_default_str()->check(seedProblem);
    command->add_option("--threads", options->threads, "CPU threads, 0 for all");
    command->add_flag("--json", *json, "print one JSON document");
    command->callback([options, json, &invocation] { runInvariance(*options, *json, invocation); });
}

void addEdges(CLI::App& attention, Invocation& invocation) {
    CLI::App* command = attention.add_subcommand(
        "edges", "where the ranges of keys begin at two lengths, and which positions keep theirs");
    command->footer(
        "Keys of --json: {edges: [[first key]], positions_that_keep_their_range, holds}.\n"
        "Exit 0: every position that both lengths have keeps its range; 1: one does not; 2: could not run.");
    const auto arguments = std::make_shared<EdgeArguments>();
    command->add_option("lengths", arguments->lengths, "two lengths in tokens")
        ->required()
        ->expected(2)
        ->check(CLI::Range(std::int64_t(1), std::int64_t(1) << 24));
    const auto splits =
        command->add_option("--splits", arguments->splits, "a fixed number of ranges")->check(CLI::Range(1, 128));
    command->add_option("--split-length", arguments->splitLength, "ranges of a fixed number of keys")
        ->check(CLI::Range(std::int64_t(1), std::numeric_limits<std::int64_t>::max()))
        ->excludes(splits);
    command->add_option("--block", arguments->block, "keys of a block")
        ->capture_default_str()
        ->check(CLI::Range(16, 4096));
    command->add_flag("--json", arguments->json, "print one JSON document");
    command->callback([arguments, &invocation] { runEdges(*arguments, invocation); });
}

// Seven places where they say something, else the shortest form.
std::string numberText(double value) {
    const double size = std::abs(value);
    return size == 0.0 || (size >= 1e-3 && size < 1e9) ? fmt::format("{:.7f}", value) : fmt::format("{}", value);
}

std::optional<double> finiteNumber(const std::string& text) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (text.empty() || end != text.c_str() + text.size() || !std::isfinite(value)) return std::nullopt;
    return value;
}

std::string finiteProblem(const std::string& text) {
    return finiteNumber(text) ? std::string() : fmt::format("'{}': expected a finite number", text);
}

std::string positiveProblem(const std::string& text) {
    const auto value = finiteNumber(text);
    return value && *value > 0.0 ? std::string() : fmt::format("'{}': expected a finite number above 0", text);
}

struct LseArguments {
    double reference = 0.0;
    double sum = 1.0;
    double observed = 0.0;
    bool json = false;
};

void runLse(const LseArguments& arguments, Invocation& invocation) {
    const std::vector<LseBases> bases = basesOfLse(arguments.reference, arguments.sum, arguments.observed);
    const std::string meaning = meaningOf(bases);
    const double natural = lseInBases(LseBases::Natural, arguments.reference, arguments.sum);
    if (arguments.json)
        invocation.print({{"natural", natural}, {"observed", arguments.observed}, {"meaning", meaning}});
    else
        invocation.out << fmt::format("natural {}, observed {}: {}\n", numberText(natural), numberText(arguments.observed),
                                      meaning);
    const bool holds = !bases.empty() && bases.front() == LseBases::Natural;
    invocation.exitCode = holds ? ExitCode::Holds : ExitCode::Violated;
}

void addLse(CLI::App& attention, Invocation& invocation) {
    CLI::App* command = attention.add_subcommand("lse", "in which bases a stored log-sum-exp was put together");
    command->footer(
        "Keys of --json: {natural, observed, meaning}. Exit 0: it is the natural one,\n"
        "  also where other bases give the same; 1: it is not; 2: could not run.");
    const auto arguments = std::make_shared<LseArguments>();
    command->add_option("--reference", arguments->reference, "m, scaled, natural")->required()->check(finiteProblem);
    command->add_option("--sum", arguments->sum, "l, of exp(s - m)")->required()->check(positiveProblem);
    command->add_option("--observed", arguments->observed, "what was stored")->required()->check(finiteProblem);
    command->add_flag("--json", arguments->json, "print one JSON document");
    command->callback([arguments, &invocation] { runLse(*arguments, invocation); });
}

}  // namespace

void addAttentionCommand(CLI::App& parser, Invocation& invocation) {
    CLI::App* attention =
        parser.add_subcommand("attention", "what a request's attention depends on: invariance, edges, lse");
    attention->require_subcommand(1);
    addInvariance(*attention, invocation);
    addEdges(*attention, invocation);
    addLse(*attention, invocation);
}

}  // namespace isobit::cli
