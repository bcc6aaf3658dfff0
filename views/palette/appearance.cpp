// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/palette/appearance.h"

#include <QApplication>
#include <QEvent>
#include <QStyleFactory>

#include "views/palette/desktop_appearance.h"
#include "views/palette/fonts.h"

namespace isobit::views {

Appearance::Appearance(QObject* parent)
    : QObject(parent), m_theme(&lightTheme()), m_desktop(new DesktopAppearance(this)) {
    m_platformIsDark = QGuiApplication::palette().color(QPalette::Window).lightnessF() < 0.5F;
    connect(m_desktop, &DesktopAppearance::changed, this, &Appearance::update);
}

void Appearance::setMode(Mode mode) {
    m_mode = mode;
    update();
}

bool Appearance::systemIsDark() const { return m_desktop->prefersDark().value_or(m_platformIsDark); }

void Appearance::apply() {
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    QApplication::setFont(textFont());
    qApp->installEventFilter(this);
    update();
}

void Appearance::update() {
    const bool dark = m_mode == Mode::System ? systemIsDark() : m_mode == Mode::Dark;
    m_theme = dark ? &darkTheme() : &lightTheme();
    m_applying = true;
    QApplication::setPalette(controlPalette(*m_theme));
    // Every widget is polished anew by it, which is a third of the time to the first paint.
    if (const QString sheet = styleSheet(*m_theme); qApp->styleSheet() != sheet) qApp->setStyleSheet(sheet);
    m_applying = false;
    emit changed();
}

bool Appearance::eventFilter(QObject* watched, QEvent* event) {
    const bool themeEvent = event->type() == QEvent::ApplicationPaletteChange || event->type() == QEvent::ThemeChange;
    if (themeEvent && !m_applying && watched == qApp) {
        // An own palette hides the platform's: take it away for a moment to see what the platform now wants.
        m_applying = true;
        QApplication::setPalette(QPalette());
        const bool dark = QGuiApplication::palette().color(QPalette::Window).lightnessF() < 0.5F;
        m_applying = false;
        if (dark != m_platformIsDark) m_platformIsDark = dark;
        update();
    }
    return QObject::eventFilter(watched, event);
}

}  // namespace isobit::views
