// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "views/palette/theme.h"

namespace isobit::views {

class DesktopAppearance;

/// Light or dark: as the user chose, else as the desktop says, else by the lightness of the platform's palette. Changes
/// reach the whole window at once, without a restart.
class Appearance final : public QObject {
    Q_OBJECT
public:
    enum class Mode { System, Light, Dark };
    Q_ENUM(Mode)

    explicit Appearance(QObject* parent = nullptr);

    [[nodiscard]] Mode mode() const { return m_mode; }
    void setMode(Mode mode);
    [[nodiscard]] const Theme& theme() const { return *m_theme; }
    /// Gives the application its style, palette, font and style sheet; once, before the first window.
    void apply();

signals:
    void changed();

protected:
    /// The platform's palette or theme changed while the program ran.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void update();
    [[nodiscard]] bool systemIsDark() const;

    Mode m_mode = Mode::System;
    const Theme* m_theme;
    DesktopAppearance* m_desktop;
    bool m_platformIsDark = false;
    bool m_applying = false;
};

}  // namespace isobit::views
