// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/base/machine.h"

using namespace isobit;

class TestMachine : public QObject {
    Q_OBJECT
private slots:
    void theNameOfTheSystemLosesItsQuotes() {
        QCOMPARE(prettyName("NAME=\"A\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nID=debian\n"),
                 std::string("Debian GNU/Linux 12 (bookworm)"));
        QCOMPARE(prettyName("PRETTY_NAME='Plain'"), std::string("Plain"));
    }

    void theFirstProcessorNamesTheModel() {
        QCOMPARE(cpuModel("processor\t: 0\nmodel\t\t: 17\nmodel name\t: One 64-Core\nmodel name\t: Two\n"),
                 std::string("One 64-Core"));
    }

    void whatIsMissingOrEmptyIsEmpty() {
        QCOMPARE(prettyName(""), std::string());
        QCOMPARE(prettyName("X_PRETTY_NAME=\"no\"\nPRETTY_NAME=\"\"\n"), std::string());
        QCOMPARE(cpuModel("model name\t:   \n"), std::string());
        QCOMPARE(cpuModel("model\t: 3"), std::string());
    }

    void thisMachineTellsItsKernel() { QVERIFY(machineFacts().kernel.starts_with("Linux ")); }
};

QTEST_APPLESS_MAIN(TestMachine)
#include "test_machine.moc"
