// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <string>

#include "core/base/object_reader.h"
#include "core/capture/operation_graph.h"
#include "core/capture/pairing_file.h"
#include "core/confinement/artifact_root.h"
#include "core/contracts/attention_pair.h"
#include "core/contracts/dispatch_rule.h"
#include "core/contracts/gemm_admission.h"
#include "core/contracts/op_registry.h"
#include "core/contracts/rope_transport.h"
#include "core/contracts/trunk_linear.h"
#include "core/engagement/engagement.h"
#include "core/engagement/pipeline_contract.h"
#include "core/engagement/qualification.h"
#include "core/engagement/toolchain_pin.h"
#include "core/engagement/topologies.h"
#include "core/golden/golden_file.h"
#include "core/packing/pack.h"
#include "core/packing/payload_manifest.h"
#include "core/packing/row_check.h"
#include "core/silicon/silicon_table.h"
#include "core/sweep/dispatch_table.h"
#include "core/sweep/json_form.h"
#include "core/sweep/plan.h"
#include "core/sweep/presets.h"
#include "tests/fuzz/inputs.h"
#include "tests/fuzz/targets.h"

// Every description and table in JSON that a user hands to a command, and what the command then does with it.
namespace isobit::fuzz {
namespace {

using Input = std::span<const std::byte>;

void require(bool holds) {
    if (!holds) std::abort();
}

// A refusal is one sentence, and nothing of the document in it steers a terminal.
template <class T>
bool isRead(const Result<T>& result) {
    if (!result) require(!result.error().message.empty() && isPlainText(result.error().message));
    return result.has_value();
}

Result<Json> documentOf(Input input) { return parseJsonStrictly(textOf(input), "input"); }

// Printing must take whatever was read.
void print(const Json& document) { (void)document.dump(2, ' ', false, Json::error_handler_t::replace); }

void trunk(Input input) {
    const auto document = documentOf(input);
    if (!isRead(document)) return;
    const auto model = readDescribedModel(*document, "input");
    if (!isRead(model)) return;
    const TrunkReceipt receipt = wrapTrunkLinears(*model);
    require(receipt.armed == receipt.refusal.empty());
}

void attentionPair(Input input) {
    const auto document = documentOf(input);
    if (!isRead(document)) return;
    const auto pair = readDescribedPair(*document, "input");
    if (isRead(pair)) (void)judgeAttention(*pair);
}

std::size_t modulesBelow(const WrappedModule& module) {
    std::size_t count = 1;
    for (const WrappedModule& one : module.modules) count += modulesBelow(one);
    return count;
}

void ropeTransport(Input input) {
    const auto document = documentOf(input);
    if (!isRead(document)) return;
    auto description = readTransport(*document, "input");
    if (!isRead(description)) return;
    if (description->table.length > 64 || modulesBelow(description->root) > 64) return;  // right, and slow
    const auto report = simulateTransport(*description);
    if (isRead(report)) print(toJson(*report));
}

void gemmAdmission(Input input) {
    const auto table = parseGemmAdmission(textOf(input), "input");
    if (!isRead(table)) return;
    (void)table->find(1, 3840, 3840);
    (void)isRead(requireSameMachine(*table, "NVIDIA H200", 130100));
}

void dispatchRule(Input input) {
    const auto rule = parseDispatchRule(textOf(input));
    if (!isRead(rule)) return;
    const auto again = parseDispatchRule(textOf(*rule));
    require(isRead(again) && textOf(*again) == textOf(*rule));
    (void)rule->choose({});
}

void dispatchArtifact(Input input) {
    const auto document = documentOf(input);
    if (isRead(document)) (void)isRead(readDispatchArtifact(*document, "input"));
}

void ops(Input input) { (void)isRead(parseBatchInvariantOps(textOf(input))); }

void receipt(Input input) {
    const auto document = documentOf(input);
    if (!isRead(document)) return;
    (void)isReceipt(*document);
    auto read = readReceipt(*document, "input");
    if (!isRead(read)) return;
    print(toJson(checkSide(*read)));
    Receipt other = *read;
    other.side = other.side == "trainer" ? "sampler" : "trainer";
    const auto report = checkEngagement(*read, std::move(other));
    if (isRead(report)) print(toJson(*report)), (void)textOf(*report);
}

void pipeline(Input input) {
    const auto document = documentOf(input);
    if (!isRead(document)) return;
    const auto read = readPipeline(*document, "input");
    if (isRead(read)) (void)checkPipeline(*read);
}

void toolchainPin(Input input) {
    const auto document = documentOf(input);
    if (!isRead(document)) return;
    const auto read = readToolchainPin(*document, "input");
    if (isRead(read)) (void)pinFindings(*read);
}

void topologies(Input input) {
    const auto document = documentOf(input);
    if (!isRead(document)) return;
    const auto cells = readTopologyCells(*document, "input");
    if (isRead(cells)) print(toJson(*cells)), (void)textOf(*cells);
}

void qualification(Input input) {
    const auto document = documentOf(input);
    if (!isRead(document)) return;
    (void)isQualification(*document);
    (void)isRead(readQualification(*document, "input"));
}

// What is packed is a batch that can be read back and checked.
void packing(Input input) {
    const auto document = documentOf(input);
    if (!isRead(document)) return;
    const auto request = readPackRequest(*document, "input");
    if (!isRead(request)) return;
    const auto batch = packSamples(*request);
    if (!isRead(batch)) return;
    const Json packed = toJson(*batch, request->limit);
    print(packed);
    const auto found = readPackedBatch(packed, "input");
    if (isRead(found)) (void)checkRows(*found);
}

void packedBatch(Input input) {
    const auto document = documentOf(input);
    if (!isRead(document)) return;
    const auto found = readPackedBatch(*document, "input");
    if (isRead(found)) (void)checkRows(*found);
    (void)isRead(readPayloadReference(*document, "input"));
    (void)isRead(checkConfigTree(*document, "input"));
}

void plan(Input input) {
    const auto document = documentOf(input);
    if (!isRead(document)) return;
    const auto read = planFromJson(*document, "input");
    if (!isRead(read)) return;
    const std::string text = canonicalText(*read);
    const auto again = planFromJson(parseJsonStrictly(text, "text").value(), "text");
    require(isRead(again) && canonicalText(*again) == text);
    const auto first = coordinatesOf(*read, 0);
    (void)cellId(*read, first);
    (void)inputsOf(*read, first, 0);
    (void)coordinatesOf(*read, cellCount(*read) - 1);
}

// Lines of --axis and --cell for a preset.
void presetArguments(Input input) {
    Plan plan = presetByName("rmsnorm-72")->plan;
    std::string_view text = textOf(input);
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        if (isRead(overrideAxis(plan, line))) (void)isRead(validatePlan(plan));
        (void)isRead(selectCell(plan, line));
    }
}

void graph(Input input) {
    const auto read = parseGraph(textOf(input), "input");
    if (!isRead(read)) return;
    const std::vector<std::string> names{"layers.0.q_proj", "layers.01.x", "embed", "model.layers.2.q_rope"};
    (void)expandGraph(*read, layersIn(*read, names));
    (void)fittingGraph({*read}, names);
}

// A pairing of two small captures; tensors that they do not hold are a line each.
void pairing(Input input) {
    static const Folder folder;
    static const bool written = folder.write("a", safetensorsOf({"x", "layers.0.q"})) && folder.write("b", safetensorsOf({"x", "qkv"}));
    require(written);
    static const auto trainer = openTensorFile(folder.path() + "/a"), sampler = openTensorFile(folder.path() + "/b");
    const auto read = parsePairing(textOf(input), "input", *trainer, *sampler);
    if (!read) return require(!read.error().message.empty());
    print(pairingDocument(*trainer, *sampler, read->pairs));
}

void golden(Input input) {
    const Folder folder;
    require(folder.write("golden.json", textOf(input)));
    (void)isRead(readGoldenFile(folder.path() + "/golden.json"));
}

void siliconTable(Input input) { (void)isRead(parseSiliconTable(input, "input")); }

constexpr Target kTargets[] = {
    {"trunk", trunk},
    {"attention_pair", attentionPair},
    {"rope_transport", ropeTransport},
    {"gemm_admission", gemmAdmission},
    {"dispatch_rule", dispatchRule},
    {"dispatch_artifact", dispatchArtifact},
    {"ops", ops},
    {"receipt", receipt},
    {"pipeline", pipeline},
    {"toolchain_pin", toolchainPin},
    {"topologies", topologies},
    {"qualification", qualification},
    {"packing", packing},
    {"packed_batch", packedBatch},
    {"plan", plan},
    {"preset_arguments", presetArguments},
    {"graph", graph},
    {"pairing", pairing},
    {"golden", golden},
    {"silicon_table", siliconTable},
};

}  // namespace

std::span<const Target> targets() { return kTargets; }

}  // namespace isobit::fuzz
