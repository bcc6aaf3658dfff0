// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/grid/time_text.h"

#include <QStringList>
#include <algorithm>
#include <cmath>
#include <utility>

namespace isobit::views {
namespace {

const SeriesTime* seriesNamed(const std::vector<SeriesTime>& times, const char* name) {
    const auto found = std::ranges::find(times, name, &SeriesTime::name);
    return found == times.end() ? nullptr : &*found;
}

// Three digits: as many behind the point as are left.
QString threeDigits(double value) { return QString::number(value, 'f', value < 9.995 ? 2 : value < 99.95 ? 1 : 0); }

}  // namespace

QString timeText(double us) {
    if (us < 0.9995) return QString::number(us, 'f', 3) + QStringLiteral(" µs");
    if (us < 999.5) return threeDigits(us) + QStringLiteral(" µs");
    if (us < 999.5e3) return threeDigits(us / 1e3) + QStringLiteral(" ms");
    return threeDigits(us / 1e6) + QStringLiteral(" s");
}

QString cellTimeText(const std::vector<SeriesTime>& times) {
    if (times.empty()) return {};
    const SeriesTime* trainer = seriesNamed(times, "trainer");
    const SeriesTime* sampler = seriesNamed(times, "sampler");
    if (trainer != nullptr && sampler != nullptr && times.size() == 2)
        return timeText(trainer->medianUs) + QStringLiteral(" / ") + timeText(sampler->medianUs);
    const auto rank = [](const SeriesTime& series) { return std::pair(isOfALibrary(series.name), series.medianUs); };
    return timeText(std::ranges::min_element(times, {}, rank)->medianUs);
}

QString timesSentence(const std::vector<SeriesTime>& times) {
    if (times.empty()) return {};
    QStringList parts;
    bool alike = true;
    for (const SeriesTime& series : times) {
        parts << QString::fromStdString(series.name) + QChar(' ') + timeText(series.medianUs);
        alike = alike && series.samples == times.front().samples;
    }
    const std::size_t samples = times.front().samples;
    QString sentence = parts.join(QStringLiteral(", "));
    if (alike && samples > 1) sentence += QStringLiteral(" (medians of %1)").arg(samples);
    return sentence;
}

QString timesTable(const std::vector<SeriesTime>& times) {
    std::size_t width = 0;
    for (const SeriesTime& series : times) width = std::max(width, series.name.size());
    QStringList lines;
    for (const SeriesTime& series : times)
        lines << QString::fromStdString(series.name).leftJustified(int(width) + 2) +
                     timeText(series.medianUs).rightJustified(8);
    return lines.join('\n');
}

}  // namespace isobit::views
