// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/contracts/context_parallel.h"

namespace isobit {

// Which attention a described engine would run, with which arguments, or why it refuses: attention.md 2 to 5. Stricter
// than upstream where that page asks for it: nothing of the fail-closed list falls through to another backend.

/// What could be imported.
struct AttentionBuilds {
    bool cudnn = false;   ///< the native scaled-dot-product attention
    bool flash3 = false;  ///< FA3
    bool flash4 = false;  ///< the newer, CUTE build
    bool serving = false;  ///< the serving engine's compiled kernel
};

/// One side of a pair, as far as the rules care.
struct DescribedAttention {
    std::string requested = "flash_attention_3";  ///< the backend asked for by name
    AttentionBuilds builds;
    std::map<std::string, std::string> environment;  ///< switches, read once at import
    std::string buildId;                             ///< of the kernel that runs; empty: not recorded
    std::string arithmetic;                          ///< ours by name, if one is claimed

    std::int64_t batch = 1;
    std::int64_t queryTokens = 0;  ///< of one request where batched; of all where packed
    std::int64_t keyTokens = 0;
    std::int64_t valueTokens = 0;
    std::vector<std::int64_t> cuQ;  ///< cumulative lengths; empty: none given
    std::vector<std::int64_t> cuK;
    std::optional<std::int64_t> mostQueries;
    std::optional<std::int64_t> mostKeys;
    std::int64_t queryHeads = 1;
    std::int64_t kvHeads = 1;

    std::optional<double> scale;  ///< none: the kernel's default
    bool causal = true;           ///< the module's flag
    std::optional<bool> causalArgument;  ///< of the same name in the call: discarded
    std::optional<std::int64_t> window;
    double softcap = 0.0;
    std::optional<std::int64_t> numSplits;  ///< asked for; none: what the route pins
    bool deterministic = false;
    bool sinks = false;
    bool wantsWeights = false;
    bool headMask = false;
    std::optional<ContextParallel> contextParallel;  ///< none: one rank has all heads
};

/// The names, registered or not, in their order.
inline constexpr std::string_view kAttentionNames[] = {"eager", "native", "flash_attention_2", "flash_attention_3",
                                                       "flash_attention_4"};

[[nodiscard]] std::vector<std::string> registeredAttentions(const AttentionBuilds& builds);
/// In the flash family and registered.
[[nodiscard]] bool isFlashAttention(std::string_view name, const AttentionBuilds& builds);
/// Names 2 and 3 share one function, which picks FA3 or FA4 itself.
[[nodiscard]] std::string_view functionOfAttention(std::string_view name);

enum class AttentionBuild { Eager, Cudnn, Flash3, Flash4, Serving };
[[nodiscard]] std::string_view nameOf(AttentionBuild build);
enum class AttentionEntry { Eager, Native, Batched, Varlen, WithKvCache };
[[nodiscard]] std::string_view nameOf(AttentionEntry entry);

/// What reaches the kernel.
struct AttentionPlan {
    AttentionBuild build = AttentionBuild::Eager;
    AttentionEntry entry = AttentionEntry::Eager;
    std::optional<double> scale;
    bool causal = true;
    std::string window;  ///< "(128, 0)", "(-1, -1)", "(none, none)"
    double softcap = 0.0;
    std::optional<std::int64_t> numSplits;    ///< as passed; none: the entry's default, 1
    std::optional<bool> deterministic;        ///< as passed; none: the entry does not take it
    std::vector<std::int32_t> cuQ, cuK;       ///< int32
    std::vector<std::int32_t> cacheLengths;   ///< cache routes: [B]
    std::vector<std::int32_t> pageTable;      ///< cache routes: [B, tableWidth], one page a token
    std::int64_t tableWidth = 0;
    std::int64_t mostQueries = 0;
    std::int64_t kvRepeat = 1;   ///< eager: query heads of a kv head, from the call's heads
    bool restoresBatchAxis = false;  ///< packed tensors lose their leading axis and get it back
    std::optional<UlyssesVariant> placement;  ///< of rotary, where heads are scattered
    bool nativeSinks = false;        ///< FA4; FA3 multiplies by sigmoid(lse - sink) afterwards
    std::vector<std::string> warnings;
    /// The number of splits that the kernel works with; 0: chosen from the launch's shape.
    [[nodiscard]] std::int64_t splits() const { return numSplits.value_or(1); }
};

/// The plan, or the one sentence that refuses.
[[nodiscard]] Result<AttentionPlan> planAttention(const DescribedAttention& described);

/// Row r of kv head h / repeat for query head h: [heads of k] -> the kv head that each query head reads, in order.
[[nodiscard]] Result<std::vector<std::int64_t>> repeatedKvHeads(std::int64_t queryHeads, std::int64_t kvHeads);

}  // namespace isobit
