// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QTest>

#include "views/commands/command_model.h"

using namespace isobit::views;

class TestCommandModel : public QObject {
    Q_OBJECT
private slots:
    void init() {
        m_model.setCommands({{"run.stop", "Stop the sweep", "Run", "Esc"},
                             {"view.table", "Grid as a table", "View", "Ctrl+T"},
                             {"cell:h64_m1", "Cell H 64  M 1", "Cells", ""},
                             {"go.grid", "Go to the table", "Go", ""},
                             {"view.columns", "Table columns", "View", ""}});
    }

    void theModelKeepsItsPromisesWhileTyping() {
        QAbstractItemModelTester tester(&m_model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        for (const char* text : {"", "g", "gr", "grid table", "nothing of the kind", ""}) m_model.setFilter(text);
        QCOMPARE(m_model.rowCount(), 5);
    }

    void titlesThatBeginWithTheTextComeFirst() {
        m_model.setFilter("table");
        QCOMPARE(idAt(0), QString("view.columns"));
        QCOMPARE(idAt(1), QString("view.table"));
        QCOMPARE(m_model.rowCount(), 3);
    }

    void everyWordMustOccurInAnyOrder() {
        m_model.setFilter("table grid");
        QCOMPARE(m_model.rowCount(), 2);
        m_model.setFilter("m1 h64");
        QCOMPARE(m_model.rowCount(), 1);
        QCOMPARE(idAt(0), QString("cell:h64_m1"));
        m_model.setFilter("table zebra");
        QCOMPARE(m_model.rowCount(), 0);
    }

private:
    QString idAt(int row) const { return m_model.index(row).data(CommandModel::IdRole).toString(); }
    CommandModel m_model;
};

QTEST_GUILESS_MAIN(TestCommandModel)
#include "test_command_model.moc"
