// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/inspector/cell_report.h"

#include <QStringList>
#include <array>

#include "core/sweep/json_form.h"
#include "core/sweep/presets.h"
#include "views/inspector/word_text.h"
#include "views/run_text.h"
#include "views/text.h"

namespace isobit::views {

namespace {

QString name(const std::string& text) { return QString::fromStdString(text); }

/// "12,582,912 words" and how many of them differ.
QString wordCounts(std::uint64_t different, std::uint64_t elements) {
    if (different == 0) return QStringLiteral("═ all %1").arg(counted(elements, "word"));
    return QStringLiteral("≠ %1 of %2").arg(grouped(different), counted(elements, "word"));
}

QString maxUlpText(const Comparison& comparison) {
    const QString label = QString::fromStdString(std::string(labelOf(comparison.worstBin())));
    const bool bounded = comparison.worstBin() >= UlpBin::One && comparison.worstBin() <= UlpBin::Larger;
    return bounded ? QStringLiteral("≤ %1 ULP").arg(grouped(comparison.maxUlp)) : label;
}

QString differenceLine(const OutputResult& output, const ElementDifference& difference, const QString& which) {
    const WordText words = wordTextOf(output.dtype, difference);
    return QStringLiteral("%1: %2, trainer %3 (%4), sampler %5 (%6), %7")
        .arg(which, placeText(output.shape, difference.index), words.trainerHex, words.trainerDecimal, words.samplerHex,
             words.samplerDecimal, words.distance);
}

QString cellHeading(const Run& run, const CellResult& cell) {
    return titleOf(run) + QStringLiteral("  ") + coordinatesOf(run.plan, cell);
}

}  // namespace

QString headlineOf(const CellResult& cell) {
    if (cell.status == CellStatus::NotRun) return QStringLiteral("··· not run");
    if (cell.status == CellStatus::Failed) return QStringLiteral("! could not be run");
    std::uint64_t different = 0;
    std::uint64_t elements = 0;
    for (const OutputResult& output : cell.outputs) {
        different += output.comparison.different;
        elements += output.comparison.elements;
    }
    return wordCounts(different, elements);
}

QString headlineOf(const OutputResult& output) {
    const Comparison& comparison = output.comparison;
    const QString counts = wordCounts(comparison.different, comparison.elements);
    return comparison.different == 0 ? counts : counts + QStringLiteral(", ") + maxUlpText(comparison);
}

QString textOf(const BatchInvariance& invariance) {
    if (!invariance.checked) return QStringLiteral("not checked");
    if (invariance.holds) return QStringLiteral("holds for every row");
    return QStringLiteral("broken in %1, first row %2 of %3")
        .arg(counted(static_cast<std::uint64_t>(invariance.rowsViolating), "row"))
        .arg(invariance.firstRow)
        .arg(name(invariance.output));
}

QString classesText(const Comparison& comparison) {
    static constexpr std::array kNames{"+0 against -0", "NaN payload", "infinity or NaN", "subnormal", "ordinary"};
    QStringList parts;
    for (std::size_t kind = 0; kind < kDifferenceClasses; ++kind)
        if (comparison.classes[kind] > 0) parts << grouped(comparison.classes[kind]) + ' ' + QLatin1String(kNames[kind]);
    if (comparison.samplerAbove + comparison.samplerBelow > 0)
        parts << QStringLiteral("sampler larger in %1, smaller in %2")
                     .arg(grouped(comparison.samplerAbove), grouped(comparison.samplerBelow));
    return parts.join(QStringLiteral("; "));
}

QString plainReport(const Run& run, const CellResult& cell) {
    QStringList lines{cellHeading(run, cell), headlineOf(cell), pairingOf(run), engineOf(run)};
    if (!cell.error.empty()) lines << name(cell.error);
    for (const OutputResult& output : cell.outputs) {
        lines << QString() << name(output.name) + QStringLiteral("  ") + headlineOf(output);
        lines << QStringLiteral("  trainer sha256 ") + name(output.trainerSha256);
        lines << QStringLiteral("  sampler sha256 ") + name(output.samplerSha256);
        if (output.comparison.first) lines << QStringLiteral("  ") + differenceLine(output, *output.comparison.first, "first");
        if (output.comparison.largest)
            lines << QStringLiteral("  ") + differenceLine(output, *output.comparison.largest, "largest");
    }
    lines << QString() << QStringLiteral("batch invariance  trainer ") + textOf(cell.trainerInvariance);
    lines << QStringLiteral("batch invariance  sampler ") + textOf(cell.samplerInvariance);
    lines << QString() << commandFor(run, cell);
    return lines.join('\n') + '\n';
}

QString markdownReport(const Run& run, const CellResult& cell) {
    QStringList lines{QStringLiteral("**%1**: %2").arg(cellHeading(run, cell), headlineOf(cell)), QString(),
                      pairingOf(run) + QStringLiteral("  ·  ") + engineOf(run), QString(),
                      QStringLiteral("| output | differ | of | largest ULP | first | trainer | sampler |"),
                      QStringLiteral("|---|--:|--:|--:|---|---|---|")};
    if (!cell.error.empty()) lines.insert(2, name(cell.error));
    for (const OutputResult& output : cell.outputs) {
        const Comparison& comparison = output.comparison;
        const auto first = comparison.first;
        const WordText words = first ? wordTextOf(output.dtype, *first) : WordText{};
        lines << QStringLiteral("| %1 | %2 | %3 | %4 | %5 | %6 | %7 |")
                     .arg(name(output.name), grouped(comparison.different), grouped(comparison.elements),
                          grouped(comparison.maxUlp), first ? placeText(output.shape, first->index) : QStringLiteral("–"),
                          first ? '`' + words.trainerHex + '`' : QStringLiteral("–"),
                          first ? '`' + words.samplerHex + '`' : QStringLiteral("–"));
    }
    lines << QString() << '`' + commandFor(run, cell) + '`';
    return lines.join('\n') + '\n';
}

QString jsonReport(const Run& run, const CellResult& cell) {
    return QString::fromStdString(toJson(run.plan, cell).dump(2)) + '\n';
}

QString commandFor(const Run& run, const CellResult& cell) {
    return QString::fromStdString(cellCommand(run.plan, cell.coordinates));
}

}  // namespace isobit::views
