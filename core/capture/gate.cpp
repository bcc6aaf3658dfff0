// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/capture/gate.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "core/tensors/confinement.h"

namespace isobit {
namespace {

using Words = std::vector<std::string_view>;

bool isOneOf(std::string_view key, const Words& words) { return std::find(words.begin(), words.end(), key) != words.end(); }

bool mentions(std::string_view key, const Words& parts) {
    return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) { return key.find(part) != key.npos; });
}

enum class Topic { Weights, DType, Engine, Backend, Sampling, Ignored, Other };

// What differs between any two captures and means nothing.
bool isIgnored(std::string_view key) {
    static const Words whole{"role", "side", "user", "pid", "command", "format", "byteorder", "name", "note", "step",
                             "rank", "dump_index", "forward_pass_id", "path", "file", "description", "title"};
    return isOneOf(key, whole) || mentions(key, {"created", "timestamp", "date", "host", "time_"});
}

Topic topicOf(std::string_view key) {
    if (isIgnored(key)) return Topic::Ignored;
    const bool digest = mentions(key, {"sha256", "digest", "hash"});
    if (digest && mentions(key, {"weight", "checkpoint", "model", "param"})) return Topic::Weights;
    if (mentions(key, {"backend", "attn_impl", "attention_impl", "requested", "actual"})) return Topic::Backend;
    if (mentions(key, {"dtype", "precision"})) return Topic::DType;
    static const Words engines{"engine", "framework", "torch", "transformers", "vllm", "sglang", "triton", "cuda", "cudnn",
                               "cublas", "driver", "gpu", "device", "flash_attn", "flashinfer", "tensorrt_llm", "python"};
    if (isOneOf(key, engines) || mentions(key, {"version", "revision"})) return Topic::Engine;
    static const Words sampling{"temperature", "top_p", "top_k", "min_p", "repetition_penalty", "logprobs_mode"};
    if (isOneOf(key, sampling)) return Topic::Sampling;
    return Topic::Other;
}

std::optional<std::string> valueOf(const SideFacts& facts, std::string_view key) {
    for (const auto& [name, value] : facts.values)
        if (name == key) return value;
    return std::nullopt;
}

// What both sides say on one topic.
struct Agreement {
    std::vector<std::string> same, different, oneSided;
};

Agreement agreementOn(Topic topic, const SideFacts& trainer, const SideFacts& sampler) {
    Agreement agreement;
    for (const auto& [key, value] : trainer.values) {
        if (topicOf(key) != topic) continue;
        const auto other = valueOf(sampler, key);
        if (!other) agreement.oneSided.push_back("only the trainer says " + printable(key));
        else if (*other == value) agreement.same.push_back(fmt::format("{} {}", printable(key), printable(value)));
        else agreement.different.push_back(
            fmt::format("{}: trainer {}, sampler {}", printable(key), printable(value), printable(*other)));
    }
    for (const auto& [key, value] : sampler.values)
        if (topicOf(key) == topic && !valueOf(trainer, key))
            agreement.oneSided.push_back("only the sampler says " + printable(key));
    return agreement;
}

Comparability checkOf(std::string name, const Agreement& agreement, bool blocks, std::string_view unknown) {
    Comparability check{std::move(name), agreement.different.empty(), true, "", blocks};
    if (!agreement.different.empty()) {
        check.found = fmt::format("{}", fmt::join(agreement.different, "; "));
    } else if (!agreement.same.empty()) {
        check.found = fmt::format("{} on both sides", fmt::join(agreement.same, ", "));
    } else {
        check.known = check.holds = false;
        check.found = agreement.oneSided.empty() ? std::string(unknown) : fmt::format("{}", fmt::join(agreement.oneSided, ", "));
    }
    return check;
}

// "requested_backend" and "actual_backend", or "backend_requested" and "backend_actual".
std::optional<std::string> actualKeyOf(std::string key) {
    constexpr std::string_view kRequested = "requested";
    const auto at = key.find(kRequested);
    if (at == std::string::npos) return std::nullopt;
    return key.replace(at, kRequested.size(), "actual");
}

// A configuration is no evidence: what was asked for and what ran are compared on each side.
void checkRequested(std::string_view side, const SideFacts& facts, Agreement& agreement) {
    for (const auto& [key, value] : facts.values) {
        const auto actualKey = actualKeyOf(key);
        if (!actualKey) continue;
        const auto actual = valueOf(facts, *actualKey);
        if (!actual)
            agreement.oneSided.push_back(
                fmt::format("the {} asked for {} {} and does not say what ran", side, printable(key), printable(value)));
        else if (*actual != value)
            agreement.different.push_back(fmt::format("the {} asked for {} {} and ran {}", side, printable(key),
                                                      printable(value), printable(*actual)));
        else
            agreement.same.push_back(fmt::format("{} {} as asked by the {}", printable(*actualKey), printable(*actual), side));
    }
}

Comparability checkBackends(const SideFacts& trainer, const SideFacts& sampler) {
    Agreement agreement;
    checkRequested("trainer", trainer, agreement);
    checkRequested("sampler", sampler, agreement);
    Agreement between = agreementOn(Topic::Backend, trainer, sampler);
    agreement.different.insert(agreement.different.end(), between.different.begin(), between.different.end());
    if (agreement.same.empty()) agreement.same = between.same;
    if (agreement.oneSided.empty()) agreement.oneSided = between.oneSided;
    Comparability check = checkOf("backend", agreement, false, "neither side says which backend ran");
    // Half an answer is none: what ran is unknown on a side that only says what was asked for.
    const bool silent = std::any_of(agreement.oneSided.begin(), agreement.oneSided.end(),
                                    [](const std::string& text) { return text.find("does not say") != text.npos; });
    if (silent && check.holds) {
        check.known = check.holds = false;
        check.found = fmt::format("{}", fmt::join(agreement.oneSided, "; "));
    }
    return check;
}

}  // namespace

std::vector<Comparability> checkFacts(const SideFacts& trainer, const SideFacts& sampler) {
    std::vector<Comparability> checks;
    const auto on = [&](Topic topic) { return agreementOn(topic, trainer, sampler); };
    checks.push_back(checkOf("weights", on(Topic::Weights), true, "neither side gives a digest of its weights"));
    checks.push_back(checkOf("dtype", on(Topic::DType), false, "neither side names the type that it computes in"));
    checks.push_back(checkOf("engine", on(Topic::Engine), false, "neither side names its engine and versions"));
    checks.push_back(checkBackends(trainer, sampler));
    if (const Agreement sampling = on(Topic::Sampling); !sampling.same.empty() || !sampling.different.empty())
        checks.push_back(checkOf("sampling", sampling, false, ""));
    if (const Agreement other = on(Topic::Other); !other.different.empty())
        checks.push_back(checkOf("other", other, false, ""));
    return checks;
}

}  // namespace isobit
