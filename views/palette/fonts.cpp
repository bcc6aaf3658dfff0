// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/palette/fonts.h"

#include <QFontDatabase>
#include <QStringList>

namespace isobit::views {

namespace {

/// The first of the families that is installed; empty if none is.
QString firstInstalled(const QStringList& families) {
    for (const QString& family : families)
        if (QFontDatabase::hasFamily(family)) return family;
    return {};
}

}  // namespace

QFont textFont() {
    QFont font = QFontDatabase::systemFont(QFontDatabase::GeneralFont);
    // "Sans Serif" is what Qt asks for when no desktop named a font.
    const bool unnamed = font.family().compare(QStringLiteral("Sans Serif"), Qt::CaseInsensitive) == 0;
    static const QString family = firstInstalled({"Inter", "Noto Sans", "Cantarell"});
    if (unnamed && !family.isEmpty()) font.setFamily(family);
    return font;
}

QFont wordFont() {
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    const bool unnamed = font.family().compare(QStringLiteral("monospace"), Qt::CaseInsensitive) == 0;
    static const QString family = firstInstalled({"JetBrains Mono", "DejaVu Sans Mono"});
    if (unnamed && !family.isEmpty()) font.setFamily(family);
    font.setStyleHint(QFont::Monospace);
    font.setPointSizeF(textFont().pointSizeF());
    return font;
}

QFont scaledFont(const QFont& font, double factor, bool bold) {
    QFont scaled = font;
    scaled.setPointSizeF(font.pointSizeF() * factor);
    if (bold) scaled.setWeight(QFont::DemiBold);
    return scaled;
}

}  // namespace isobit::views
