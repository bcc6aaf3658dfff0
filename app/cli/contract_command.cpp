// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "app/cli/commands.h"
#include "app/cli/contract_attention.h"
#include "core/base/atomic_file.h"
#include "core/contracts/gemm_tiles.h"
#include "core/contracts/op_registry.h"
#include "core/contracts/trunk_linear.h"

namespace isobit::cli {
namespace {

void runOps(const std::string& value, bool json, Invocation& invocation) {
    const auto ops = parseBatchInvariantOps(value);
    if (!ops) return invocation.cannotRun("contract ops", ops.error());
    if (json) return invocation.print({{"value", value}, {"ops", *ops}});
    if (ops->empty()) invocation.out << "no operation; the mode is on all the same\n";
    for (const std::string& op : *ops) invocation.out << op << '\n';
}

struct TileArguments {
    std::string dtype = "bf16";
    std::vector<std::int64_t> shape;
    int outputBytes = 0;
    bool noTable = false;
    bool json = false;
};

void runTile(const TileArguments& arguments, Invocation& invocation) {
    const auto dtype = dtypeByName(arguments.dtype);
    if (!dtype)
        return invocation.cannotRun("contract tile",
                                    Error{fmt::format("element type \"{}\" is not known", arguments.dtype)});
    const GemmShape shape{*dtype, arguments.shape[0], arguments.shape[1], arguments.shape[2], arguments.outputBytes};
    const auto tile = lookUpTile(shape, !arguments.noTable);
    if (!tile) return invocation.cannotRun("contract tile", tile.error());
    const int kTile = pinnedKTile(*dtype).value_or(0);
    const bool baseline = *tile == baselineTile(*dtype).value_or(GemmTile{});
    if (arguments.json)
        return invocation.print({{"rows", tile->rows},
                                 {"columns", tile->columns},
                                 {"k_tile", kTile},
                                 {"group", tile->group},
                                 {"stages", tile->stages},
                                 {"warps", tile->warps},
                                 {"shared_memory_bytes", sharedMemoryOf(*tile, shape)},
                                 {"baseline", baseline}});
    invocation.out << fmt::format(
        "tile {} x {}, K tile {} (pinned), group {}, {} stages, {} warps, {} bytes of shared memory{}\n", tile->rows,
        tile->columns, kTile, tile->group, tile->stages, tile->warps, sharedMemoryOf(*tile, shape),
        baseline ? "; the baseline" : "");
}

Json documentOf(const TrunkReceipt& receipt) {
    Json document{{"armed", receipt.armed}, {"refusal", receipt.refusal}, {"newly_wrapped", Json::object()}};
    for (const auto& [leaf, count] : receipt.newlyWrapped) document["newly_wrapped"][leaf] = count;
    document["modules"] = Json::array();
    for (const TrunkDecision& decision : receipt.decisions)
        document["modules"].push_back(
            {{"path", decision.path}, {"outcome", nameOf(decision.outcome)}, {"why", decision.why}});
    return document;
}

void print(std::ostream& out, const TrunkReceipt& receipt) {
    out << (receipt.armed ? "the contract is armed\n" : fmt::format("nothing is wrapped: {}\n", receipt.refusal));
    for (const auto& [leaf, count] : receipt.newlyWrapped)
        out << fmt::format("  {:<20} {} newly wrapped\n", leaf, count);
    for (const TrunkDecision& decision : receipt.decisions)
        out << fmt::format("{:<31} {}  ({})\n", nameOf(decision.outcome), decision.path, decision.why);
}

void runTrunk(const std::string& path, bool json, Invocation& invocation) {
    const auto text = readTextFile(path);
    if (!text) return invocation.cannotRun("contract trunk", text.error());
    const auto document = parseJsonStrictly(*text, path);
    if (!document) return invocation.cannotRun("contract trunk", document.error());
    const auto model = readDescribedModel(*document, path);
    if (!model) return invocation.cannotRun("contract trunk", model.error());
    const TrunkReceipt receipt = wrapTrunkLinears(*model);
    if (json)
        invocation.print(documentOf(receipt));
    else
        print(invocation.out, receipt);
    invocation.exitCode = receipt.armed ? ExitCode::Holds : ExitCode::Violated;
}

void addOps(CLI::App& contract, Invocation& invocation) {
    CLI::App* ops = contract.add_subcommand("ops", "the operations that a value of XORL_BATCH_INVARIANT_OPS selects");
    ops->footer("Keys of --json: {value, ops: [name]}.");
    const auto value = std::make_shared<std::string>("all");
    const auto json = std::make_shared<bool>(false);
    ops->add_option("value", *value, "the variable's text; \"\" selects everything");
    ops->add_flag("--json", *json, "print one JSON document");
    ops->callback([value, json, &invocation] { runOps(*value, *json, invocation); });
}

void addTile(CLI::App& contract, Invocation& invocation) {
    CLI::App* tile = contract.add_subcommand("tile", "the launch configuration of the persistent GEMM at a shape");
    tile->footer("Keys of --json: {rows, columns, k_tile, group, stages, warps, shared_memory_bytes, baseline}.");
    const auto arguments = std::make_shared<TileArguments>();
    tile->add_option("shape", arguments->shape, "M N K")->required()->expected(3)->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40));
    tile->add_option("--dtype", arguments->dtype, "bf16, fp16 or fp32")->capture_default_str();
    tile->add_option("--output-bytes", arguments->outputBytes, "of one output element; as the input's if not given")
        ->check(CLI::IsMember({1, 2, 4}));
    tile->add_flag("--no-table", arguments->noTable, "as with the table switched off");
    tile->add_flag("--json", arguments->json, "print one JSON document");
    tile->callback([arguments, &invocation] { runTile(*arguments, invocation); });
}

void addTrunk(CLI::App& contract, Invocation& invocation) {
    CLI::App* trunk = contract.add_subcommand("trunk", "which modules of a described model the trunk contract wraps");
    trunk->footer(
        "MODEL: {\"merged_lora_forward\": false, \"global_mode\": false, \"modules\": [{\"path\", \"class\", "
        "\"dtype\"}]}\n"
        "class: linear, linear_subclass, lora_linear, adapter, wrapped_linear or other.\n"
        "Exit 0: armed; 1: refused, nothing is wrapped. Keys of --json: {armed, refusal, newly_wrapped: {leaf: "
        "count},\n"
        "  modules: [{path, outcome, why}]}.");
    const auto path = std::make_shared<std::string>();
    const auto json = std::make_shared<bool>(false);
    trunk->add_option("model", *path, "the description, JSON")->required();
    trunk->add_flag("--json", *json, "print one JSON document");
    trunk->callback([path, json, &invocation] { runTrunk(*path, *json, invocation); });
}

}  // namespace

void addContractCommand(CLI::App& parser, Invocation& invocation) {
    CLI::App* contract =
        parser.add_subcommand("contract", "the contracts' rules on described engines: attention, ops, tile, trunk");
    contract->require_subcommand(1);
    addContractAttention(*contract, invocation);
    addOps(*contract, invocation);
    addTile(*contract, invocation);
    addTrunk(*contract, invocation);
}

}  // namespace isobit::cli
