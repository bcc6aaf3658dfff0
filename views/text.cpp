// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/text.h"

namespace isobit::views {

QString grouped(std::uint64_t number) {
    QString digits = QString::number(number);
    for (auto place = digits.size() - 3; place > 0; place -= 3) digits.insert(place, ',');
    return digits;
}

QString shortened(std::uint64_t number) {
    if (number < 10'000) return QString::number(number);
    double scaled = static_cast<double>(number);
    int unit = -1;
    while (scaled >= 999.5) {
        scaled /= 1000;
        ++unit;
    }
    return QString::number(scaled, 'f', scaled < 99.95 && unit > 0 ? 1 : 0) + QStringLiteral("kMGTPE").at(unit);
}

QString shortDigest(const std::string& digest, int digits) {
    if (digest.empty()) return QStringLiteral("–");
    return QString::fromStdString(digest).left(digits) + QStringLiteral("…");
}

QString counted(std::uint64_t number, const char* noun) {
    return grouped(number) + QLatin1Char(' ') + QLatin1String(noun) + (number == 1 ? QString() : QStringLiteral("s"));
}

}  // namespace isobit::views
