// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/engagement/engagement_model.h"

#include <algorithm>

#include "views/engagement/shown_engagement.h"

namespace isobit::views {

namespace {

QString modelText(std::string_view utf8) { return QString::fromUtf8(utf8.data(), qsizetype(utf8.size())); }

QString stateText(EngagementState state) {
    switch (state) {
        case EngagementState::Engaged: return QStringLiteral("═ engaged");
        case EngagementState::NotSelected: return QStringLiteral("– not selected");
        default: return QStringLiteral("! ") + modelText(nameOf(state));
    }
}

/// Of a side whose receipt is not open nothing is known.
QString stateOf(const Receipt& receipt, EngagementState state) { return receipt.side.empty() ? QStringLiteral("–") : stateText(state); }

QString callCounts(const std::optional<ContractReceipt>& contract) {
    if (!contract || !contract->selected) return QStringLiteral("–");
    const QString counts = QStringLiteral("%1 of %2").arg(contract->observed).arg(contract->expected);
    return contract->offLane == 0 ? counts : counts + QStringLiteral(", %1 off its lane").arg(contract->offLane);
}

bool isBad(EngagementState state) { return state != EngagementState::Engaged && state != EngagementState::NotSelected; }

QVariant sectionTitle(int section, Qt::Orientation orientation, int role, const QStringList& titles) {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) return int(Qt::AlignLeft | Qt::AlignVCenter);
    return role == Qt::DisplayRole ? QVariant(titles.value(section)) : QVariant();
}

}  // namespace

void EngagementModel::setEngagement(std::shared_ptr<const ShownEngagement> shown) {
    beginResetModel();
    m_shown = std::move(shown);
    endResetModel();
}

int EngagementModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !m_shown || !m_shown->report ? 0 : static_cast<int>(m_shown->report->contracts.size());
}

int EngagementModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

std::string EngagementModel::contractAt(int row) const {
    return row >= 0 && row < rowCount() ? m_shown->report->contracts[std::size_t(row)].name : std::string();
}

bool EngagementModel::isBroken(int row) const {
    const ContractRow& contract = m_shown->report->contracts[std::size_t(row)];
    const bool named = std::ranges::any_of(m_shown->report->findings, [&](const Finding& one) { return one.subject == contract.name; });
    return named || isBad(contract.trainerState) || isBad(contract.samplerState);
}

int EngagementModel::brokenRow(int from, int step) const {
    for (int row = from + step; row >= 0 && row < rowCount(); row += step)
        if (isBroken(row)) return row;
    return -1;
}

QVariant EngagementModel::display(int row, int column) const {
    const ContractRow& contract = m_shown->report->contracts[std::size_t(row)];
    switch (column) {
        case Mark: return isBroken(row) ? QStringLiteral("!") : QStringLiteral("═");
        case Contract: return modelText(contract.name);
        case Surface: return modelText(contract.surface);
        case TrainerCounts: return callCounts(contract.trainer);
        case TrainerState: return stateOf(m_shown->report->trainer, contract.trainerState);
        case SamplerCounts: return callCounts(contract.sampler);
        case SamplerState: return stateOf(m_shown->report->sampler, contract.samplerState);
        default: return {};
    }
}

QVariant EngagementModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    if (role == Qt::DisplayRole) return display(index.row(), index.column());
    if (role == BrokenRole) return isBroken(index.row());
    if (role == Qt::AccessibleDescriptionRole)
        return QStringLiteral("%1: trainer %2, %3; sampler %4, %5")
            .arg(display(index.row(), Contract).toString(), display(index.row(), TrainerCounts).toString(),
                 display(index.row(), TrainerState).toString().mid(2), display(index.row(), SamplerCounts).toString(),
                 display(index.row(), SamplerState).toString().mid(2));
    return {};
}

QVariant EngagementModel::headerData(int section, Qt::Orientation orientation, int role) const {
    return sectionTitle(section, orientation, role, {"", "Contract", "Surface", "Trainer calls", "Trainer", "Sampler calls", "Sampler"});
}

void FindingsModel::setEngagement(std::shared_ptr<const ShownEngagement> shown) {
    beginResetModel();
    m_shown = std::move(shown);
    endResetModel();
}

int FindingsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !m_shown || !m_shown->report ? 0 : static_cast<int>(m_shown->report->findings.size());
}

int FindingsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

std::string FindingsModel::subjectAt(int row) const {
    return row >= 0 && row < rowCount() ? m_shown->report->findings[std::size_t(row)].subject : std::string();
}

QVariant FindingsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const Finding& finding = m_shown->report->findings[std::size_t(index.row())];
    if (role == Qt::ToolTipRole || role == Qt::AccessibleDescriptionRole) return modelText(finding.sentence);
    if (role != Qt::DisplayRole) return {};
    switch (index.column()) {
        case Side: return modelText(finding.side);
        case Rule: return QStringLiteral("! ") + modelText(finding.rule);
        case Subject: return modelText(finding.subject);
        case Sentence: return modelText(finding.sentence);
        default: return {};
    }
}

QVariant FindingsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    return sectionTitle(section, orientation, role, {"Side", "Rule", "Of", "Found and expected"});
}

void StepsModel::setEngagement(std::shared_ptr<const ShownEngagement> shown) {
    beginResetModel();
    m_shown = std::move(shown);
    endResetModel();
}

int StepsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !m_shown || !m_shown->qualification ? 0 : static_cast<int>(m_shown->qualification->steps.size());
}

int StepsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant StepsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const QualificationStep& step = m_shown->qualification->steps[std::size_t(index.row())];
    if (role == Qt::ToolTipRole) return modelText(step.sentence);
    if (role != Qt::DisplayRole) return {};
    const QString icon = step.state == StepState::Holds ? QStringLiteral("✓ ") : step.state == StepState::Fails ? QStringLiteral("✗ ") : QStringLiteral("– ");
    switch (index.column()) {
        case State: return icon + modelText(nameOf(step.state));
        case Step: return modelText(step.what);
        case Found: return modelText(step.sentence);
        default: return {};
    }
}

QVariant StepsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    return sectionTitle(section, orientation, role, {"State", "Question", "Found"});
}

}  // namespace isobit::views
