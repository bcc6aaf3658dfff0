// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "views/signoff/checks_model.h"
#include "views/signoff/facts_model.h"

class QComboBox;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QStackedWidget;
class QTableView;

namespace isobit::views {

class EvidenceSession;

/// May this be merged? State, checks with the commands that repeat them, what is claimed and what not, the grid with the
/// reviewer's opinion of each cell; computing again, signing and counter-signing.
class SignoffView final : public QWidget {
    Q_OBJECT
public:
    explicit SignoffView(EvidenceSession& session, QWidget* parent = nullptr);

    [[nodiscard]] QTableView* grid() const { return m_grid; }
    /// The run file that sealing offers; empty if none is open.
    void setRun(const QString& path) { m_run = path; }
    /// A qualification that sealing carries along; empty: none.
    void setQualification(const QString& path);

public slots:
    void openFolder();
    void sealRun();
    void verify();
    void rerun();
    void sign();
    void review();
    void exportReport();
    void copyCommand();
    /// Gives the selected cells a mark: "accept", "question", "reject", or nothing.
    void mark(const QString& mark);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* buildEmptyPage();
    QWidget* buildHeader();
    QWidget* buildBody();
    QPushButton* addButton(QHBoxLayout* row, const QString& text, void (SignoffView::*act)());
    QTableView* addTable(const QString& name, QAbstractItemModel& model);
    void showArtifact();
    void showTask();
    void showProgress();
    void showCell();
    void commentCells();
    void fitGrid();
    void writePdf(const QString& path, const QString& html);
    [[nodiscard]] QModelIndexList chosenCells() const;

    EvidenceSession& m_session;
    ChecksModel m_checksModel;
    FactsModel m_factsModel;
    QString m_run;
    QString m_qualification;
    QStackedWidget* m_pages;
    QComboBox* m_artifacts;
    QLabel* m_carried;
    QLabel* m_state;
    QLabel* m_meaning;
    QLabel* m_place;
    QLabel* m_testKey;
    QList<QPushButton*> m_buttons;  ///< those that need an artifact and no other task
    QPushButton* m_stop;
    QComboBox* m_cells;
    QLabel* m_message;
    QProgressBar* m_bar;
    QTableView* m_checks;
    QTableView* m_grid;
    QTableView* m_facts;
    QLabel* m_cellText;
    QLineEdit* m_comment;
};

}  // namespace isobit::views
