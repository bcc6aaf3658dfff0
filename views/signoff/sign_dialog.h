// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QCheckBox;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace isobit::views {

class EvidenceSession;

/// Shows what an author is about to vouch for, and signs only after that.
class SignDialog final : public QDialog {
    Q_OBJECT
public:
    explicit SignDialog(EvidenceSession& session, QWidget* parent = nullptr);

private:
    void showDescription(const QString& text, const QString& keyFile);
    void showTask();
    void sign();

    EvidenceSession& m_session;
    QLineEdit* m_key;
    QPlainTextEdit* m_text;
    QCheckBox* m_replace;
    QPushButton* m_show;
    QPushButton* m_sign;
    QString m_describedKey;  ///< the key that the text is about
};

}  // namespace isobit::views
