// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timing/timing_model.h"

#include <QStringList>
#include <array>

#include "views/grid/cell_face.h"
#include "views/timing/timing_text.h"

namespace isobit::views {

namespace {

struct ColumnText {
    const char* title;
    const char* toolTip;
};
constexpr std::array<ColumnText, TimingModel::ColumnCount> kColumns{{
    {"H", "Columns of a row"},
    {"M", "Rows"},
    {"bits", "Trainer against sampler: the verdict of this cell"},
    {"fused", "One block a row, one launch; microseconds a call"},
    {"split", "Two launches; microseconds a call"},
    {"cluster", "A thread-block cluster a row; microseconds a call"},
    {"oracle", "The fastest realisation that was measured"},
    {"picked", "What the dispatch rule picks"},
    {"regret", "Time of the picked over time of the oracle"},
    {"of copy", "Bytes that must move over the time of the picked, as a share of the copy bandwidth of the same run; above "
                "100 % where the L2 cache serves"},
    {"overlaid", "The fastest realisation of the overlaid run; microseconds a call"},
    {"ratio", "Fastest of the overlaid run over fastest of this one: above 1, this one is faster"},
}};

QString qt(const std::string& text) { return QString::fromStdString(text); }

}  // namespace

void TimingModel::setReport(RunPtr run, std::optional<TimingReport> report, const std::string& output) {
    beginResetModel();
    m_run = std::move(run);
    m_report = std::move(report);
    m_output = output;
    endResetModel();
}

void TimingModel::setOutput(const std::string& output) {
    if (output == m_output) return;
    m_output = output;
    if (rowCount() > 0) emit dataChanged(index(0, Bits), index(rowCount() - 1, Bits));
}

int TimingModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !m_report ? 0 : static_cast<int>(m_report->cells.size());
}

int TimingModel::columnCount(const QModelIndex& parent) const {
    if (parent.isValid() || !m_report) return 0;
    return m_report->overlay ? ColumnCount : Overlay;
}

std::optional<double> TimingModel::numberOf(int row, int column) const {
    const DispatchCell& measured = m_report->table.cells[std::size_t(row)];
    const TimingCell& cell = m_report->cells[std::size_t(row)];
    const auto timeOf = [&](const char* realisation) {
        const auto found = measured.timeUs.find(realisation);
        return found == measured.timeUs.end() ? std::optional<double>() : std::optional(found->second);
    };
    switch (column) {
        case Columns: return double(measured.facts.columns);
        case Rows: return double(measured.facts.rows);
        case Fused: return timeOf("fused");
        case Split: return timeOf("split");
        case Cluster: return timeOf("cluster");
        case Regret: return cell.regret;
        case Roofline: return cell.roofline;
        case Overlay: return cell.overlayUs;
        case Ratio: return cell.overlayRatio;
        default: return {};
    }
}

QString TimingModel::textOf(int row, int column) const {
    const TimingCell& cell = m_report->cells[std::size_t(row)];
    switch (column) {
        case Columns: return QString::number(m_report->table.cells[std::size_t(row)].facts.columns);
        case Rows: return QString::number(m_report->table.cells[std::size_t(row)].facts.rows);
        case Bits: return glyphOf(faceOf(&m_run->cells[std::size_t(row)], m_output));
        case Oracle: return qt(cell.oracle);
        case Picked: return qt(cell.picked) + (cell.regret > 1.0 ? QStringLiteral(" ≠") : QString());
        case Regret:
        case Ratio: return ratio(numberOf(row, column));
        case Roofline: return percent(cell.roofline);
        default: return microseconds(numberOf(row, column));
    }
}

QVariant TimingModel::sortKeyOf(int row, int column) const {
    if (column == Bits)
        return QVariant::fromValue<qulonglong>(faceOf(&m_run->cells[std::size_t(row)], m_output).different);
    if (column == Oracle || column == Picked) return textOf(row, column);
    return numberOf(row, column).value_or(-1.0);
}

QString TimingModel::sentenceOf(int row) const {
    const DispatchCell& measured = m_report->table.cells[std::size_t(row)];
    const TimingCell& cell = m_report->cells[std::size_t(row)];
    QStringList times;
    for (const auto& [realisation, time] : measured.timeUs)
        times << QStringLiteral("%1 %2 µs").arg(qt(realisation), microseconds(time));
    QString text = QStringLiteral("H %1, M %2: %3; fastest %4, picked %5, regret %6")
                       .arg(measured.facts.columns)
                       .arg(measured.facts.rows)
                       .arg(times.join(QStringLiteral(", ")), qt(cell.oracle), qt(cell.picked), ratio(cell.regret));
    if (cell.roofline) text += QStringLiteral(", %1 of the copy bandwidth").arg(percent(cell.roofline));
    if (cell.overlayUs) text += QStringLiteral("; overlaid run %1 µs").arg(microseconds(cell.overlayUs));
    return text + QStringLiteral("; bits ") +
           isobit::views::sentenceOf(faceOf(&m_run->cells[std::size_t(row)], m_output));
}

QVariant TimingModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    switch (role) {
        case Qt::DisplayRole: return textOf(index.row(), index.column());
        case SortRole: return sortKeyOf(index.row(), index.column());
        case Qt::ToolTipRole:
        case SentenceRole: return sentenceOf(index.row());
        case Qt::TextAlignmentRole: {
            const bool word = index.column() == Bits || index.column() == Oracle || index.column() == Picked;
            return int(word ? Qt::AlignCenter : Qt::AlignRight | Qt::AlignVCenter);
        }
        default: return {};
    }
}

QVariant TimingModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) return {};
    if (role == Qt::DisplayRole) return QString::fromUtf8(kColumns[std::size_t(section)].title);
    if (role == Qt::ToolTipRole) return QString::fromUtf8(kColumns[std::size_t(section)].toolTip);
    return {};
}

int TimingModel::cellOf(std::int64_t columns, std::int64_t rows) const {
    for (int cell = 0; cell < rowCount(); ++cell) {
        const DispatchFacts& facts = m_report->table.cells[std::size_t(cell)].facts;
        if (facts.columns == columns && facts.rows == rows) return cell;
    }
    return -1;
}

}  // namespace isobit::views
