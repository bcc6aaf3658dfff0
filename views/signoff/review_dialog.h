// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QComboBox;
class QLabel;
class QLineEdit;

namespace isobit::views {

class EvidenceSession;

/// Asks for the reviewer's verdict and counter-signs: the child verifies, computes the chosen cells again and writes the
/// statement with the opinions of the grid.
class ReviewDialog final : public QDialog {
    Q_OBJECT
public:
    explicit ReviewDialog(EvidenceSession& session, QWidget* parent = nullptr);

private:
    void showChance();
    void review();

    EvidenceSession& m_session;
    QComboBox* m_verdict;
    QComboBox* m_cells;
    QLabel* m_chance;
    QLineEdit* m_key;
    QLineEdit* m_change;
    QLineEdit* m_comment;
};

/// Fills a box with what can be computed again: all cells first, then draws of a third and a ninth of them.
void fillCellChoices(QComboBox& box, std::uint64_t cells);

}  // namespace isobit::views
