// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/palette/theme.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <cmath>

// Resources of a static library are registered by hand; the macro wants to be called outside any namespace.
static void registerResources() { Q_INIT_RESOURCE(views); }

namespace isobit::views {

namespace {

Theme readTheme(const QString& name) {
    registerResources();
    QFile file(":/palettes/" + name + ".json");
    const bool opened = file.open(QIODevice::ReadOnly);
    Q_ASSERT(opened);
    const QJsonObject object = QJsonDocument::fromJson(file.readAll()).object();
    const auto color = [&object](const char* key) { return QColor(object.value(QLatin1String(key)).toString()); };
    Theme theme{object.value("name").toString(),
                color("window"), color("panel"), color("raised"), color("border"), color("strong_border"),
                color("text"), color("muted_text"), color("disabled_text"), color("highlight"),
                color("highlighted_text"), color("focus"), color("link"),
                color("trainer"), color("sampler"),
                color("equal_cell"), color("equal_glyph"), color("failed"), color("outline"), color("edge"), {}};
    const QJsonArray ramp = object.value("ramp").toArray();
    Q_ASSERT(opened && ramp.size() == int(theme.ramp.size()));
    for (std::size_t step = 0; step < theme.ramp.size(); ++step) theme.ramp[step] = QColor(ramp.at(int(step)).toString());
    return theme;
}

/// Relative luminance of an sRGB colour (WCAG 2.1).
double luminance(const QColor& color) {
    const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

}  // namespace

const Theme& lightTheme() {
    static const Theme theme = readTheme("light");
    return theme;
}

const Theme& darkTheme() {
    static const Theme theme = readTheme("dark");
    return theme;
}

QPalette controlPalette(const Theme& theme) {
    QPalette palette;
    palette.setColor(QPalette::Window, theme.window);
    palette.setColor(QPalette::WindowText, theme.text);
    palette.setColor(QPalette::Base, theme.panel);
    palette.setColor(QPalette::AlternateBase, theme.raised);
    palette.setColor(QPalette::Text, theme.text);
    palette.setColor(QPalette::PlaceholderText, theme.mutedText);
    palette.setColor(QPalette::Button, theme.raised);
    palette.setColor(QPalette::ButtonText, theme.text);
    palette.setColor(QPalette::BrightText, theme.failed);
    palette.setColor(QPalette::ToolTipBase, theme.raised);
    palette.setColor(QPalette::ToolTipText, theme.text);
    palette.setColor(QPalette::Highlight, theme.highlight);
    palette.setColor(QPalette::HighlightedText, theme.highlightedText);
    palette.setColor(QPalette::Link, theme.link);
    palette.setColor(QPalette::LinkVisited, theme.link);
    palette.setColor(QPalette::Light, theme.raised);
    palette.setColor(QPalette::Midlight, theme.raised);
    palette.setColor(QPalette::Mid, theme.border);
    palette.setColor(QPalette::Dark, theme.border);
    palette.setColor(QPalette::Shadow, theme.isDark() ? QColor(Qt::black) : theme.strongBorder);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, theme.disabledText);
    return palette;
}

double contrastRatio(const QColor& a, const QColor& b) {
    const double first = luminance(a) + 0.05;
    const double second = luminance(b) + 0.05;
    return first > second ? first / second : second / first;
}

QColor readableOn(const QColor& background) {
    const QColor black(Qt::black);
    const QColor white(Qt::white);
    return contrastRatio(black, background) >= contrastRatio(white, background) ? black : white;
}

}  // namespace isobit::views
