// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/center/start_page.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "views/palette/fonts.h"
#include "views/session.h"
#include "views/widgets.h"

namespace isobit::views {

StartPage::StartPage(const ViewContext& context, QWidget* parent) : QWidget(parent), m_context(context) {
    auto* title = new QLabel(QStringLiteral("Do trainer and sampler compute the same bits?"), this);
    title->setFont(scaledFont(textFont(), 1.7, true));
    title->setWordWrap(true);
    QLabel* sentence = wrappingLabel(this);
    setRole(sentence, "muted");
    sentence->setText(QStringLiteral(
        "Compare two captures, tensor by tensor, down to the bit. Or sweep both sides over a grid of shapes; it needs no "
        "GPU: Hopper's arithmetic is computed on this machine, bit for bit."));
    m_banner = wrappingLabel(this);
    setRole(m_banner, "failed");

    auto* column = new QVBoxLayout;
    column->setSpacing(10);
    column->addStretch(2);
    column->addWidget(title);
    column->addWidget(sentence);
    column->addWidget(m_banner);
    column->addSpacing(14);
    m_actions = new QVBoxLayout;
    m_actions->setSpacing(14);
    column->addLayout(m_actions);
    column->addStretch(3);

    addAction(QStringLiteral("Show a divergence"),
              QStringLiteral("rmsnorm-threshold: a thread count that follows the rows changes at 256 rows, and with it the bits."), true,
              [this] { m_context.session.runPreset(QStringLiteral("rmsnorm-threshold")); });
    addAction(QStringLiteral("Run the 72-cell grid"),
              QStringLiteral("rmsnorm-72: nine hidden sizes by eight numbers of rows, residual included."), false,
              [this] { m_context.session.runPreset(QStringLiteral("rmsnorm-72")); });
    addAction(QStringLiteral("Open or compare files…"),
              QStringLiteral("A run file or a capture of tensors is opened, two captures are compared. Or drop them anywhere on this window."), false,
              [this] { emit openRequested(); });

    auto* content = new QWidget(this);
    content->setLayout(column);
    content->setMaximumWidth(620);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(32, 12, 32, 12);
    layout->addStretch(1);
    layout->addWidget(content, 20);
    layout->addStretch(1);
    connect(&context.session, &Session::stateChanged, this, &StartPage::showState);
    showState();
}

void StartPage::addAction(const QString& title, const QString& explanation, bool primary,
                          const std::function<void()>& action) {
    auto* button = new QPushButton(title, this);
    button->setProperty("primary", primary);
    button->setFixedSize(220, 36);
    connect(button, &QPushButton::clicked, this, action);
    QLabel* text = wrappingLabel(this);
    text->setText(explanation);
    setRole(text, "muted");
    auto* column = new QVBoxLayout;
    column->setSpacing(4);
    column->addWidget(button);
    column->addWidget(text);
    m_actions->addLayout(column);
    if (primary) setFocusProxy(button);
}

void StartPage::showState() {
    const Session::State state = m_context.session.state();
    const bool failed = state == Session::State::Failed;
    QString text;
    if (failed) text = QStringLiteral("!  ") + m_context.session.error();
    if (state == Session::State::Opening) text = QStringLiteral("Opening…");
    if (state == Session::State::Comparing) text = QStringLiteral("Comparing… Esc stops it.");
    setRole(m_banner, failed ? "failed" : "muted");
    m_banner->setText(text);
    m_banner->setVisible(!text.isEmpty());
}

}  // namespace isobit::views
