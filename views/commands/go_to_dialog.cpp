// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/commands/go_to_dialog.h"

#include <QCompleter>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

#include "views/captures/go_to.h"
#include "views/session.h"
#include "views/widgets.h"

namespace isobit::views {

GoToDialog::GoToDialog(Session& session, QWidget* parent) : QDialog(parent), m_session(session) {
    setWindowTitle(QStringLiteral("Go to a tensor or an element"));
    setMinimumWidth(460);
    m_text = new QLineEdit(this);
    m_text->setPlaceholderText(QStringLiteral("layers.00.q_rope    or  12, 403    or  #4031    or  q_rope 12, 403"));
    m_text->setAccessibleName(windowTitle());
    QStringList names;
    for (const WalkStep& step : session.capture()->walk.steps) names << QString::fromStdString(step.pair.name);
    auto* completer = new QCompleter(names, this);
    completer->setFilterMode(Qt::MatchContains);
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    m_text->setCompleter(completer);
    m_problem = wrappingLabel(this);
    setRole(m_problem, "muted");
    m_problem->setText(QStringLiteral("Enter goes there. A part of a name is enough where only one tensor has it."));
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_text);
    layout->addWidget(m_problem);
    connect(m_text, &QLineEdit::returnPressed, this, &GoToDialog::go);
}

void GoToDialog::go() {
    const auto place = placeOf(m_text->text(), *m_session.capture(), m_session.selection());
    if (place) {
        m_session.select(*place);
        return accept();
    }
    setRole(m_problem, "failed");
    m_problem->setText(QString::fromStdString(place.error().message));
}

}  // namespace isobit::views
