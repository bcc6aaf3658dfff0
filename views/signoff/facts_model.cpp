// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/signoff/facts_model.h"

#include "evidence/test_key.h"

namespace isobit::views {

namespace {

QString keyText(const QString& fingerprint) {
    return QString::fromStdString(evidence::fingerprintText(fingerprint.toStdString()));
}

QString resultCounts(const evidence::ResultPredicate& p) {
    return QStringLiteral("%1: %2 of %3 cells bit-equal, %4 different, %5 failed, %6 missing")
        .arg(QString::fromStdString(p.result)).arg(p.sweep.cellsBitEqual).arg(p.sweep.cellsExpected)
        .arg(p.sweep.cellsBitDifferent).arg(p.sweep.cellsError).arg(p.sweep.cellsExpected - p.sweep.cellsPresent);
}

}  // namespace

void FactsModel::setArtifact(const ShownArtifact& artifact) {
    beginResetModel();
    m_facts.clear();
    addSigners(artifact.verification);
    if (artifact.manifest) {
        addClaim(artifact.manifest->predicate);
        addOrigin(artifact.manifest->predicate);
    }
    addChanges(artifact);
    addDigests(artifact);
    endResetModel();
}

void FactsModel::addSigners(const ShownVerification& verification) {
    section(QStringLiteral("Who vouches"));
    const QString author = verification.author.isEmpty() ? QStringLiteral("nobody that the policy knows") : verification.author;
    add(QStringLiteral("author"), author);
    if (!verification.fingerprint.isEmpty()) add(QStringLiteral("author's key"), keyText(verification.fingerprint));
    for (const ShownReview& review : verification.reviews) {
        add(QStringLiteral("review"), QStringLiteral("%1 by %2 (%3): %4").arg(review.verdict, review.reviewer, review.state, review.detail));
        if (!review.fingerprint.isEmpty()) add(QStringLiteral("reviewer's key"), keyText(review.fingerprint));
    }
    if (verification.reviews.empty()) add(QStringLiteral("review"), QStringLiteral("none"));
}

void FactsModel::addClaim(const evidence::ResultPredicate& p) {
    section(QStringLiteral("Claimed by the author"));
    add(QStringLiteral("result"), resultCounts(p));
    add(QStringLiteral("preset"), p.plan.preset);
    add(QStringLiteral("contract"), p.plan.contract);
    add(QStringLiteral("trainer"), p.plan.trainer.name + ", " + p.plan.trainer.arithmetic.name);
    add(QStringLiteral("sampler"), p.plan.sampler.name + ", " + p.plan.sampler.arithmetic.name);
    add(QStringLiteral("batch invariance"), p.sweep.batchInvariant);
    for (const evidence::EdgeRecord& edge : p.edges)
        add(QStringLiteral("edge"), QStringLiteral("%1 between %2 and %3").arg(QString::fromStdString(edge.axis)).arg(edge.below).arg(edge.above));
    for (const evidence::ReplayRecord& replay : p.replays)
        add(QStringLiteral("run again"), QStringLiteral("%1: %2 cells equal, %3 different").arg(QString::fromStdString(replay.file)).arg(replay.cellsEqual).arg(replay.cellsDifferent));
    add(QStringLiteral("dispatch rule"), p.dispatch.rule);
    section(QStringLiteral("Not claimed"));
    for (const std::string& sentence : p.nonClaims) add({}, sentence);
}

void FactsModel::addOrigin(const evidence::ResultPredicate& p) {
    section(QStringLiteral("Where it comes from, as the author tells it"));
    add(QStringLiteral("engine"), p.environment.engine);
    for (const auto& [name, value] : {std::pair<const char*, const std::string&>{"GPU", p.environment.gpuName},
                                      {"driver", p.environment.driver},
                                      {"CUDA", p.environment.cudaRuntime}})
        if (value != "none") add(QString::fromLatin1(name), value);
    add(QStringLiteral("claimed times"), p.claimedStartedUtc + " to " + p.claimedFinishedUtc);
    add(QStringLiteral("made by"), p.producer.name + " " + p.producer.version + ", " + p.producer.commit);
    add(QStringLiteral("source"), p.source.commit);
    for (const evidence::BoundPath& path : p.source.paths) add(QStringLiteral("bound to"), path.path + "  " + path.gitTree.substr(0, 12));
    if (!p.supersedes.empty()) add(QStringLiteral("supersedes"), p.supersedes);
}

void FactsModel::addChanges(const ShownArtifact& artifact) {
    if (artifact.changes.empty() && artifact.changesProblem.isEmpty()) return;
    section(QStringLiteral("Changed since the artifact that it supersedes"));
    if (!artifact.changesProblem.isEmpty()) add(QString(), artifact.changesProblem);
    for (const ShownChange& change : artifact.changes) add(change.place, change.before + QStringLiteral(" → ") + change.after);
}

void FactsModel::addDigests(const ShownArtifact& artifact) {
    section(QStringLiteral("Digests, SHA-256"));
    add(QStringLiteral("manifest.json"), artifact.verification.manifestSha256);
    if (!artifact.manifest) return;
    for (const evidence::Subject& subject : artifact.manifest->subject)
        add(QString::fromStdString(subject.name), subject.digest.sha256);
    const evidence::PlanRecord& plan = artifact.manifest->predicate.plan;
    if (!plan.siliconSha256.empty()) add(QStringLiteral("%1 table").arg(QString::fromStdString(plan.silicon)), plan.siliconSha256);
}

int FactsModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_facts.size()); }

int FactsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : 2; }

QVariant FactsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const Fact& fact = m_facts[static_cast<std::size_t>(index.row())];
    switch (role) {
        case Qt::DisplayRole: return index.column() == 0 ? fact.name : fact.value;
        case Qt::ToolTipRole:
        case Qt::AccessibleTextRole: return fact.section ? fact.name : fact.name + QStringLiteral(": ") + fact.value;
        case SectionRole: return fact.section;
        default: return {};
    }
}

}  // namespace isobit::views
