// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/contracts/attention_pair.h"

#include <algorithm>

#include "core/arithmetic/attention_arithmetic.h"
#include "core/base/object_reader.h"

namespace isobit {
namespace {

constexpr std::int64_t kMostTokens = std::int64_t(1) << 24;  // of one described call: its page table is written out

/// Reads the keys of one side; the first problem is kept, and every later read is harmless.
class SideReader {
public:
    SideReader(const Json& side, std::string where) : m_side(side), m_where(std::move(where)) {}

    const Json* find(const char* key) {
        m_known.emplace_back(key);
        const auto found = m_side.find(key);
        return found == m_side.end() || found->is_null() ? nullptr : &*found;
    }
    void text(const char* key, std::string& value) {
        const Json* const found = find(key);
        if (found == nullptr) return;
        if (!found->is_string() || !isPlainText(found->get_ref<const std::string&>()))
            return fail(key, "a text without control characters");
        value = found->get<std::string>();
    }
    template <class Flag>
    void flag(const char* key, Flag& value) {
        const Json* const found = find(key);
        if (found == nullptr) return;
        if (!found->is_boolean()) return fail(key, "true or false");
        value = found->get<bool>();
    }
    template <class Integer>
    void integer(const char* key, Integer& value, std::int64_t least) {
        const Json* const found = find(key);
        if (found == nullptr) return;
        if (!isInteger(*found, least)) return fail(key, fmt::format("a whole number from {} to {}", least, kMostTokens));
        value = found->get<std::int64_t>();
    }
    template <class Number>
    void number(const char* key, Number& value) {
        const Json* const found = find(key);
        if (found == nullptr) return;
        if (!found->is_number()) return fail(key, "a number");
        value = found->get<double>();
    }
    void integers(const char* key, std::vector<std::int64_t>& values) {
        const Json* const found = find(key);
        if (found == nullptr) return;
        if (!found->is_array() || found->size() < 2) return fail(key, "a list of cumulative lengths from 0 on");
        for (const Json& one : *found) {
            if (!isInteger(one, 0)) return fail(key, fmt::format("whole numbers from 0 to {}", kMostTokens));
            values.push_back(one.get<std::int64_t>());
        }
    }
    void texts(const char* key, std::map<std::string, std::string>& values) {
        const Json* const found = find(key);
        if (found == nullptr) return;
        if (!found->is_object()) return fail(key, "an object of texts");
        for (const auto& [name, value] : found->items()) {
            if (!value.is_string() || !isPlainText(name) || !isPlainText(value.get_ref<const std::string&>()))
                return fail(key, "an object of texts without control characters");
            values[name] = value.get<std::string>();
        }
    }
    /// After everything was read: keys that nobody asked for.
    void finish() {
        for (const auto& [key, value] : m_side.items())
            if (std::find(m_known.begin(), m_known.end(), key) == m_known.end() && m_problem.empty())
                m_problem = fmt::format("{}: key {} is not known", m_where, shownJson(key));
    }
    [[nodiscard]] const std::string& problem() const { return m_problem; }

private:
    static bool isInteger(const Json& value, std::int64_t least) {
        if (!value.is_number_integer()) return false;
        if (value.is_number_unsigned() && value.get<std::uint64_t>() > std::uint64_t(kMostTokens)) return false;
        return value.get<std::int64_t>() >= least && value.get<std::int64_t>() <= kMostTokens;
    }
    void fail(const char* key, std::string_view expected) {
        if (m_problem.empty()) m_problem = fmt::format("{}: \"{}\" is not {}", m_where, key, expected);
    }

