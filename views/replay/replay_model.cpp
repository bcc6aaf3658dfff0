// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/replay/replay_model.h"

#include <bit>

#include "core/numeric/dtype.h"
#include "views/text.h"

namespace isobit::views {

namespace {

std::uint32_t wordOf(float value) { return std::bit_cast<std::uint32_t>(value); }

QString floatHex(float value) { return QStringLiteral("0x") + QString::fromStdString(hexOf(DType::Fp32, wordOf(value))).toUpper(); }

QString decimalText(float value) { return QString::fromStdString(decimalOf(DType::Fp32, wordOf(value))); }

QString shortText(double value, int digits) { return QString::number(value, 'e', digits); }

}  // namespace

QString verdictOf(const Replay& replay) {
    if (replay.different == 0) return QStringLiteral("EQUAL: all %1 decision-time words").arg(grouped(std::uint64_t(replay.tokens)));
    return QStringLiteral("DIFFERENT: %1 of %2 decision-time words").arg(grouped(std::uint64_t(replay.different)), grouped(std::uint64_t(replay.tokens)));
}

QString numbersOf(const Replay& replay) {
    return QStringLiteral("K3 %1, largest %2  ·  |d| mean %3, largest %4  ·  trainer above in %5 % of tokens")
        .arg(shortText(replay.k3, 3), shortText(replay.k3Largest, 2), shortText(replay.meanAbsolute, 2),
             shortText(replay.largestAbsolute, 2), QString::number(100 * replay.shareAbove, 'f', 1));
}

void ReplayModel::setCapture(CapturePtr capture) {
    beginResetModel();
    m_capture = std::move(capture);
    endResetModel();
}

const ReplayToken* ReplayModel::tokenAt(int row) const {
    return row >= 0 && row < rowCount() ? &m_capture->tokens[static_cast<std::size_t>(row)] : nullptr;
}

int ReplayModel::differingRow(int from, int step) const {
    for (int row = from + step; row >= 0 && row < rowCount(); row += step)
        if (tokenAt(row)->differs) return row;
    return -1;
}

int ReplayModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !m_capture ? 0 : static_cast<int>(m_capture->tokens.size());
}

int ReplayModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant ReplayModel::display(int row, int column) const {
    const ReplayToken& token = *tokenAt(row);
    switch (column) {
        case Mark: return token.differs ? QStringLiteral("≠") : QStringLiteral("═");
        case Token: return row;
        case Id: return m_capture->tokenIds.empty() ? QVariant() : QVariant(qlonglong(m_capture->tokenIds[std::size_t(row)]));
        case TrainerWord: return floatHex(token.trainer);
        case SamplerWord: return floatHex(token.sampler);
        case TrainerValue: return decimalText(token.trainer);
        case SamplerValue: return decimalText(token.sampler);
        case Difference: return token.differs ? QVariant(shortText(token.difference, 2)) : QVariant(QStringLiteral("0"));
        case K3: return token.k3 == 0 ? QVariant(QStringLiteral("0")) : QVariant(shortText(token.k3, 2));
        default: return {};
    }
}

QVariant ReplayModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || tokenAt(index.row()) == nullptr) return {};
    switch (role) {
        case Qt::DisplayRole: return display(index.row(), index.column());
        case Qt::TextAlignmentRole: return int(Qt::AlignVCenter | (index.column() == Mark ? Qt::AlignHCenter : Qt::AlignLeft));
        case DiffersRole: return tokenAt(index.row())->differs;
        case Qt::AccessibleDescriptionRole:
            return QStringLiteral("token %1: %2").arg(index.row()).arg(tokenAt(index.row())->differs ? QStringLiteral("words differ") : QStringLiteral("words are equal"));
        default: return {};
    }
}

QVariant ReplayModel::headerData(int section, Qt::Orientation orientation, int role) const {
    static constexpr const char* kHeads[] = {"", "Token", "Id", "Trainer", "Sampler", "log-prob", "log-prob", "d", "exp(d)-d-1"};
    if (section < 0 || orientation == Qt::Vertical || section >= ColumnCount) return {};
    if (role == Qt::TextAlignmentRole) return int(Qt::AlignLeft | Qt::AlignVCenter);
    return role == Qt::DisplayRole ? QVariant(QString::fromLatin1(kHeads[section])) : QVariant();
}

}  // namespace isobit::views
