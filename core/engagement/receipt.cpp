// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engagement/receipt.h"

#include <set>

#include "core/base/atomic_file.h"
#include "core/engagement/shipped_texts.h"
#include "core/tensors/confinement.h"

namespace isobit {
namespace {

TableCast readCast(ObjectReader& in) {
    return {in.text("by"), in.text("what", "cos, sin"), in.text("from"), in.text("to")};
}

TableArrival readArrival(ObjectReader& in) {
    TableArrival arrival;
    arrival.at = in.text("at", "");
    arrival.route = in.text("route");
    arrival.inputDtype = in.text("input_dtype");
    arrival.tableDtype = in.text("table_dtype");
    arrival.sha256 = in.sha256("sha256");
    arrival.calls = in.whole("calls");
    return arrival;
}

TableReceipt readTable(ObjectReader& in) {
    TableReceipt table;
    table.id = in.text("id");
    table.type = in.text("type", "");
    table.builder = in.text("builder", "");
    table.library = in.text("library", "");
    table.device = in.text("device", "");
    table.theta = in.numberOr("theta", 0);
    table.rotary = in.wholeOr("rotary_size", 0);
    table.length = in.wholeOr("length", 0);
    table.scale = in.numberOr("scale", 1);
    table.pairing = in.choice("pairing", {"half_split", "interleaved"}, "");
    table.layout = in.text("layout", "");
    table.sha256 = in.sha256("sha256");
    in.each("transport", [&](ObjectReader& one) { table.transport.push_back(readCast(one)); });
    in.each("arrivals", [&](ObjectReader& one) { table.arrivals.push_back(readArrival(one)); });
    return table;
}

ContractReceipt readContract(ObjectReader& in) {
    ContractReceipt contract;
    contract.name = in.text("name");
    contract.surface = in.choice("surface", {"attention", "rms_norm", "rotary", "dense", "head", "router", "experts",
                                             "adapter", "other"});
    contract.arithmetic = in.text("arithmetic", "");
    contract.selected = in.truthOr("selected", true);
    contract.expected = in.whole("expected");
    contract.observed = in.whole("observed");
    contract.offLane = in.whole("off_lane");
    contract.inputDtypes = in.textMembers("input_dtypes");
    contract.table = in.text("table", "");
    contract.kernel = in.text("kernel", "");
    contract.build = in.text("build", "");
    contract.requestedBackend = in.text("requested_backend", "");
    contract.actualBackend = in.text("actual_backend", "");
    contract.fallbackReason = in.text("fallback_reason", "");
    if (const auto named = checkIdentifier(contract.name, "the contract's name"); in.good() && !named)
        in.refuse("name", named.error().message);
    return contract;
}

SelectionKind selectionByName(std::string_view name) {
    return name == "switches" ? SelectionKind::Switches : name == "program" ? SelectionKind::Program : SelectionKind::Other;
}

// Two entries of one name could say two things.
template <class Entries, class NameOf>
void refuseTwice(ObjectReader& in, const char* key, const Entries& entries, NameOf&& nameOfEntry) {
    std::set<std::string_view> names;
    for (const auto& entry : entries)
        if (!names.insert(nameOfEntry(entry)).second)
            in.refuse(key, fmt::format("\"{}\" is there twice", nameOfEntry(entry)));
}

}  // namespace

Topology readTopology(ObjectReader& in) {
    const auto ranks = [&](const char* key) { return in.wholeOr(key, 1, 1, 1 << 20); };
    return {ranks("tp"), ranks("fsdp"), ranks("pp"), ranks("cp"), ranks("ep"), ranks("dp")};
}

std::string textOf(const Topology& topology) {
    return fmt::format("TP{} FSDP{} PP{} CP{} EP{} DP{}", topology.tp, topology.fsdp, topology.pp, topology.cp, topology.ep,
                       topology.dp);
}

Result<Receipt> readReceipt(const Json& document, const std::string& name) {
    ObjectReader in(document, name);
    if (const std::string format = in.text("format"); in.good() && format != kReceiptFormat)
        in.refuse("format", fmt::format("\"{}\" is not \"{}\"", format, kReceiptFormat));
    Receipt receipt;
    receipt.side = in.choice("side", {"trainer", "sampler"});
    receipt.engine = in.text("engine");
    receipt.revision = in.text("revision");
    receipt.toolchain = in.textMembers("toolchain");
    in.object("topology", [&](ObjectReader& one) { receipt.topology = readTopology(one); });
    receipt.selection = selectionByName(in.choice("selection", {"switches", "program", "other"}, "other"));
    receipt.serverTraining = in.truthOr("server_training", false);
    receipt.program = in.text("program", "");
    receipt.options = in.textMembers("options");
    receipt.stamps = in.textMembers("stamps");
    for (const auto& [key, value] : in.textMembers("environment")) receipt.environment.emplace(key, value);
    receipt.startOrder = in.texts("start_order");
    in.each("contracts", [&](ObjectReader& one) { receipt.contracts.push_back(readContract(one)); });
    in.each("tables", [&](ObjectReader& one) { receipt.tables.push_back(readTable(one)); });
    in.each("weights", [&](ObjectReader& one) {
        receipt.weights.push_back({one.text("name"), one.text("dtype", ""), one.sha256("sha256")});
    });
    refuseTwice(in, "contracts", receipt.contracts, [](const auto& entry) { return std::string_view(entry.name); });
    refuseTwice(in, "tables", receipt.tables, [](const auto& entry) { return std::string_view(entry.id); });
    refuseTwice(in, "weights", receipt.weights, [](const auto& entry) { return std::string_view(entry.name); });
    if (const auto done = in.finish(); !done) return failureOf(done);
    return receipt;
}

Result<Receipt> readReceiptFile(const std::string& path) {
    const std::string name = printable(path);
    const auto text = readTextFile(path);
    if (!text) return failureOf(text);
    const auto document = parseJsonStrictly(*text, name);
    if (!document) return failureOf(document);
    return readReceipt(*document, name);
}

bool isReceipt(const Json& document) {
    return document.is_object() && document.contains("format") && document["format"] == std::string(kReceiptFormat);
}

const std::string* findText(const NamedTexts& texts, std::string_view name) {
    for (const auto& [key, value] : texts)
        if (key == name) return &value;
    return nullptr;
}

std::string_view receiptSchema() { return kReceiptSchema; }
std::string_view receiptEmitter() { return kReceiptEmitter; }

}  // namespace isobit
