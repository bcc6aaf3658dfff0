// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets.h"

#include <QLabel>
#include <QStyle>

#include "views/palette/fonts.h"

namespace isobit::views {

QLabel* roleLabel(const QString& text, const char* role, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setProperty("role", role);
    return label;
}

void setRole(QWidget* widget, const char* role) {
    if (widget->property("role").toString() == QLatin1String(role)) return;
    widget->setProperty("role", role);
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
}

QLabel* wrappingLabel(QWidget* parent) {
    auto* label = new QLabel(parent);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return label;
}

QLabel* sectionLabel(const QString& text, QWidget* parent) {
    QLabel* label = roleLabel(text, "section", parent);
    label->setFont(scaledFont(textFont(), 0.92, true));
    return label;
}

QLabel* wordLabel(QWidget* parent) {
    auto* label = new QLabel(parent);
    label->setFont(wordFont());
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

}  // namespace isobit::views
