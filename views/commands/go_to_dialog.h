// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QLabel;
class QLineEdit;

namespace isobit::views {

class Session;

/// Asks where to go in the pair of captures that is open, and selects it. What cannot be is said below the text.
class GoToDialog final : public QDialog {
    Q_OBJECT
public:
    explicit GoToDialog(Session& session, QWidget* parent = nullptr);

private:
    void go();

    Session& m_session;
    QLineEdit* m_text;
    QLabel* m_problem;
};

}  // namespace isobit::views
