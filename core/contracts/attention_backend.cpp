// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/contracts/attention_backend.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

namespace isobit {
namespace {

bool isIn(const std::vector<std::string>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

bool isFlashFamily(std::string_view name) {
    return name == "native" || name == "flash_attention_2" || name == "flash_attention_3" || name == "flash_attention_4";
}

// Exactly "1", as it was when the engine was imported.
bool isOn(const DescribedAttention& described, const char* name) {
    const auto found = described.environment.find(name);
    return found != described.environment.end() && found->second == "1";
}

std::string_view missingBuildOf(std::string_view name) {
    if (name == "native") return "cuDNN attention";
    return name == "flash_attention_4" ? "FA4" : "neither FA3 nor FA4";
}

Result<AttentionBuild> chooseBuild(const DescribedAttention& described) {
    const auto registered = registeredAttentions(described.builds);
    const std::string& name = described.requested;
    if (!isIn(registered, name)) {
        if (!isFlashFamily(name)) return AttentionBuild::Eager;
        return failure(
            "import error: {} needs {}, which is not importable (FA3 {}, FA4 {}; registered: {}); it must not become eager "
            "attention",
            name, name == "flash_attention_2" || name == "flash_attention_3" ? "FA3 or FA4" : missingBuildOf(name),
            described.builds.flash3 ? "available" : "missing", described.builds.flash4 ? "available" : "missing",
            fmt::join(registered, ", "));
    }
    if (name == "eager") return AttentionBuild::Eager;
    if (name == "native") return AttentionBuild::Cudnn;
    const bool disabled = isOn(described, "XORL_DISABLE_FA4");
    const bool wantsFour = name == "flash_attention_4" || !described.builds.flash3;
    if (!disabled && described.builds.flash4 && wantsFour) return AttentionBuild::Flash4;
    if (described.builds.flash3) return AttentionBuild::Flash3;
    return failure("import error: {} would run FA4, which XORL_DISABLE_FA4=1 rules out, and FA3 is missing", name);
}

Result<std::vector<std::int32_t>> castLengths(std::string_view name, const std::vector<std::int64_t>& values,
                                              std::int64_t tokens) {
    if (values.front() != 0 || values.back() != tokens || !std::is_sorted(values.begin(), values.end()))
        return failure("{} must run from 0 to {}, the number of tokens, and never fall", name, tokens);
    if (tokens > std::numeric_limits<std::int32_t>::max())
        return failure("{} reaches {}, more than int32 holds", name, tokens);
    return std::vector<std::int32_t>(values.begin(), values.end());
}

std::int64_t longestOf(const std::vector<std::int32_t>& cumulative) {
    std::int64_t longest = 0;
    for (std::size_t i = 1; i < cumulative.size(); ++i)
        longest = std::max<std::int64_t>(longest, cumulative[i] - cumulative[i - 1]);
    return longest;
}

// Self-attention only: the same lengths, the same tokens, the same longest request.
Result<void> addLengths(const DescribedAttention& described, const std::vector<std::int64_t>& cuQ,
                        const std::vector<std::int64_t>& cuK, AttentionPlan& plan) {
    if (cuQ != cuK)
        return failure("cross-attention: the cumulative lengths of queries and keys differ, expected the same ones");
    if (described.queryTokens != described.keyTokens || described.keyTokens != described.valueTokens)
        return failure("mismatched spans: {} query tokens, {} key tokens, {} value tokens", described.queryTokens,
                       described.keyTokens, described.valueTokens);
    const auto lengths = castLengths("cu_seqlens", cuQ, described.queryTokens);
    if (!lengths) return failureOf(lengths);
    plan.cuQ = plan.cuK = *lengths;
    plan.mostQueries = described.mostQueries.value_or(longestOf(*lengths));
    if (described.mostKeys.value_or(plan.mostQueries) != plan.mostQueries)
        return failure("unequal maximum lengths: {} for queries and {} for keys", plan.mostQueries, *described.mostKeys);
    return {};
}

// One page a token: page id and token index are the same.
void addPages(AttentionPlan& plan) {
    plan.tableWidth = plan.mostQueries;
    for (std::size_t b = 0; b + 1 < plan.cuQ.size(); ++b) {
        const std::int32_t length = plan.cuQ[b + 1] - plan.cuQ[b];
        plan.cacheLengths.push_back(length);
        for (std::int32_t j = 0; j < plan.tableWidth; ++j)
            plan.pageTable.push_back(j < length ? plan.cuQ[b] + j : 0);
    }
}

// The serving engine's kernel, which has priority over FA3 and FA4.
Result<void> addServingRoute(const DescribedAttention& described, AttentionPlan& plan) {
    if (!described.builds.serving)
        return failure("import error: XORL_FLASH_ATTN_SGL_KERNEL=1 asks for the serving kernel, which is missing");
    const bool packed = !described.cuQ.empty();
    if (!packed && described.batch != 1)
        return failure(
            "XORL_FLASH_ATTN_SGL_KERNEL=1 takes packed requests or a batch of 1, found a batch of {} without cumulative "
            "lengths; falling through to another backend is refused",
            described.batch);
    const std::vector<std::int64_t> whole{0, described.queryTokens};
    const std::vector<std::int64_t> wholeKeys{0, described.keyTokens};
    if (auto added = addLengths(described, packed ? described.cuQ : whole, packed ? described.cuK : wholeKeys, plan); !added)
        return added;
    plan.build = AttentionBuild::Serving;
    plan.entry = AttentionEntry::WithKvCache;
    addPages(plan);
    return {};
}

// Decode with the cache entry of the own build: one query a request.
Result<void> addDecodeRoute(const DescribedAttention& described, AttentionPlan& plan) {
    if (!described.cuQ.empty()) return failure("the decode diagnostic takes batched tensors, found packed requests");
    if (described.queryTokens != 1)
        return failure("the decode diagnostic takes one query a request, found {}", described.queryTokens);
    if (described.keyTokens != described.valueTokens)
        return failure("mismatched spans: {} key tokens, {} value tokens", described.keyTokens, described.valueTokens);
    plan.entry = AttentionEntry::WithKvCache;
    plan.mostQueries = 1;
    plan.tableWidth = described.keyTokens;
    for (std::int64_t b = 0; b < described.batch; ++b) {
        plan.cacheLengths.push_back(static_cast<std::int32_t>(described.keyTokens));
        for (std::int64_t j = 0; j < described.keyTokens; ++j)
            plan.pageTable.push_back(static_cast<std::int32_t>(b * described.keyTokens + j));
    }
    // A mask aligned to the top left would let the query see key 0 alone.
    if (described.keyTokens > 1) plan.causal = false;
    return {};
}

Result<void> addRoute(const DescribedAttention& described, AttentionPlan& plan) {
    if (isOn(described, "XORL_FLASH_ATTN_SGL_KERNEL")) return addServingRoute(described, plan);
    if (isOn(described, "XORL_FLASH_ATTN_DIAGNOSTIC_DECODE_KVCACHE") && plan.build == AttentionBuild::Flash3 &&
        described.cuQ.empty() && described.queryTokens == 1)
        return addDecodeRoute(described, plan);
    if (described.cuQ.empty()) {
        plan.entry = AttentionEntry::Batched;
        plan.mostQueries = described.queryTokens;
        if (described.keyTokens != described.valueTokens)
            return failure("mismatched spans: {} key tokens, {} value tokens", described.keyTokens,
                           described.valueTokens);
        return {};
    }
    plan.entry = AttentionEntry::Varlen;
    plan.restoresBatchAxis = true;
    if (auto added = addLengths(described, described.cuQ, described.cuK, plan); !added) return added;
    if (!isOn(described, "XORL_FLASH_ATTN_PAGED_KVCACHE")) return {};
    if (plan.build == AttentionBuild::Flash4) {
        plan.warnings.push_back("XORL_FLASH_ATTN_PAGED_KVCACHE=1 has no effect: FA4 runs, and the route is FA3's");
        return {};
    }
    plan.entry = AttentionEntry::WithKvCache;
    addPages(plan);
    return {};
}

std::string windowOf(const DescribedAttention& described, AttentionBuild build) {
    if (!described.window) return build == AttentionBuild::Flash4 ? "(none, none)" : "(-1, -1)";
    return described.causal ? fmt::format("({}, 0)", *described.window)
                            : fmt::format("({}, {})", *described.window, *described.window);
}

void addArguments(const DescribedAttention& described, AttentionPlan& plan) {
    const bool cache = plan.entry == AttentionEntry::WithKvCache;
    plan.window = windowOf(described, plan.build);
    if (cache)
        plan.numSplits = 1;
    else if (plan.build == AttentionBuild::Flash4)
        plan.numSplits = 1;
    if (described.numSplits) plan.numSplits = described.numSplits;
    if (!cache)
        plan.deterministic = described.deterministic || isOn(described, "XORL_FLASH_ATTN_DETERMINISTIC");
    plan.nativeSinks = described.sinks && plan.build == AttentionBuild::Flash4;
}

void addWarnings(const DescribedAttention& described, AttentionPlan& plan) {
    if (described.wantsWeights) plan.warnings.push_back("attention weights were asked for and are returned as none");
    if (described.headMask) plan.warnings.push_back("a head mask was given and is ignored");
    if (described.causalArgument && *described.causalArgument != described.causal)
        plan.warnings.push_back("the call's causal argument is discarded in favour of the module's");
}

Result<void> checkSinks(const DescribedAttention& described, const AttentionPlan& plan) {
    const bool flash = plan.build == AttentionBuild::Flash3 || plan.build == AttentionBuild::Flash4;
    if (!described.sinks || (flash && plan.entry != AttentionEntry::WithKvCache)) return {};
    return failure("learned sinks are not supported by {} ({}) and must not be dropped", nameOf(plan.build),
                   nameOf(plan.entry));
}

}  // namespace

std::vector<std::string> registeredAttentions(const AttentionBuilds& builds) {
    std::vector<std::string> names{"eager"};
    if (builds.cudnn) names.emplace_back("native");
    if (builds.flash3 || builds.flash4) {
        names.emplace_back("flash_attention_2");
        names.emplace_back("flash_attention_3");
    }
    if (builds.flash4) names.emplace_back("flash_attention_4");
    return names;
}

bool isFlashAttention(std::string_view name, const AttentionBuilds& builds) {
    return isFlashFamily(name) && isIn(registeredAttentions(builds), name);
}

std::string_view functionOfAttention(std::string_view name) {
    if (name == "flash_attention_2" || name == "flash_attention_3") return "flash, FA3 or FA4";
    if (name == "flash_attention_4") return "flash, FA4 asked for";
    return name == "native" ? "native" : "eager";
}

std::string_view nameOf(AttentionBuild build) {
    switch (build) {
        case AttentionBuild::Eager:
            return "eager";
        case AttentionBuild::Cudnn:
            return "cuDNN";
        case AttentionBuild::Flash3:
            return "FA3";
        case AttentionBuild::Flash4:
            return "FA4";
        case AttentionBuild::Serving:
            return "serving kernel";
    }
    return "";
}

std::string_view nameOf(AttentionEntry entry) {
    switch (entry) {
        case AttentionEntry::Eager:
            return "eager";
        case AttentionEntry::Native:
            return "native";
        case AttentionEntry::Batched:
            return "batched";
        case AttentionEntry::Varlen:
            return "varlen";
        case AttentionEntry::WithKvCache:
            return "with_kvcache";
    }
    return "";
}

Result<std::vector<std::int64_t>> repeatedKvHeads(std::int64_t queryHeads, std::int64_t kvHeads) {
    if (kvHeads < 1 || queryHeads % kvHeads != 0)
        return failure("{} query heads are no multiple of {} kv heads", queryHeads, kvHeads);
    std::vector<std::int64_t> heads;
    for (std::int64_t head = 0; head < queryHeads; ++head) heads.push_back(head / (queryHeads / kvHeads));
    return heads;
}

Result<AttentionPlan> planAttention(const DescribedAttention& described) {
    const auto build = chooseBuild(described);
    if (!build) return failureOf(build);
    const auto heads = repeatedKvHeads(described.queryHeads, described.kvHeads);
    if (!heads) return failureOf(heads);
    AttentionPlan plan;
    plan.build = *build;
    plan.scale = described.scale;
    plan.causal = described.causal;
    plan.softcap = described.softcap;
    plan.kvRepeat = described.queryHeads / described.kvHeads;
    if (described.contextParallel) {
        const auto placed = placeHeads(*described.contextParallel, described.queryHeads, described.kvHeads);
        if (!placed) return failureOf(placed);
        plan.placement = *placed;
    }
    if (*build == AttentionBuild::Flash3 || *build == AttentionBuild::Flash4) {
        if (auto added = addRoute(described, plan); !added) return failureOf(added);
        addArguments(described, plan);
    } else {
        plan.entry = *build == AttentionBuild::Cudnn ? AttentionEntry::Native : AttentionEntry::Eager;
    }
    if (auto checked = checkSinks(described, plan); !checked) return failureOf(checked);
    addWarnings(described, plan);
    return plan;
}

}  // namespace isobit
