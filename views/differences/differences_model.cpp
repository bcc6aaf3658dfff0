// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/differences/differences_model.h"

#include "views/inspector/word_text.h"

namespace isobit::views {

void DifferencesModel::setOutput(RunPtr run, const OutputResult* output) {
    beginResetModel();
    m_comparison = output == nullptr ? nullptr : &output->comparison;
    if (output != nullptr) m_dtype = output->dtype, m_shape = output->shape;
    m_owner = std::move(run);
    endResetModel();
}

void DifferencesModel::setStep(CapturePtr capture, const WalkStep* step) {
    beginResetModel();
    m_comparison = step == nullptr ? nullptr : &step->comparison;
    if (step != nullptr) m_dtype = step->comparison.dtype, m_shape = shapeOf(*capture, *step);
    m_owner = std::move(capture);
    endResetModel();
}

int DifferencesModel::rowOf(std::int64_t element) const {
    if (m_comparison == nullptr || element < 0) return -1;
    const auto& listed = m_comparison->listed;
    for (std::size_t row = 0; row < listed.size(); ++row)
        if (listed[row].index == static_cast<std::uint64_t>(element)) return static_cast<int>(row);
    return -1;
}

int DifferencesModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || m_comparison == nullptr ? 0 : static_cast<int>(m_comparison->listed.size());
}

int DifferencesModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant DifferencesModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || m_comparison == nullptr) return {};
    const ElementDifference& difference = m_comparison->listed[static_cast<std::size_t>(index.row())];
    switch (role) {
        case Qt::DisplayRole: return display(difference, index.column());
        case SortRole: return sortKey(difference, index.column());
        case ElementRole: return QVariant::fromValue<qlonglong>(static_cast<qlonglong>(difference.index));
        case Qt::TextAlignmentRole: return int(Qt::AlignLeft | Qt::AlignVCenter);
        default: return {};
    }
}

QVariant DifferencesModel::display(const ElementDifference& difference, int column) const {
    const WordText words = wordTextOf(m_dtype, difference);
    switch (column) {
        case Place: return placeText(m_shape, difference.index);
        case TrainerHex: return words.trainerHex;
        case SamplerHex: return words.samplerHex;
        case Distance: return words.distance;
        case TrainerValue: return words.trainerDecimal;
        case SamplerValue: return words.samplerDecimal;
        case Flips: return words.flips;
        default: return {};
    }
}

QVariant DifferencesModel::sortKey(const ElementDifference& difference, int column) {
    switch (column) {
        case TrainerHex:
        case TrainerValue: return QVariant::fromValue<qulonglong>(difference.trainer);
        case SamplerHex:
        case SamplerValue: return QVariant::fromValue<qulonglong>(difference.sampler);
        case Distance: return QVariant::fromValue<qulonglong>(difference.ulp.value_or(UINT64_MAX));
        case Flips: return QVariant::fromValue<qulonglong>(difference.trainer ^ difference.sampler);
        default: return QVariant::fromValue<qulonglong>(difference.index);
    }
}

QVariant DifferencesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    static constexpr const char* kHeads[] = {"Element", "Trainer", "Sampler", "Distance", "Trainer value", "Sampler value", "Bits that flip"};
    if (section < 0 || orientation == Qt::Vertical || section >= ColumnCount) return {};
    if (role == Qt::TextAlignmentRole) return int(Qt::AlignLeft | Qt::AlignVCenter);
    return role == Qt::DisplayRole ? QVariant(QString::fromLatin1(kHeads[section])) : QVariant();
}

}  // namespace isobit::views
