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

EnvelopeSide sideOf(const Receipt& receipt) {
    return {receipt.engine, receipt.revision, textOf(receipt.topology), receipt.toolchain};
}

std::string equalWords(std::int64_t tokens) { return fmt::format("integer views equal for all {} tokens", tokens); }

class Procedure {
public:
    Procedure(EngagementReport engagement, const DecisionLogProbs& logProbs, std::string tensor) {
        m_result.engagement = std::move(engagement);
        m_result.words = evidenceOf(logProbs, std::move(tensor));
        m_result.replay = replayLogProbs(logProbs.trainer, logProbs.sampler);
        m_result.replay->aligned = logProbs.aligned;
        m_result.cells = cellsOf(trainer().topology);
        m_facts = {sideOf(trainer()), sideOf(sampler()), m_result.replay->tokens, m_result.engagement.contracts.size()};
        m_held = heldStepsOf(m_facts);
    }

    Qualification run() {
        engagement();
        envelope();
        words();
        k3();
        warnings();
        if (m_good) m_result.claim = claimOf(m_facts);
        m_result.notClaimed = nonClaimsOf(m_facts);
        return std::move(m_result);
    }

private:
    [[nodiscard]] const Receipt& trainer() const { return m_result.engagement.trainer; }
    [[nodiscard]] const Receipt& sampler() const { return m_result.engagement.sampler; }

    // The next of the four; `failed` is what is said where it does not hold.
    void step(bool holds, std::string failed) {
        QualificationStep step = m_held[m_result.steps.size()];
        step.state = !m_good ? StepState::NotReached : holds ? StepState::Holds : StepState::Fails;
        if (!holds) step.sentence = std::move(failed);
        m_good = m_good && holds;
        m_result.steps.push_back(std::move(step));
    }

    void engagement() {
        const EngagementReport& report = m_result.engagement;
        const std::size_t findings = report.findings.size();
        step(report.engaged(), report.engaged()
                                   ? ""
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
        step(missing.empty(), "missing: " + missing);
    }

    void words() {
        const Replay& replay = *m_result.replay;
        std::string sentence = replay.tokens == 0 ? "no token was retained, so nothing was compared"
                               : replay.different == 0
                                   ? equalWords(replay.tokens)
                                   : fmt::format("{} of {} words differ, first at token {}", replay.different,
                                                 replay.tokens, replay.firstDivergentToken.value_or(0));
        if (m_result.words.signsOfZero != 0)
            sentence += fmt::format("; {} of them only in the sign of a zero: fix the sign convention on both sides",
                                    m_result.words.signsOfZero);
        if (replay.impossible != 0)
            sentence += fmt::format("; {} log-probabilities that no sampled token can have, first at token {}",
                                    replay.impossible, replay.firstImpossible.value_or(0));
        step(replay.tokens != 0 && replay.different == 0 && replay.impossible == 0, std::move(sentence));
    }

    void k3() { step(m_result.words.k3Sum == 0, fmt::format("K3 {}", m_result.replay->k3)); }

    void warnings() {
        if (m_result.words.differentAtK3Zero != 0)
            m_result.warnings.push_back(
                fmt::format("K3 is exactly 0 for {} tokens whose words differ: K3 = 0 is weaker than equal bytes, "
                            "since exp(d) - d - 1 "
                            "rounds to 0 in FP32 for many tiny d and cancellation can even make it negative",
                            m_result.words.differentAtK3Zero));
        if (trainer().toolchain != sampler().toolchain)
            m_result.warnings.push_back(fmt::format("the toolchains are not one: trainer {}; sampler {}",
                                                    toolchainText(trainer().toolchain),
                                                    toolchainText(sampler().toolchain)));
        for (const std::string& note : m_result.engagement.notes) m_result.warnings.push_back(note);
    }

    QualificationFacts m_facts;
    std::vector<QualificationStep> m_held;
    Qualification m_result;
    bool m_good = true;
};

}  // namespace

std::string_view nameOf(StepState state) {
    return state == StepState::Holds ? "holds" : state == StepState::Fails ? "fails" : "not reached";
}

std::string claimOf(const QualificationFacts& facts) {
    const EnvelopeSide& trainer = facts.trainer;
    const EnvelopeSide& sampler = facts.sampler;
    return fmt::format(
        "For {} retained tokens, {} at revision {} ({}; {}) gives the log-probability words that {} at revision {} "
        "({}; "
        "{}) kept at decision time, bit for bit, with K3 exactly 0 and {} contracts engaged on both sides",
        facts.tokens, trainer.engine, trainer.revision, trainer.topology, toolchainText(trainer.toolchain),
        sampler.engine, sampler.revision, sampler.topology, toolchainText(sampler.toolchain), facts.contracts);
}

std::vector<std::string> nonClaimsOf(const QualificationFacts& facts) {
    return {"any other revision of either engine, or any other toolchain: the result does not transfer to descendants",
            fmt::format("any topology but trainer {} with sampler {}: each needs its own paired replay",
                        facts.trainer.topology, facts.sampler.topology),
            "that the pair stays equal after an update step: none was replayed",
            "gradients, optimizer state and sharding integrity of the trainer: they are not parity evidence",
            "tokens that were not retained, and logits of tokens that were not chosen",
            "speculative decoding, sharded heads and sampling transforms that the trainer does not replay",
            "speed: a number counts only for what is qualified, and none is measured here",
            "that the receipts tell the truth: they are what the engines said of themselves"};
}

std::vector<QualificationStep> heldStepsOf(const QualificationFacts& facts) {
    return {{"engagement", "did every selected contract run on both sides?", StepState::Holds,
             fmt::format("{} contracts engaged, none off its lane", facts.contracts)},
            {"envelope", "is the triple of trainer, sampler and toolchain known?", StepState::Holds,
             fmt::format("trainer {} {}, sampler {} {}", facts.trainer.engine, facts.trainer.revision,
                         facts.sampler.engine, facts.sampler.revision)},
            {"words", "are the decision-time words equal, every one?", StepState::Holds, equalWords(facts.tokens)},
            {"k3", "is K3 exactly 0?", StepState::Holds, "exactly 0"}};
}

Qualification qualify(EngagementReport engagement, const DecisionLogProbs& logProbs, std::string tensor) {
    return Procedure(std::move(engagement), logProbs, std::move(tensor)).run();
}

}  // namespace isobit
