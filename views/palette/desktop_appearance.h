// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDBusVariant>
#include <QObject>
#include <optional>

namespace isobit::views {

/// The desktop's own choice of light or dark, as the settings portal tells it (org.freedesktop.appearance, key
/// color-scheme: 1 dark, 2 light). Never blocks; says nothing where there is no session bus or no portal.
class DesktopAppearance final : public QObject {
    Q_OBJECT
public:
    explicit DesktopAppearance(QObject* parent = nullptr);
    [[nodiscard]] std::optional<bool> prefersDark() const { return m_prefersDark; }

signals:
    void changed();

private slots:
    void settingChanged(const QString& group, const QString& key, const QDBusVariant& value);

private:
    void setScheme(const QVariant& value);

    std::optional<bool> m_prefersDark;
};

}  // namespace isobit::views
