// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/signoff/review_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "views/signoff/evidence_session.h"
#include "views/widgets.h"

namespace isobit::views {

namespace {

std::uint64_t cellsOf(const EvidenceSession& session) {
    return session.artifact().manifest ? session.artifact().manifest->predicate.cells.size() : 0;
}

}  // namespace

void fillCellChoices(QComboBox& box, std::uint64_t cells) {
    box.clear();
    box.addItem(QStringLiteral("all %1 cells").arg(cells), QStringLiteral("all"));
    for (const std::uint64_t part : {3, 9})
        if (const std::uint64_t drawn = cells / part; drawn > 0)
            box.addItem(QStringLiteral("%1 at random").arg(drawn), QStringLiteral("random:%1").arg(drawn));
}

ReviewDialog::ReviewDialog(EvidenceSession& session, QWidget* parent) : QDialog(parent), m_session(session) {
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(QStringLiteral("Counter-sign"));
    resize(640, 380);
    m_verdict = new QComboBox(this);
    m_verdict->setObjectName(QStringLiteral("verdict"));
    for (const auto& [title, word] : {std::pair("Approve: everything holds", "approve"), {"Reject", "reject"}, {"Comment only", "comment"}})
        m_verdict->addItem(QString::fromLatin1(title), QString::fromLatin1(word));
    m_cells = new QComboBox(this);
    fillCellChoices(*m_cells, cellsOf(session));
    m_cells->addItem(QStringLiteral("none"), QStringLiteral("none"));
    m_chance = wrappingLabel(this);
    setRole(m_chance, "muted");
    m_key = new QLineEdit(this);
    m_key->setObjectName(QStringLiteral("key"));
    m_key->setPlaceholderText(QStringLiteral("key file; empty: as for signing"));
    m_change = new QLineEdit(this);
    m_change->setPlaceholderText(QStringLiteral("the pull request, if there is one"));
    m_comment = new QLineEdit(this);
    m_comment->setObjectName(QStringLiteral("comment"));
    auto* form = new QFormLayout;
    form->addRow(QStringLiteral("&Verdict"), m_verdict);
    form->addRow(QStringLiteral("Compute &again"), m_cells);
    form->addRow(QString(), m_chance);
    form->addRow(QStringLiteral("&Key"), m_key);
    form->addRow(QStringLiteral("C&hange"), m_change);
    form->addRow(QStringLiteral("&Comment"), m_comment);
    QLabel* note = wrappingLabel(this);
    const qsizetype notes = session.grid().notes().size();
    note->setText(QStringLiteral("The statement names this manifest (sha256 %1) and this author signature, lists the checks, the "
                                 "cells computed again and %2 opinions on cells, and is signed in the namespace "
                                 "evidence-review-v1@isobit.")
                      .arg(session.artifact().verification.manifestSha256).arg(notes));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    QPushButton* sign = buttons->addButton(QStringLiteral("Counter-&sign"), QDialogButtonBox::AcceptRole);
    sign->setObjectName(QStringLiteral("countersign"));
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(form);
    layout->addWidget(note);
    layout->addStretch(1);
    layout->addWidget(buttons);
    connect(m_cells, &QComboBox::currentIndexChanged, this, &ReviewDialog::showChance);
    connect(sign, &QPushButton::clicked, this, &ReviewDialog::review);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    showChance();
}

void ReviewDialog::showChance() {
    const QString cells = m_cells->currentData().toString();
    const std::uint64_t drawn = cells == QLatin1String("all") ? cellsOf(m_session) : cells.section(':', 1).toULongLong();
    m_chance->setText(drawn == 0 ? QStringLiteral("Nothing is computed again: a forged result cannot be told.")
                                 : detectionText(cellsOf(m_session), drawn));
}

void ReviewDialog::review() {
    m_session.review({m_verdict->currentData().toString(), m_cells->currentData().toString(), m_key->text(), m_change->text(),
                      m_comment->text()});
    accept();
}

}  // namespace isobit::views
