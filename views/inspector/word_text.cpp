// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/inspector/word_text.h"

#include <QStringList>

#include "views/text.h"

namespace isobit::views {

namespace {

QString hexText(DType dtype, std::uint64_t word) {
    return QStringLiteral("0x") + QString::fromStdString(hexOf(dtype, word)).toUpper();
}

QString distanceText(DType dtype, const ElementDifference& difference) {
    if (!difference.ulp && difference.trainer != difference.sampler) return QStringLiteral("no distance: a NaN");
    if (difference.trainer == difference.sampler) return QStringLiteral("equal");
    if (*difference.ulp == 0) return QStringLiteral("+0 against -0");
    return grouped(*difference.ulp) + (isFloat(dtype) ? QStringLiteral(" ULP") : QStringLiteral(" apart"));
}

}  // namespace

WordText wordTextOf(DType dtype, const ElementDifference& difference) {
    const auto& [index, trainer, sampler, ulp] = difference;
    WordText text{hexText(dtype, trainer),
                  hexText(dtype, sampler),
                  QString::fromStdString(decimalOf(dtype, trainer)),
                  QString::fromStdString(decimalOf(dtype, sampler)),
                  QString::fromStdString(bitsOf(dtype, trainer)),
                  QString::fromStdString(bitsOf(dtype, sampler)),
                  {},
                  distanceText(dtype, difference)};
    for (qsizetype place = 0; place < text.trainerBits.size(); ++place) {
        const QChar bit = text.trainerBits.at(place);
        text.flips += bit == ' ' ? bit : bit == text.samplerBits.at(place) ? QChar(u'·') : QChar('1');
    }
    return text;
}

QString placeText(const Shape& shape, std::uint64_t index) {
    if (shape.size() < 2) return QStringLiteral("element %1").arg(grouped(index));
    QStringList places;
    for (auto size = shape.rbegin(); size != shape.rend(); ++size) {
        const auto extent = static_cast<std::uint64_t>(std::max<std::int64_t>(1, *size));
        places.prepend(QString::number(index % extent));
        index /= extent;
    }
    if (shape.size() == 2) return QStringLiteral("row %1, column %2").arg(places[0], places[1]);
    return QStringLiteral("[%1]").arg(places.join(QStringLiteral(", ")));
}

}  // namespace isobit::views
