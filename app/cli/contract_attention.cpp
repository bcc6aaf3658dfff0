// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/contract_attention.h"

#include <fmt/ranges.h>

#include <ostream>

#include "core/base/atomic_file.h"
#include "core/contracts/attention_pair.h"

namespace isobit::cli {
namespace {

Json documentOf(const DescribedAttention& described, const AttentionSide& side) {
    Json document{{"requested", described.requested},
                  {"registered", registeredAttentions(described.builds)},
                  {"q_heads", described.queryHeads},
                  {"kv_heads", described.kvHeads},
                  {"build_id", described.buildId},
                  {"refusal", side.refusal}};
    if (!side.plan) return document;
    const AttentionPlan& plan = *side.plan;
    document["build"] = nameOf(plan.build);
    document["entry"] = nameOf(plan.entry);
    document["arguments"] = {{"scale", plan.scale ? Json(*plan.scale) : Json()},
                             {"causal", plan.causal},
                             {"window", plan.window},
                             {"softcap", plan.softcap},
                             {"num_splits", plan.numSplits ? Json(*plan.numSplits) : Json("not passed: 1")},
                             {"deterministic", plan.deterministic ? Json(*plan.deterministic) : Json("not passed")},
                             {"cu_seqlens", plan.cuQ},
                             {"max_length", plan.mostQueries},
                             {"cache_lengths", plan.cacheLengths},
                             {"page_table_shape", {plan.cacheLengths.size(), plan.tableWidth}}};
    if (plan.placement) document["context_parallel"] = nameOf(*plan.placement);
    document["warnings"] = plan.warnings;
    return document;
}

void print(std::ostream& out, std::string_view name, const AttentionSide& side) {
    if (!side.plan) {
        out << fmt::format("{}: refused\n", name);
        return;
    }
    const AttentionPlan& plan = *side.plan;
    out << fmt::format("{}: {}, entry {}, causal {}, window {}, num_splits {}\n", name, nameOf(plan.build),
                       nameOf(plan.entry), plan.causal, plan.window.empty() ? "none" : plan.window, plan.splits());
    for (const std::string& warning : plan.warnings) out << fmt::format("    warning: {}\n", warning);
}

void runAttention(const std::string& path, bool json, Invocation& invocation) {
    const auto text = readTextFile(path);
    if (!text) return invocation.cannotRun("contract attention", text.error());
    const auto document = parseJsonStrictly(*text, path);
    if (!document) return invocation.cannotRun("contract attention", document.error());
    const auto pair = readDescribedPair(*document, path);
    if (!pair) return invocation.cannotRun("contract attention", pair.error());
    const AttentionVerdict verdict = judgeAttention(*pair);
    if (json) {
        invocation.print({{"holds", verdict.holds()},
                          {"reasons", verdict.reasons},
                          {"trainer", documentOf(pair->trainer, verdict.trainer)},
                          {"sampler", documentOf(pair->sampler, verdict.sampler)}});
    } else {
        print(invocation.out, "trainer", verdict.trainer);
        print(invocation.out, "sampler", verdict.sampler);
        if (verdict.holds()) invocation.out << "both sides run one kernel build with one set of arguments, unsplit\n";
        for (const std::string& reason : verdict.reasons) invocation.out << fmt::format("- {}\n", reason);
    }
    invocation.exitCode = verdict.holds() ? ExitCode::Holds : ExitCode::Violated;
}

}  // namespace

void addContractAttention(CLI::App& contract, Invocation& invocation) {
    CLI::App* attention = contract.add_subcommand(
        "attention", "whether a described trainer and sampler run one attention: build, route, arguments, refusals");
    attention->footer(
        "DESCRIPTION: {\"trainer\": SIDE, \"sampler\": SIDE}. A SIDE's keys, all but the first two optional:\n"
        "  requested (eager, native, flash_attention_2, _3, _4), build_id, builds {cudnn, fa3, fa4, serving_kernel},\n"
        "  environment {name: text}, arithmetic, batch, query_tokens, key_tokens, value_tokens, cu_seqlens_q, "
        "cu_seqlens_k,\n"
        "  max_length_q, max_length_k, q_heads, kv_heads, scale, causal, causal_argument, window, softcap, num_splits,\n"
        "  deterministic, sinks, output_attentions, head_mask, context_parallel {variant, degree, ring}.\n"
        "Exit 0: one arithmetic; 1: not, each reason a sentence; 2: could not run. Keys of --json: {holds, reasons,\n"
        "  trainer, sampler: {requested, registered, q_heads, kv_heads, build_id, refusal, build, entry, arguments, "
        "warnings}}.");
    const auto path = std::make_shared<std::string>();
    const auto json = std::make_shared<bool>(false);
    attention->add_option("description", *path, "JSON")->required();
    attention->add_flag("--json", *json, "print one JSON document");
    attention->callback([path, json, &invocation] { runAttention(*path, *json, invocation); });
}

}  // namespace isobit::cli
