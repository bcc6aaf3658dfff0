// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/walk/walk_model.h"

#include <algorithm>
#include <cmath>

#include "views/captures/capture_text.h"

namespace isobit::views {

namespace {

double shareOf(const Comparison& comparison) {
    return comparison.elements == 0 ? 0 : double(comparison.different) / double(comparison.elements);
}

QString percentText(const WalkStep& step) {
    if (step.status != TensorStatus::Different) return {};
    const double percent = 100 * shareOf(step.comparison);
    return percent < 0.01 ? QStringLiteral("<0.01 %") : QString::number(percent, 'f', percent < 10 ? 2 : 1) + QStringLiteral(" %");
}

QVariant stepText(const WalkStep& step, int column) {
    switch (column) {
        case WalkModel::Mark: return glyphOf(step);
        case WalkModel::Name: return QString::fromStdString(step.pair.name);
        case WalkModel::Share: return percentText(step);
        case WalkModel::Counts: return countsText(step);
        case WalkModel::Largest: return largestText(step);
        case WalkModel::Verdict: return roleText(step);
        case WalkModel::Match: return matchText(step.pair);
        default: return {};
    }
}

}  // namespace

double barOf(double share) {
    if (share <= 0) return 0;
    constexpr double kDecades = 6;
    constexpr double kLeast = 0.06;
    return std::clamp(1 + std::log10(share) / kDecades, kLeast, 1.0);
}

void WalkModel::setCapture(CapturePtr capture) {
    if (m_capture && capture && continues(*capture, *m_capture)) return grow(std::move(capture));
    beginResetModel();
    m_capture = std::move(capture);
    m_layers.clear();
    if (m_capture)
        for (const WalkStep& step : m_capture->walk.steps) m_layers.push_back(layerOf(step.pair.name));
    endResetModel();
}

// First what changes in the rows there are, then the rows that come: between a view's two notices of new rows nothing
// else may change.
void WalkModel::grow(CapturePtr capture) {
    const int before = rowCount();
    const int after = static_cast<int>(capture->walk.steps.size());
    const bool judged = !capture->isPartial();  // only now are there roles, of the rows before, too
    m_capture = std::move(capture);
    if (judged && before > 0) emit dataChanged(index(0, 0), index(before - 1, ColumnCount - 1));
    if (after == before) return;
    beginInsertRows({}, before, after - 1);
    for (int row = before; row < after; ++row)
        m_layers.push_back(layerOf(m_capture->walk.steps[static_cast<std::size_t>(row)].pair.name));
    endInsertRows();
}

const WalkStep* WalkModel::stepAt(int row) const {
    return row >= 0 && row < rowCount() ? &m_capture->walk.steps[static_cast<std::size_t>(row)] : nullptr;
}

QString WalkModel::layerAt(int row) const {
    return row >= 0 && row < rowCount() ? m_layers[static_cast<std::size_t>(row)] : QString();
}

int WalkModel::differingRow(int from, int step) const {
    for (int row = from + step; row >= 0 && row < rowCount(); row += step)
        if (stepAt(row)->status == TensorStatus::Different) return row;
    return -1;
}

int WalkModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_layers.size());
}

int WalkModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant WalkModel::data(const QModelIndex& index, int role) const {
    const WalkStep* step = index.isValid() ? stepAt(index.row()) : nullptr;
    if (step == nullptr) return {};
    switch (role) {
        case Qt::DisplayRole: return stepText(*step, index.column());
        case Qt::ToolTipRole:
        case Qt::AccessibleDescriptionRole: return sentenceOf(*step);
        case Qt::TextAlignmentRole:
            return int(Qt::AlignVCenter | (index.column() == Mark ? Qt::AlignHCenter : Qt::AlignLeft));
        case StepRole: return index.row();
        case LayerRole: return layerAt(index.row());
        case BlockedRole: return !m_capture->walk.comparable();
        default: return {};
    }
}

QVariant WalkModel::headerData(int section, Qt::Orientation orientation, int role) const {
    static constexpr const char* kHeads[] = {"", "Tensor", "Verdict", "Share", "Words that differ", "Largest", "Match"};
    if (section < 0 || orientation == Qt::Vertical || section >= ColumnCount) return {};
    if (role == Qt::TextAlignmentRole) return int(Qt::AlignLeft | Qt::AlignVCenter);
    return role == Qt::DisplayRole ? QVariant(QString::fromLatin1(kHeads[section])) : QVariant();
}

void WalkFilter::setDifferencesOnly(bool only) {
    m_differencesOnly = only;
    invalidateFilter();
}

bool WalkFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
    const auto* walk = qobject_cast<const WalkModel*>(sourceModel());
    const WalkStep* step = walk == nullptr ? nullptr : walk->stepAt(row);
    if (step == nullptr) return false;
    if (m_differencesOnly && step->status == TensorStatus::Equal) return false;
    return QSortFilterProxyModel::filterAcceptsRow(row, parent);
}

}  // namespace isobit::views
