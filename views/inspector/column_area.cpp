// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/inspector/column_area.h"

#include <QLabel>
#include <QVBoxLayout>

#include "views/widgets.h"

namespace isobit::views {

ColumnArea::ColumnArea(QWidget* parent) : QScrollArea(parent) {
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setMinimumWidth(300);
    m_content = new QWidget(this);
    m_content->setProperty("role", "panel");
    m_column = new QVBoxLayout(m_content);
    m_column->setContentsMargins(12, 10, 12, 12);
    setWidget(m_content);
}

QWidget* ColumnArea::addPart(const QString& title, std::initializer_list<QWidget*> widgets, QVBoxLayout* into) {
    auto* box = new QWidget(into->parentWidget());
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(5);
    if (!title.isEmpty()) layout->addWidget(sectionLabel(title, box));
    for (QWidget* widget : widgets) layout->addWidget(widget);
    into->addWidget(box);
    return box;
}

void ColumnArea::fitContent() {
    m_content->setMaximumWidth(viewport()->width());
    // A changed label tells its own layout at once, the layouts around it only with later events; and each of those keeps
    // the size that it last heard of a widget until the widget itself says otherwise.
    for (QWidget* widget : m_content->findChildren<QWidget*>()) widget->updateGeometry();
    for (QLayout* layout : m_content->findChildren<QLayout*>()) layout->invalidate();
    m_content->setMinimumHeight(m_content->layout()->totalHeightForWidth(viewport()->width()));
}

void ColumnArea::resizeEvent(QResizeEvent* event) {
    QScrollArea::resizeEvent(event);
    fitContent();
}

}  // namespace isobit::views
