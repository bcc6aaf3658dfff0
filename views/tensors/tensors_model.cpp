// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tensors/tensors_model.h"

#include "core/tensors/confinement.h"
#include "views/captures/capture_text.h"
#include "views/text.h"

namespace isobit::views {

namespace {

/// Text of a file: its control characters must not reach the screen as they are.
QString shown(std::string_view text) { return QString::fromStdString(printable(text)); }

QString typeText(const TensorInfo& info) {
    const QString type = shown(nameOf(info.dtype));
    return info.bigEndian ? type + QStringLiteral(", big-endian") : type;
}

QString noteText(const TensorInfo& info) {
    QStringList parts;
    for (const auto& [key, value] : info.tags) parts << shown(key) + QLatin1Char(' ') + shown(value);
    if (info.shape != info.storedShape) parts << QStringLiteral("stored as %1 %2").arg(shown(info.storedType), shown(textOf(info.storedShape)));
    if (!info.note.empty()) parts << shown(info.note);
    return parts.join(QStringLiteral("; "));
}

QVariant tensorText(const TensorInfo& info, int column) {
    switch (column) {
        case TensorsModel::Name: return shown(info.name);
        case TensorsModel::Type: return typeText(info);
        case TensorsModel::Sizes: return shown(textOf(info.shape));
        case TensorsModel::Bytes: return grouped(info.byteCount);
        case TensorsModel::Offset: return grouped(info.offset);
        case TensorsModel::File: return shown(info.file);
        case TensorsModel::Note: return noteText(info);
        default: return {};
    }
}

}  // namespace

QString notesOf(const TensorFile& file) {
    QStringList lines;
    for (const std::string& sentence : file.ignored()) lines << QStringLiteral("Not shown: ") + shown(sentence);
    for (const auto& [key, value] : file.metadata()) lines << shown(key) + QStringLiteral(" = ") + shown(value);
    return lines.join(QLatin1Char('\n'));
}

void TensorsModel::setFile(CapturePtr capture, bool sampler) {
    beginResetModel();
    m_capture = std::move(capture);
    m_sampler = sampler && m_capture && m_capture->isPair();
    endResetModel();
}

const TensorFile* TensorsModel::file() const {
    if (!m_capture) return nullptr;
    return m_sampler ? &*m_capture->sampler : &m_capture->trainer;
}

int TensorsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || file() == nullptr ? 0 : static_cast<int>(file()->tensors().size());
}

int TensorsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant TensorsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const TensorInfo& info = file()->tensors()[static_cast<std::size_t>(index.row())];
    switch (role) {
        case Qt::DisplayRole: return tensorText(info, index.column());
        case Qt::ToolTipRole: return index.column() == Note ? QVariant(noteText(info)) : QVariant();
        case Qt::TextAlignmentRole: {
            const bool number = index.column() == Bytes || index.column() == Offset;
            return int(Qt::AlignVCenter | (number ? Qt::AlignRight : Qt::AlignLeft));
        }
        case SortRole:
            if (index.column() == Bytes) return qulonglong(info.byteCount);
            if (index.column() == Offset) return qulonglong(info.offset);
            return tensorText(info, index.column());
        case TensorRole: return index.row();
        default: return {};
    }
}

QVariant TensorsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    static constexpr const char* kHeads[] = {"Tensor", "Type", "Shape", "Bytes", "Offset", "File", "Note"};
    if (section < 0 || orientation == Qt::Vertical || section >= ColumnCount) return {};
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignVCenter | (section == Bytes || section == Offset ? Qt::AlignRight : Qt::AlignLeft));
    return role == Qt::DisplayRole ? QVariant(QString::fromLatin1(kHeads[section])) : QVariant();
}

}  // namespace isobit::views
