// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engagement/qualification.h"

#include <span>

#include "core/base/sha256.h"

namespace isobit {
namespace {

std::string digestOf(const std::vector<float>& words) { return sha256Hex(std::as_bytes(std::span(words))); }

WordEvidence evidenceOf(const DecisionLogProbs& logProbs, std::string tensor) {
    WordEvidence words{std::move(tensor), digestOf(logProbs.trainer), digestOf(logProbs.sampler)};
    for (std::size_t i = 0; i < logProbs.trainer.size(); ++i) {
        const ReplayToken token = replayToken(logProbs.trainer[i], logProbs.sampler[i]);
        words.k3Sum += token.k3;
        if (!token.differs) continue;
        if (token.trainer == 0 && token.sampler == 0) ++words.signsOfZero;
        if (token.k3 == 0) ++words.differentAtK3Zero;
    }
    return words;
}

std::string toolchainText(const NamedTexts& toolchain) {
    std::string text;
    for (const auto& [name, version] : toolchain) text += (text.empty() ? "" : ", ") + name + " " + version;
    return text;
}

class Procedure {
public:
    Procedure(EngagementReport engagement, const DecisionLogProbs& logProbs, std::string tensor) {
        m_result.engagement = std::move(engagement);
        m_result.words = evidenceOf(logProbs, std::move(tensor));
        m_result.replay = replayLogProbs(logProbs.trainer, logProbs.sampler);
        m_result.replay->aligned = logProbs.aligned;
        m_result.cells = cellsOf(trainer().topology);
    }

    Qualification run() {
        engagement();
        envelope();
        words();
        k3();
        warnings();
        if (m_good) m_result.claim = claim();
        nonClaims();
        return std::move(m_result);
    }

private:
    [[nodiscard]] const Receipt& trainer() const { return m_result.engagement.trainer; }
    [[nodiscard]] const Receipt& sampler() const { return m_result.engagement.sampler; }

    void step(std::string id, std::string what, bool holds, std::string sentence) {
        const StepState state = !m_good ? StepState::NotReached : holds ? StepState::Holds : StepState::Fails;
        m_good = m_good && holds;
        m_result.steps.push_back({std::move(id), std::move(what), state, std::move(sentence)});
    }

    void engagement() {
        const EngagementReport& report = m_result.engagement;
        const std::size_t findings = report.findings.size();
        step("engagement", "did every selected contract run on both sides?", report.engaged(),
             report.engaged() ? fmt::format("{} contracts engaged, none off its lane", report.contracts.size())
                              : fmt::format("{} rule{} broken, first {}: {}", findings, findings == 1 ? "" : "s",
                                            report.findings.front().rule, report.findings.front().sentence));
    }

    // A result belongs to one triple; with a part of it unknown there is nothing that it could belong to.
    void envelope() {
        std::string missing;
        const auto need = [&](bool there, std::string_view what) {
            if (!there) missing += (missing.empty() ? "" : ", ") + std::string(what);
        };
        need(!trainer().revision.empty(), "the trainer's revision");
        need(!sampler().revision.empty(), "the sampler's revision");
        need(!trainer().toolchain.empty(), "the trainer's toolchain");
        need(!sampler().toolchain.empty(), "the sampler's toolchain");
        for (const TopologyCell& cell : m_result.cells)
            if (cell.state == "refused") need(false, "a topology that is not refused (" + cell.id + ")");
        step("envelope", "is the triple of trainer, sampler and toolchain known?", missing.empty(),
             missing.empty() ? fmt::format("trainer {} {}, sampler {} {}", trainer().engine, trainer().revision,
                                           sampler().engine, sampler().revision)
                             : "missing: " + missing);
    }

    void words() {
        const Replay& replay = *m_result.replay;
        std::string sentence = replay.tokens == 0 ? "no token was retained, so nothing was compared"
                               : replay.different == 0
                                   ? fmt::format("integer views equal for all {} tokens", replay.tokens)
                                   : fmt::format("{} of {} words differ, first at token {}", replay.different, replay.tokens,
                                                 replay.firstDivergentToken.value_or(0));
        if (m_result.words.signsOfZero != 0)
            sentence += fmt::format("; {} of them only in the sign of a zero: fix the sign convention on both sides",
                                    m_result.words.signsOfZero);
        if (replay.impossible != 0)
            sentence += fmt::format("; {} log-probabilities that no sampled token can have, first at token {}",
                                    replay.impossible, replay.firstImpossible.value_or(0));
        step("words", "are the decision-time words equal, every one?",
             replay.tokens != 0 && replay.different == 0 && replay.impossible == 0, std::move(sentence));
    }

    void k3() {
        const bool zero = m_result.words.k3Sum == 0;
        step("k3", "is K3 exactly 0?", zero, zero ? "exactly 0" : fmt::format("K3 {}", m_result.replay->k3));
    }

    void warnings() {
        if (m_result.words.differentAtK3Zero != 0)
            m_result.warnings.push_back(fmt::format(
                "K3 is exactly 0 for {} tokens whose words differ: K3 = 0 is weaker than equal bytes, since exp(d) - d - 1 "
                "rounds to 0 in FP32 for many tiny d and cancellation can even make it negative",
                m_result.words.differentAtK3Zero));
        if (trainer().toolchain != sampler().toolchain)
            m_result.warnings.push_back(fmt::format("the toolchains are not one: trainer {}; sampler {}",
                                                    toolchainText(trainer().toolchain), toolchainText(sampler().toolchain)));
        for (const std::string& note : m_result.engagement.notes) m_result.warnings.push_back(note);
    }

    [[nodiscard]] std::string claim() const {
        return fmt::format(
            "For {} retained tokens, {} at revision {} ({}; {}) gives the log-probability words that {} at revision {} ({}; "
            "{}) kept at decision time, bit for bit, with K3 exactly 0 and {} contracts engaged on both sides",
            m_result.replay->tokens, trainer().engine, trainer().revision, textOf(trainer().topology),
            toolchainText(trainer().toolchain), sampler().engine, sampler().revision, textOf(sampler().topology),
            toolchainText(sampler().toolchain), m_result.engagement.contracts.size());
    }

    void nonClaims() {
        std::vector<std::string>& list = m_result.notClaimed;
        list.emplace_back("any other revision of either engine, or any other toolchain: the result does not transfer to descendants");
        list.push_back(fmt::format("any topology but trainer {} with sampler {}: each needs its own paired replay",
                                   textOf(trainer().topology), textOf(sampler().topology)));
        list.emplace_back("that the pair stays equal after an update step: none was replayed");
        list.emplace_back("gradients, optimizer state and sharding integrity of the trainer: they are not parity evidence");
        list.emplace_back("tokens that were not retained, and logits of tokens that were not chosen");
        list.emplace_back("speculative decoding, sharded heads and sampling transforms that the trainer does not replay");
        list.emplace_back("speed: a number counts only for what is qualified, and none is measured here");
        list.emplace_back("that the receipts tell the truth: they are what the engines said of themselves");
    }

    Qualification m_result;
    bool m_good = true;
};

}  // namespace

std::string_view nameOf(StepState state) {
    return state == StepState::Holds ? "holds" : state == StepState::Fails ? "fails" : "not reached";
}

Qualification qualify(EngagementReport engagement, const DecisionLogProbs& logProbs, std::string tensor) {
    return Procedure(std::move(engagement), logProbs, std::move(tensor)).run();
}

}  // namespace isobit
