// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/captures/capture_report.h"

#include <QStringList>

#include "views/captures/capture_text.h"
#include "views/inspector/word_text.h"
#include "views/replay/replay_model.h"

namespace isobit::views {

namespace {

QString reportText(const std::string& string) { return QString::fromStdString(string); }

void addDivergence(const WalkStep& step, QStringList& lines) {
    lines << QStringLiteral("First divergence: **%1**, %2 words, %3.").arg(reportText(step.pair.name), countsText(step), roleText(step));
    if (!step.why.empty()) lines << reportText(step.why) + QLatin1Char('.');
    if (!step.captureNext.empty())
        lines << QStringLiteral("Capture next: %1.").arg(captureNextText(step, int(step.captureNext.size())));
    lines << QString();
}

/// A name from a file must not break the table that it stands in.
QString cell(QString content) { return content.replace(QLatin1Char('|'), QStringLiteral("\\|")); }

}  // namespace

QString markdownReport(const Capture& capture) {
    QStringList lines{QStringLiteral("**%1**: %2").arg(titleOf(capture), verdictOf(capture)), QString()};
    for (const Comparability& check : capture.walk.checks)
        lines << QStringLiteral("- %1 `%2`: %3")
                     .arg(!check.known ? QStringLiteral("not known") : check.holds ? QStringLiteral("holds") : QStringLiteral("FAILS"),
                          reportText(check.name), reportText(check.found));
    lines << QString();
    if (capture.walk.firstDivergence) addDivergence(capture.walk.steps[*capture.walk.firstDivergence], lines);
    if (!capture.reordering.empty()) lines << QStringLiteral("Its words are ") + reportText(capture.reordering) + QLatin1Char('.') << QString();
    lines << QStringLiteral("| tensor | verdict | words that differ | largest |") << QStringLiteral("|---|---|---|---|");
    for (const WalkStep& step : capture.walk.steps)
        if (step.status != TensorStatus::Equal)
            lines << QStringLiteral("| %1 | %2 | %3 | %4 |").arg(cell(reportText(step.pair.name)), cell(roleText(step)), cell(countsText(step)), largestText(step));
    if (capture.replay) lines << QString() << verdictOf(*capture.replay) + QStringLiteral("; ") + numbersOf(*capture.replay);
    lines << QString() << QStringLiteral("    ") + commandFor(capture);
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

QString jsonReport(const Capture& capture) { return reportText(toJson(static_cast<const ComparedCaptures&>(capture)).dump(2)); }

QString plainReport(const Capture& capture, const WalkStep& step, const std::optional<ElementDifference>& element) {
    QStringList lines{sentenceOf(step)};
    if (element) {
        const WordText words = wordTextOf(step.comparison.dtype, *element);
        lines << placeText(shapeOf(capture, step), element->index) + QStringLiteral(": ") + words.distance
              << QStringLiteral("trainer %1  %2  %3").arg(words.trainerHex, words.trainerBits, words.trainerDecimal)
              << QStringLiteral("sampler %1  %2  %3").arg(words.samplerHex, words.samplerBits, words.samplerDecimal);
    }
    lines << commandFor(capture);
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

}  // namespace isobit::views
