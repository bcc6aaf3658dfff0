// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "evidence/process.h"

using namespace isobit;
using namespace isobit::evidence;

class TestProcess : public QObject {
    Q_OBJECT
private slots:
    void argumentsReachTheProgramAsTheyAre() {
        const auto result = runProcess({.arguments = {"printf", "%s|", "a b", "$(id)", "'", "; true"}});
        QVERIFY(result.has_value());
        QCOMPARE(result->out, std::string("a b|$(id)|'|; true|"));
        QCOMPARE(result->exitCode, 0);
    }

    void inputOutputAndExitCodeArePassed() {
        const std::string input(300000, 'x');
        const auto result = runProcess({.arguments = {"sh", "-c", "cat; echo done >&2; exit 3"}, .input = input});
        QVERIFY(result.has_value());
        QCOMPARE(result->out, input);
        QCOMPARE(result->err, std::string("done\n"));
        QCOMPARE(result->exitCode, 3);
    }

    void aProgramThatTakesTooLongIsEndedWithItsChildren() {
        const auto result =
            runProcess({.arguments = {"sh", "-c", "sleep 100 & sleep 100"}, .timeout = std::chrono::milliseconds(200)});
        QVERIFY(!result);
        QVERIFY(result.error().message.find("took longer") != std::string::npos);
    }

    void aProgramThatWritesTooMuchIsEnded() {
        const auto result = runProcess({.arguments = {"yes"}, .outputLimitBytes = 100000});
        QVERIFY(!result);
        QCOMPARE(result.error().message, std::string("yes: wrote more than 100000 bytes and was ended"));
    }

    void aProgramThatIsNotThereIsAnError() {
        const auto result = runProcess({.arguments = {"no-such-program-here"}});
        QVERIFY(!result);
        QVERIFY(result.error().message.find("cannot be started") != std::string::npos);
    }

    void theCallersGitVariablesDoNotPass() {
        qputenv("GIT_DIR", "/nowhere");
        const auto result = runProcess({.arguments = {"sh", "-c", "echo \"$GIT_DIR,$TZ,$LC_ALL\""}});
        QVERIFY(result.has_value());
        QCOMPARE(result->out, std::string(",UTC0,C\n"));
        qunsetenv("GIT_DIR");
    }

    void shellLinesReadBackAsTheSameArguments() {
        const std::vector<std::string> arguments = {"printf", "%s|", "plain", "", "it's", "a b", "$HOME", "`id`", "\\"};
        const auto result = runProcess({.arguments = {"sh", "-c", shellLine(arguments)}});
        QVERIFY(result.has_value());
        QCOMPARE(result->out, std::string("plain||it's|a b|$HOME|`id`|\\|"));
    }
};

QTEST_APPLESS_MAIN(TestProcess)
#include "test_process.moc"
