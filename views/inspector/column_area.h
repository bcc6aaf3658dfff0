// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>

class QVBoxLayout;

namespace isobit::views {

/// A column of parts that scrolls up and down and is never wider than what is seen: labels break their lines instead.
class ColumnArea : public QScrollArea {
public:
    explicit ColumnArea(QWidget* parent = nullptr);

protected:
    [[nodiscard]] QWidget* content() const { return m_content; }
    /// Where the parts go, from the top.
    [[nodiscard]] QVBoxLayout* column() const { return m_column; }
    /// A part with its heading, shown and hidden as one; parented to the column's widget.
    QWidget* addPart(const QString& title, std::initializer_list<QWidget*> widgets, QVBoxLayout* into);
    /// Gives the content the height that its broken lines need; a scroll area asks only for the least of each label.
    void fitContent();
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* m_content;
    QVBoxLayout* m_column;
};

}  // namespace isobit::views