    const Json& m_side;
    std::string m_where;
    std::vector<std::string> m_known;
    std::string m_problem;
};

void readBuilds(SideReader& reader, AttentionBuilds& builds) {
    reader.flag("cudnn", builds.cudnn);
    reader.flag("fa3", builds.flash3);
    reader.flag("fa4", builds.flash4);
    reader.flag("serving_kernel", builds.serving);
}

void readCall(SideReader& reader, DescribedAttention& side) {
    reader.integer("batch", side.batch, 1);
    reader.integer("query_tokens", side.queryTokens, 0);
    side.keyTokens = side.queryTokens;
    reader.integer("key_tokens", side.keyTokens, 0);
    side.valueTokens = side.keyTokens;
    reader.integer("value_tokens", side.valueTokens, 0);
    reader.integers("cu_seqlens_q", side.cuQ);
    side.cuK = side.cuQ;
    if (reader.find("cu_seqlens_k") != nullptr) side.cuK.clear();
    reader.integers("cu_seqlens_k", side.cuK);
    reader.integer("max_length_q", side.mostQueries, 0);
    reader.integer("max_length_k", side.mostKeys, 0);
    reader.integer("q_heads", side.queryHeads, 1);
    reader.integer("kv_heads", side.kvHeads, 1);
    reader.number("scale", side.scale);
    reader.flag("causal", side.causal);
    reader.flag("causal_argument", side.causalArgument);
    reader.integer("window", side.window, 0);
    reader.number("softcap", side.softcap);
    reader.integer("num_splits", side.numSplits, 0);
    reader.flag("deterministic", side.deterministic);
    reader.flag("sinks", side.sinks);
    reader.flag("output_attentions", side.wantsWeights);
    reader.flag("head_mask", side.headMask);
}

// Empty, or the first problem.
std::string readContextParallel(const Json& object, const std::string& where, ContextParallel& parallel) {
    if (!object.is_object()) return fmt::format("{}: \"context_parallel\" is not an object", where);
    SideReader reader(object, where + ", context_parallel");
    reader.text("variant", parallel.variant);
    reader.integer("degree", parallel.degree, 1);
    reader.flag("ring", parallel.ring);
    reader.finish();
    return reader.problem();
}

Result<DescribedAttention> readSide(const Json& document, const char* key, std::string_view source) {
    const auto found = document.find(key);
    if (found == document.end() || !found->is_object()) return failure("{}: \"{}\" is not an object", source, key);
    const std::string where = fmt::format("{}: {}", source, key);
    DescribedAttention side;
    SideReader reader(*found, where);
    reader.text("requested", side.requested);
    reader.text("build_id", side.buildId);
    reader.text("arithmetic", side.arithmetic);
    reader.texts("environment", side.environment);
    const Json* const builds = reader.find("builds");
    if (builds != nullptr && !builds->is_object()) return failure("{}: \"builds\" is not an object", where);
    static const Json kNone = Json::object();
    SideReader buildReader(builds == nullptr ? kNone : *builds, where + ", builds");
    readBuilds(buildReader, side.builds);
    buildReader.finish();
    readCall(reader, side);
    if (const Json* const parallel = reader.find("context_parallel"); parallel != nullptr)
        if (const std::string problem = readContextParallel(*parallel, where, side.contextParallel.emplace());
            !problem.empty())
            return tl::unexpected(Error{problem});
    reader.finish();
    for (const SideReader* const one : {&buildReader, &reader})
        if (!one->problem().empty()) return tl::unexpected(Error{one->problem()});
    if (side.batch * std::max(side.queryTokens, side.keyTokens) > kMostTokens)
        return failure("{}: more than {} tokens in all", where, kMostTokens);
    return side;
}

AttentionSide planned(const DescribedAttention& side) {
    const auto plan = planAttention(side);
    return plan ? AttentionSide{*plan, {}} : AttentionSide{{}, plan.error().message};
}

std::string scaleText(const std::optional<double>& scale) {
    return scale ? fmt::format("{}", *scale) : "the kernel's default";
}

// What keeps one side alone out of any contract.
void judgeSide(std::string_view name, const DescribedAttention& side, const AttentionSide& planned,
               std::vector<std::string>& reasons) {
    if (!planned.plan) return reasons.push_back(fmt::format("{}: {}", name, planned.refusal));
    const AttentionPlan& plan = *planned.plan;
    if (plan.build == AttentionBuild::Eager)
        reasons.push_back(fmt::format("{}: eager attention runs, for which there is no contract", name));
    if (plan.softcap != 0.0) reasons.push_back(fmt::format("{}: softcap is {}, expected 0", name, plan.softcap));
    if (plan.splits() == 0)
        reasons.push_back(fmt::format(
            "{}: num_splits is 0, so the number of splits is chosen from the launch and a request's bits depend on its "
            "neighbours; expected 1",
            name));
    if (plan.splits() > 1)
        reasons.push_back(fmt::format(
            "{}: num_splits is {}, expected 1{}", name, plan.splits(),
            side.queryHeads == side.kvHeads ? "; with as many kv heads as query heads even a pinned number of splits is "
                                              "not independent of the batch"
                                            : ""));
    if (side.contextParallel && !side.contextParallel->isNamed())
        reasons.push_back(fmt::format(
            "{}: the context parallel variant is chosen automatically ({} here), expected a named one", name,
            nameOf(*plan.placement)));
    if (side.buildId.empty()) reasons.push_back(fmt::format("{}: the kernel's build is not recorded", name));
    if (const NamedAttention* const named = findAttention(side.arithmetic);
        named != nullptr && dependenceOf(named->arithmetic) != AttentionDependence::Nothing)
        reasons.push_back(fmt::format("{}: the words of {} depend on more than a row's own keys", name, named->name));
    else if (named == nullptr && !side.arithmetic.empty())
        reasons.push_back(fmt::format("{}: arithmetic \"{}\" is not known", name, side.arithmetic));
}

void compareSides(const DescribedPair& pair, const AttentionPlan& a, const AttentionPlan& b,
                  std::vector<std::string>& reasons) {
    const auto differ = [&](std::string_view what, const auto& left, const auto& right) {
        reasons.push_back(fmt::format("{}: {} on the trainer's side, {} on the sampler's", what, left, right));
    };
    if (a.build != b.build) differ("two kernel builds are two numerical programs", nameOf(a.build), nameOf(b.build));
    if (pair.trainer.buildId != pair.sampler.buildId)
        differ("kernel build", pair.trainer.buildId, pair.sampler.buildId);
    if (a.scale != b.scale) differ("softmax scale", scaleText(a.scale), scaleText(b.scale));
    // A single query sees all its keys with the mask and without it.
    const bool single = a.mostQueries == 1 || b.mostQueries == 1;
    if (a.causal != b.causal && !single) differ("causal", a.causal, b.causal);
    if (pair.trainer.window != pair.sampler.window) differ("window", a.window, b.window);
    if (a.softcap != b.softcap) differ("softcap", a.softcap, b.softcap);
    if (a.splits() != b.splits()) differ("num_splits", a.splits(), b.splits());
    if (pair.trainer.sinks != pair.sampler.sinks) differ("learned sinks", pair.trainer.sinks, pair.sampler.sinks);
    if (pair.trainer.queryHeads != pair.sampler.queryHeads || pair.trainer.kvHeads != pair.sampler.kvHeads)
        differ("heads (query, kv)", fmt::format("{}, {}", pair.trainer.queryHeads, pair.trainer.kvHeads),
               fmt::format("{}, {}", pair.sampler.queryHeads, pair.sampler.kvHeads));
    if (a.placement != b.placement) {
        const auto text = [](const std::optional<UlyssesVariant>& variant) { return variant ? nameOf(*variant) : "none"; };
        differ("rotary around the scattering of heads", text(a.placement), text(b.placement));
    }
    if (pair.trainer.arithmetic != pair.sampler.arithmetic)
        differ("arithmetic", pair.trainer.arithmetic, pair.sampler.arithmetic);
}

}  // namespace

Result<DescribedPair> readDescribedPair(const Json& document, std::string_view source) {
    if (!document.is_object()) return failure("{}: the pair is not an object", source);
    const auto trainer = readSide(document, "trainer", source);
    if (!trainer) return failureOf(trainer);
    const auto sampler = readSide(document, "sampler", source);
    if (!sampler) return failureOf(sampler);
    return DescribedPair{*trainer, *sampler};
}

AttentionVerdict judgeAttention(const DescribedPair& pair) {
    AttentionVerdict verdict{planned(pair.trainer), planned(pair.sampler), {}};
    judgeSide("trainer", pair.trainer, verdict.trainer, verdict.reasons);
    judgeSide("sampler", pair.sampler, verdict.sampler, verdict.reasons);
    if (verdict.trainer.plan && verdict.sampler.plan)
        compareSides(pair, *verdict.trainer.plan, *verdict.sampler.plan, verdict.reasons);
    return verdict;
}

}  // namespace isobit
