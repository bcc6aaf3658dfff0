// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/object_reader.h"
#include "core/contracts/families_switch.h"

namespace isobit {

// What one engine says of one run: which contracts were selected and whether they really ran. Format
// "isobit.receipt/1", resources/engagement/receipt.schema.json. Source: engagement.md 2, rope.md 7.

using NamedTexts = std::vector<std::pair<std::string, std::string>>;

/// One cast that a table went through on its way from its builder to the kernel.
struct TableCast {
    std::string by;    ///< the wrapper or shard unit that did it
    std::string what;  ///< "cos, sin" or "inv_freq"
    std::string from;  ///< element type before
    std::string to;    ///< and after
};

/// What the apply boundary received: some calls of one place in the model.
struct TableArrival {
    std::string at;          ///< "layers.2"
    std::string route;       ///< the contract or class that was called
    std::string inputDtype;  ///< of q and k
    std::string tableDtype;  ///< of cos and sin, before anything widened them
    std::string sha256;      ///< of the table's words as they arrived; empty: not taken
    std::int64_t calls = 0;
};

/// Where a cos/sin table came from and what happened to it; the names are those of `isobit rope table --json`.
struct TableReceipt {
    std::string id;
    std::string type;     ///< "default", "yarn" ...
    std::string builder;
    std::string library;  ///< that evaluated cos and sin
    std::string layout;   ///< "halved" ...
    std::string device;
    double theta = 0;
    std::int64_t rotary = 0;  ///< rotary dimensions R
    std::int64_t length = 0;  ///< positions
    double scale = 1;         ///< attention scaling of cos and sin
    std::string pairing;      ///< "half_split" or "interleaved"
    std::string sha256;       ///< of the FP32 words as they were built
    std::vector<TableCast> transport;
    std::vector<TableArrival> arrivals;
};

/// One contract in one engine's run.
struct ContractReceipt {
    std::string name;
    std::string surface;     ///< attention, rms_norm, rotary, dense, head, router, experts, adapter or other
    std::string arithmetic;  ///< name of the arithmetic value; empty: not said
    bool selected = true;
    std::int64_t expected = 0;  ///< calls: layers x forwards
    std::int64_t observed = 0;  ///< calls that took this lane
    std::int64_t offLane = 0;   ///< calls of the same surface that took another one
    NamedTexts inputDtypes;
    std::string table;  ///< id of the table that it reads; empty: none
    std::string kernel;
    std::string build;  ///< digest or name of the build that holds the kernel
    std::string requestedBackend;
    std::string actualBackend;
    std::string fallbackReason;
};

struct WeightReceipt {
    std::string name;
    std::string dtype;
    std::string sha256;
};

/// How many ranks an engine had along each axis.
struct Topology {
    std::int64_t tp = 1, fsdp = 1, pp = 1, cp = 1, ep = 1, dp = 1;
    friend bool operator==(const Topology&, const Topology&) = default;
};
/// Its axes by name, each 1 where it is absent.
[[nodiscard]] Topology readTopology(ObjectReader& in);
/// "TP1 FSDP1 PP1 CP1 EP1 DP1".
[[nodiscard]] std::string textOf(const Topology& topology);

/// How the contracts were selected: by the several switches of the contract state, by one program that a resolver
/// picked, or by the engine's own means, for which no rule is known here.
enum class SelectionKind { Switches, Program, Other };

struct Receipt {
    std::string side;  ///< "trainer" or "sampler"
    std::string engine;
    std::string revision;
    NamedTexts toolchain;  ///< framework, kernel compiler, flash build, CUDA ...
    Topology topology;
    SelectionKind selection = SelectionKind::Other;
    bool serverTraining = false;
    std::string program;   ///< of the resolver; "none": the model is not exact
    NamedTexts options;    ///< arguments that were given explicitly
    NamedTexts stamps;     ///< what the resolver froze on the config
    Environment environment;
    std::vector<std::string> startOrder;
    std::vector<ContractReceipt> contracts;
    std::vector<TableReceipt> tables;
    std::vector<WeightReceipt> weights;
};

inline constexpr std::string_view kReceiptFormat = "isobit.receipt/1";

/// Reads a receipt. An Error names the document, the place in it, what was found and what was expected.
[[nodiscard]] Result<Receipt> readReceipt(const Json& document, const std::string& name);
[[nodiscard]] Result<Receipt> readReceiptFile(const std::string& path);
/// Whether a document says that it is a receipt.
[[nodiscard]] bool isReceipt(const Json& document);

/// The value of a name, or nullptr.
[[nodiscard]] const std::string* findText(const NamedTexts& texts, std::string_view name);

/// The shipped schema and the Python module that writes a receipt, as texts.
[[nodiscard]] std::string_view receiptSchema();
[[nodiscard]] std::string_view receiptEmitter();

}  // namespace isobit
