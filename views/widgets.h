// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QLabel;
class QWidget;

namespace isobit::views {

/// A label whose colour comes from the style sheet by role: "muted", "section", "trainer", "sampler", "failed".
[[nodiscard]] QLabel* roleLabel(const QString& text, const char* role, QWidget* parent);
/// The same label with another role.
void setRole(QWidget* widget, const char* role);
/// A label that breaks lines and lets its text be selected and copied.
[[nodiscard]] QLabel* wrappingLabel(QWidget* parent);
/// Small, demi-bold, muted: the head of a section.
[[nodiscard]] QLabel* sectionLabel(const QString& text, QWidget* parent);
/// A label in the word font whose text can be selected.
[[nodiscard]] QLabel* wordLabel(QWidget* parent);

}  // namespace isobit::views
