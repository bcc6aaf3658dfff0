// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/signoff/sign_dialog.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "views/palette/fonts.h"
#include "views/signoff/evidence_session.h"
#include "views/widgets.h"

namespace isobit::views {

SignDialog::SignDialog(EvidenceSession& session, QWidget* parent) : QDialog(parent), m_session(session) {
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(QStringLiteral("Sign as the author"));
    resize(820, 560);
    m_key = new QLineEdit(this);
    m_key->setObjectName(QStringLiteral("key"));
    m_key->setPlaceholderText(QStringLiteral("key file; empty: git's user.signingkey, then ~/.ssh/id_ed25519_sk, ~/.ssh/id_ed25519"));
    m_show = new QPushButton(QStringLiteral("&Show what is signed"), this);
    m_text = new QPlainTextEdit(this);
    m_text->setObjectName(QStringLiteral("description"));
    m_text->setReadOnly(true);
    m_text->setFont(wordFont());
    m_text->setAccessibleName(QStringLiteral("What is signed"));
    m_replace = new QCheckBox(QStringLiteral("&Replace the signature that is there, which voids the reviews"), this);
    m_replace->setVisible(!session.artifact().verification.fingerprint.isEmpty());
    QLabel* note = wrappingLabel(this);
    note->setText(QStringLiteral("ssh-keygen signs, with the agent, a security key or the file; a passphrase is asked for by "
                                 "SSH_ASKPASS."));
    setRole(note, "muted");
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_sign = buttons->addButton(QStringLiteral("S&ign"), QDialogButtonBox::AcceptRole);
    m_sign->setObjectName(QStringLiteral("sign"));
    m_sign->setEnabled(false);

    auto* keyRow = new QHBoxLayout;
    keyRow->addWidget(m_key, 1);
    keyRow->addWidget(m_show);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(keyRow);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_replace);
    layout->addWidget(note);
    layout->addWidget(buttons);

    connect(m_show, &QPushButton::clicked, this, [this] { m_session.describe(m_key->text()); });
    connect(m_key, &QLineEdit::textChanged, this, [this] { m_sign->setEnabled(false); });
    connect(&session, &EvidenceSession::described, this, &SignDialog::showDescription);
    connect(&session, &EvidenceSession::taskChanged, this, &SignDialog::showTask);
    connect(m_sign, &QPushButton::clicked, this, &SignDialog::sign);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    m_session.describe({});
}

void SignDialog::showDescription(const QString& text, const QString& keyFile) {
    m_describedKey = keyFile;
    m_text->setPlainText(text);
    m_sign->setEnabled(keyFile == m_key->text());
}

void SignDialog::showTask() {
    m_show->setEnabled(!m_session.isBusy());
    if (m_session.isBusy() || m_session.error().isEmpty()) return;
    m_sign->setEnabled(false);
    m_text->setPlainText(m_session.error());
}

void SignDialog::sign() {
    m_session.sign(m_describedKey, m_replace->isChecked());
    accept();
}

}  // namespace isobit::views
