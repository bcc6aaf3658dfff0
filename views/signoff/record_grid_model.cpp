// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/signoff/record_grid_model.h"

namespace isobit::views {

namespace {

using evidence::AxisRecord;
using evidence::CellRecord;

QString recordGlyph(const CellRecord* cell) {
    if (cell == nullptr || cell->status == "MISSING") return QStringLiteral("·");
    if (cell->status == "EQUAL") return QStringLiteral("═");
    return cell->status == "DIFFERENT" ? QStringLiteral("≠") : QStringLiteral("!");
}

QString againGlyph(const QString& outcome) {
    if (outcome == QLatin1String("EQUAL")) return QStringLiteral("✓");
    if (outcome == QLatin1String("DIFFERENT")) return QStringLiteral("✗");
    return outcome.isEmpty() ? QString() : QStringLiteral("○");
}

QString markGlyph(const QString& mark) {
    if (mark == QLatin1String("accept")) return QStringLiteral("A");
    if (mark == QLatin1String("question")) return QStringLiteral("?");
    return mark.isEmpty() ? QString() : QStringLiteral("R");
}

QString axisName(const AxisRecord& axis) { return QString::fromStdString(axis.name); }

}  // namespace

void RecordGridModel::setManifest(std::shared_ptr<const evidence::Manifest> manifest) {
    beginResetModel();
    m_manifest = std::move(manifest);
    m_rows.clear();
    m_columns.clear();
    m_cells.clear();
    m_again.clear();
    m_opinions.clear();
    if (m_manifest && !m_manifest->predicate.sweep.axes.empty()) {
        for (const CellRecord& cell : m_manifest->predicate.cells) m_cells.insert(QString::fromStdString(cell.id), &cell);
        const std::vector<AxisRecord>& axes = m_manifest->predicate.sweep.axes;
        m_rows.push_back({{}, {}});
        for (auto axis = axes.begin(); axis + 1 != axes.end(); ++axis) {
            std::vector<Row> longer;
            for (const Row& row : m_rows)
                for (const std::uint64_t value : axis->values)
                    longer.push_back({(row.title + QStringLiteral(" %1 %2").arg(axisName(*axis)).arg(value)).trimmed(),
                                      row.prefix + QStringLiteral("%1%2_").arg(axisName(*axis).toLower()).arg(value)});
            m_rows = longer;
        }
        for (const std::uint64_t value : axes.back().values) m_columns << QString::number(value);
    }
    endResetModel();
}

QString RecordGridModel::idAt(int row, int column) const {
    return m_rows[static_cast<std::size_t>(row)].prefix +
           axisName(m_manifest->predicate.sweep.axes.back()).toLower() + m_columns[column];
}

void RecordGridModel::emitChanged(const QString& cell) {
    for (int row = 0; row < rowCount(); ++row)
        for (int column = 0; column < columnCount(); ++column)
            if (idAt(row, column) == cell) emit dataChanged(index(row, column), index(row, column));
}

void RecordGridModel::setAgain(const QString& cell, const CellAgain& outcome) {
    m_again[cell] = outcome;
    emitChanged(cell);
}

void RecordGridModel::clearAgain() {
    m_again.clear();
    if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void RecordGridModel::setOpinion(const QString& cell, const CellOpinion& opinion) {
    if (opinion.mark.isEmpty())
        m_opinions.remove(cell);
    else
        m_opinions[cell] = opinion;
    emitChanged(cell);
}

QStringList RecordGridModel::notes() const {
    QStringList list;
    for (auto note = m_opinions.begin(); note != m_opinions.end(); ++note)
        list << note.key() + '=' + note->mark + (note->comment.isEmpty() ? QString() : ':' + note->comment);
    return list;
}

int RecordGridModel::countAgain(const QString& outcome) const {
    return static_cast<int>(std::count_if(m_again.begin(), m_again.end(),
                                          [&](const CellAgain& again) { return again.outcome == outcome; }));
}

int RecordGridModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_rows.size()); }

int RecordGridModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_columns.size()); }

QString RecordGridModel::sentenceOf(const QString& id) const {
    const CellRecord* cell = m_cells.value(id);
    if (cell == nullptr) return id + QStringLiteral(": not in the artifact");
    QString text = QStringLiteral("%1: claimed %2").arg(id, QString::fromStdString(cell->status).toLower());
    for (const evidence::OutputRecord& output : cell->outputs)
        text += QStringLiteral("\n%1: %2 of %3 words differ\n  trainer %4\n  sampler %5")
                    .arg(QString::fromStdString(output.name)).arg(output.elementsDifferent).arg(output.elements)
                    .arg(QString::fromStdString(output.trainerSha256), QString::fromStdString(output.samplerSha256));
    if (const auto again = m_again.find(id); again != m_again.end())
        text += QStringLiteral("\ncomputed again: %1 %2").arg(again->outcome, again->detail).trimmed().prepend('\n').mid(1);
    if (const auto opinion = m_opinions.find(id); opinion != m_opinions.end())
        text += QStringLiteral("\nreviewer: %1 %2").arg(opinion->mark, opinion->comment);
    return text;
}

QVariant RecordGridModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const QString id = idAt(index.row(), index.column());
    switch (role) {
        case Qt::DisplayRole: {
            const QStringList parts{recordGlyph(m_cells.value(id)), againGlyph(m_again.value(id).outcome), markGlyph(m_opinions.value(id).mark)};
            return parts.join(' ').trimmed();
        }
        case Qt::TextAlignmentRole: return Qt::AlignCenter;
        case Qt::ToolTipRole:
        case Qt::AccessibleTextRole: return sentenceOf(id);
        case IdRole: return id;
        case StatusRole: return m_cells.contains(id) ? QString::fromStdString(m_cells[id]->status) : QString();
        case AgainRole: return m_again.value(id).outcome;
        case MarkRole: return m_opinions.value(id).mark;
        default: return {};
    }
}

QVariant RecordGridModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role != Qt::DisplayRole || !m_manifest || section < 0) return {};
    if (orientation == Qt::Vertical) return section < rowCount() ? m_rows[static_cast<std::size_t>(section)].title : QString();
    return QStringLiteral("%1 %2").arg(axisName(m_manifest->predicate.sweep.axes.back()), m_columns.value(section));
}

}  // namespace isobit::views
