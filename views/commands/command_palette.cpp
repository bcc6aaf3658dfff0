// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/commands/command_palette.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include "views/palette/appearance.h"
#include "views/palette/fonts.h"

namespace isobit::views {

namespace {

/// Title at the left, section muted after it, shortcut at the right.
class CommandDelegate final : public QStyledItemDelegate {
public:
    CommandDelegate(const Appearance& appearance, QObject* parent) : QStyledItemDelegate(parent), m_appearance(appearance) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const Theme& theme = m_appearance.theme();
        painter->save();
        if (option.state & QStyle::State_Selected) painter->fillRect(option.rect, theme.highlight);
        const QRect text = option.rect.adjusted(12, 0, -12, 0);
        const QString shortcut = index.data(CommandModel::ShortcutRole).toString();
        painter->setFont(option.font);
        painter->setPen(theme.mutedText);
        painter->drawText(text, Qt::AlignRight | Qt::AlignVCenter,
                          shortcut.isEmpty() ? index.data(CommandModel::SectionRole).toString() : shortcut);
        painter->setPen(theme.text);
        const QString title = index.data().toString();
        painter->drawText(text, Qt::AlignLeft | Qt::AlignVCenter,
                          QFontMetrics(option.font).elidedText(title, Qt::ElideMiddle, text.width() - 120));
        painter->restore();
    }

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
        return {200, QFontMetrics(option.font).height() + 12};
    }

private:
    const Appearance& m_appearance;
};

}  // namespace

CommandPalette::CommandPalette(const Appearance& appearance, std::vector<Command> commands, QWidget* parent)
    : QDialog(parent, Qt::Popup | Qt::FramelessWindowHint), m_model(new CommandModel(this)) {
    setAccessibleName(QStringLiteral("Go to or do anything"));
    m_model->setCommands(std::move(commands));
    m_text = new QLineEdit(this);
    m_text->setPlaceholderText(QStringLiteral("Go to or do anything"));
    m_text->setFont(scaledFont(textFont(), 1.1));
    m_text->installEventFilter(this);
    m_list = new QListView(this);
    m_list->setModel(m_model);
    m_list->setUniformItemSizes(true);
    m_list->setItemDelegate(new CommandDelegate(appearance, m_list));
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setAccessibleName(QStringLiteral("Matching commands"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->addWidget(m_text);
    layout->addWidget(m_list);

    const auto selectFirst = [this] { m_list->setCurrentIndex(m_model->index(0)); };
    connect(m_text, &QLineEdit::textChanged, this, [this, selectFirst](const QString& text) {
        m_model->setFilter(text);
        selectFirst();
    });
    connect(m_list, &QListView::clicked, this, &CommandPalette::accept);
    selectFirst();
    setFixedSize(qMin(620, parent->width() - 80), qMin(420, parent->height() - 120));
    move(parent->mapToGlobal(QPoint((parent->width() - width()) / 2, 46)));
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress) return QDialog::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    const int page = m_list->height() / qMax(1, m_list->sizeHintForRow(0));
    const int step = key == Qt::Key_Down ? 1 : key == Qt::Key_Up ? -1 : key == Qt::Key_PageDown ? page : key == Qt::Key_PageUp ? -page : 0;
    if (step != 0) {
        const int row = qBound(0, m_list->currentIndex().row() + step, m_model->rowCount() - 1);
        m_list->setCurrentIndex(m_model->index(row));
        return true;
    }
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
        accept();
        return true;
    }
    return QDialog::eventFilter(watched, event);
}

void CommandPalette::accept() {
    const QString id = m_list->currentIndex().data(CommandModel::IdRole).toString();
    QDialog::accept();
    if (!id.isEmpty()) emit chosen(id);
}

}  // namespace isobit::views
