// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "app/cli/commands.h"
#include "app/cli/open_arguments.h"
#include "core/base/atomic_file.h"
#include "core/packing/batch_slice.h"
#include "core/packing/pack.h"
#include "core/packing/row_check.h"
#include "core/tensors/confinement.h"

namespace isobit::cli {
namespace {

Result<Json> readPackingDocument(const std::string& path) {
    const auto text = readTextFile(path);
    if (!text) return failureOf(text);
    return parseJsonStrictly(*text, printable(path));
}

void runPack(const std::string& path, Invocation& invocation) {
    const auto document = readPackingDocument(path);
    if (!document) return invocation.cannotRun("packing pack", document.error());
    const auto request = readPackRequest(*document, printable(path));
    if (!request) return invocation.cannotRun("packing pack", request.error());
    const auto batch = packSamples(*request);
    if (!batch) return invocation.cannotRun("packing pack", batch.error());
    for (const std::string& warning : batch->warnings) invocation.err << "isobit packing pack: " << warning << '\n';
    invocation.print(toJson(*batch, request->limit));
}

// A description says its format; anything else is opened as a capture.
Result<FoundBatch> readBatch(const std::string& path, const OpenArguments& open) {
    if (const auto document = readPackingDocument(path); document && document->is_object() && document->contains("format")) {
        if ((*document)["format"] != "isobit.packing/1") return readPackedBatch(*document, printable(path));
        const auto request = readPackRequest(*document, printable(path));
        if (!request) return failureOf(request);
        const auto batch = packSamples(*request);
        if (!batch) return failureOf(batch);
        return readPackedBatch(toJson(*batch, request->limit), printable(path));
    }
    const auto capture = openFile(path, open);
    if (!capture) return failureOf(capture);
    return rowsOfCapture(*capture);
}

void runPackingCheck(const std::string& path, const OpenArguments& open, bool json, Invocation& invocation) {
    const auto batch = readBatch(path, open);
    if (!batch) return invocation.cannotRun("packing check", batch.error());
    const auto findings = checkRows(*batch);
    invocation.exitCode = findings.empty() ? ExitCode::Holds : ExitCode::Violated;
    if (json) {
        Json document{{"verdict", findings.empty() ? "holds" : "violated"},
                      {"rows", batch->rows.size()},
                      {"findings", Json::array()}};
        for (const PackingFinding& finding : findings)
            document["findings"].push_back(
                {{"rule", finding.rule}, {"row", finding.row}, {"sentence", finding.sentence}});
        document["warnings"] = batch->warnings;
        return invocation.print(document);
    }
    invocation.out << fmt::format("{}: {} row{}\n", findings.empty() ? "HOLDS" : "DOES NOT HOLD", batch->rows.size(),
                                  batch->rows.size() == 1 ? "" : "s");
    for (const PackingFinding& finding : findings)
        invocation.out << fmt::format("  {:<20} {}: {}\n", finding.rule, finding.row, finding.sentence);
    for (const std::string& warning : batch->warnings) invocation.out << fmt::format("warning  {}\n", warning);
}

void addPackingCheck(CLI::App& packing, Invocation& invocation) {
    CLI::App* command =
        packing.add_subcommand("check", "packed rows of a document or a capture against the packing rules");
    command->footer(
        "FILE: an isobit.packed/1 document, an isobit.packing/1 description (which is packed first), or a capture "
        "with\n"
        "  token_ids and perhaps labels, positions, cu_seqlens.\n"
        "Keys of --json: verdict (holds, violated), rows, findings: [{rule, row, sentence}], warnings (of the "
        "packing).");
    const auto path = std::make_shared<std::string>();
    const auto json = std::make_shared<bool>(false);
    command->add_option("file", *path, "the document or capture")->required();
    const auto open = addOpenArguments(*command);
    command->add_flag("--json", *json, "print one JSON document");
    command->callback([path, open, json, &invocation] { runPackingCheck(*path, *open, *json, invocation); });
}

void addPack(CLI::App& packing, Invocation& invocation) {
    CLI::App* command = packing.add_subcommand("pack", "pack the samples of a description and print the rows as JSON");
    command->footer(
        "DESCRIPTION: {\"format\": \"isobit.packing/1\", \"limit\", \"strategy\": sequential|best_fit|balanced_dp, "
        "\"oversized\":\n"
        "  error|skip|truncate, \"data_parallel\", \"packed\", \"multiple\", \"context_parallel\", \"samples\": "
        "[{\"input_ids\",\n"
        "  \"labels\", \"target_tokens\", \"weights\", \"advantages\", \"position_ids\", \"context\", \"teacher\", "
        "...}]}.\n"
        "Keys of the answer: format, limit, rows: [{batch_id, input_ids, labels, position_ids, ..., sample_count,\n"
        "  sample_lengths, shifted, cumulative_lengths, longest}], order, warnings.");
    const auto path = std::make_shared<std::string>();
    command->add_option("description", *path, "the description, JSON")->required();
    const auto json = std::make_shared<bool>(true);
    command->add_flag("--json", *json, "the answer is JSON anyway");
    command->callback([path, json, &invocation] { runPack(*path, invocation); });
}

// The arithmetic answers for every world (packing.md 3): it rounds down and gives the last slice what is over.
std::string unevenWorld(const SliceRequest& request) {
    const std::int64_t sharing = request.pipelineParallel * request.contextParallel * request.tensorParallel;
    if (request.world % sharing == 0) return "";
    return fmt::format("{} ranks are no multiple of pp x cp x tp = {}, so slices are not of equal size", request.world,
                       sharing);
}

void addSlice(CLI::App& packing, Invocation& invocation) {
    CLI::App* command = packing.add_subcommand("slice", "which ranks work on the same rows");
    command->footer("Keys of --json: slices: [{rank, index, count}].");
    const auto request = std::make_shared<SliceRequest>();
    const auto json = std::make_shared<bool>(false);
    const auto add = [&](const char* name, std::int64_t& value, const char* what) {
        command->add_option(name, value, what)
            ->check(CLI::Range(std::int64_t(1), std::int64_t(1) << 16))
            ->capture_default_str();
    };
    add("--world", request->world, "ranks");
    add("--cp", request->contextParallel, "context-parallel size");
    add("--tp", request->tensorParallel, "tensor-parallel size");
    add("--pp", request->pipelineParallel, "pipeline stages");
    add("--ep", request->state.expertParallel, "expert-parallel size");
    command->add_flag("--legacy-expert-duplication", request->legacyExpertDuplication,
                      "XORL_SERVER_EP_DUPLICATE_BATCHES is on");
    command->add_flag("--json", *json, "print one JSON document");
    command->callback([request, json, &invocation] {
        if (const std::string uneven = unevenWorld(*request); !uneven.empty())
            invocation.err << "isobit packing slice: " << uneven << '\n';
        Json slices = Json::array();
        for (request->rank = 0; request->rank < request->world; ++request->rank) {
            const BatchSlice slice = batchSliceOf(*request);
            slices.push_back({{"rank", request->rank}, {"index", slice.index}, {"count", slice.count}});
            if (!*json)
                invocation.out << fmt::format("rank {:>4}  slice {} of {}\n", request->rank, slice.index, slice.count);
        }
        if (*json) invocation.print({{"slices", std::move(slices)}});
    });
}

}  // namespace

void addPackingCommand(CLI::App& parser, Invocation& invocation) {
    CLI::App* packing =
        parser.add_subcommand("packing", "samples in rows: pack them, check rows, see which ranks share a slice");
    packing->require_subcommand(1);
    addPackingCheck(*packing, invocation);
    addPack(*packing, invocation);
    addSlice(*packing, invocation);
}

}  // namespace isobit::cli
