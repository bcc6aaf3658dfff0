// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timing/timing_text.h"

#include <QStringList>
#include <algorithm>

#include "views/text.h"

namespace isobit::views {

namespace {

const QString kNone = QStringLiteral("–");

}  // namespace

QString microseconds(std::optional<double> timeUs) { return timeUs ? QString::number(*timeUs, 'f', 3) : kNone; }

QString ratio(std::optional<double> value) {
    if (!value) return kNone;
    return *value == 1.0 ? QStringLiteral("1") : QString::number(*value, 'f', 3) + QStringLiteral("×");
}

QString percent(std::optional<double> share) {
    return share ? QString::number(*share * 100, 'f', 1) + QStringLiteral(" %") : kNone;
}

QString sourceText(const DispatchTable& table) {
    QStringList parts{QString::fromStdString(table.device), QString::fromStdString(table.statistic)};
    if (table.copyBytesPerSecond)
        parts << QStringLiteral("copy %1 TB/s").arg(*table.copyBytesPerSecond / 1e12, 0, 'f', 2);
    parts.removeAll(QString());
    return parts.join(QStringLiteral(", "));
}

QString ruleText(const TimingReport& report) {
    return QStringLiteral("%1 rule: %2 of %3 misclassified, worst %4")
        .arg(QString::fromStdString(report.ruleName))
        .arg(report.misclassified)
        .arg(counted(report.cells.size(), "cell"), ratio(report.worstRegret));
}

QString crossingText(const Crossing& crossing) {
    const QString change = QStringLiteral("%1 to %2").arg(QString::fromStdString(crossing.below),
                                                          QString::fromStdString(crossing.above));
    const QString measured = QStringLiteral("%1 to %2 measured").arg(crossing.rowsBelow).arg(crossing.rowsAbove);
    if (!crossing.rows) return QStringLiteral("%1 (%2)").arg(change, measured);
    return QStringLiteral("%1 at about %2 rows (%3)").arg(change).arg(qRound(*crossing.rows)).arg(measured);
}

QString checkCommand(const TimingReport& report) {
    QString path = QString::fromStdString(report.table.source);
    static const QString kPlain = QStringLiteral("/._-+=:,");
    const bool plain = std::all_of(path.cbegin(), path.cend(), [](QChar letter) {
        return letter.isLetterOrNumber() || kPlain.contains(letter);
    });
    if (!plain) path = '\'' + path.replace('\'', QStringLiteral("'\\''")) + '\'';
    QString command = QStringLiteral("isobit dispatch check %1 --rule %2").arg(path, QString::fromStdString(report.ruleName));
    if (report.table.statistic.starts_with("minimum")) command += QStringLiteral(" --statistic minimum");
    return command;
}

}  // namespace isobit::views
