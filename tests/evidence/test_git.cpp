// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include "evidence/git.h"

using namespace isobit::evidence;

namespace {

class TestGit : public QObject {
    Q_OBJECT
private slots:
    void theOriginIsAnAddressThatAStrangerCanUse_data() {
        QTest::addColumn<QString>("url");
        QTest::addColumn<QString>("origin");
        QTest::newRow("https") << "https://example.org/a/b.git"
                               << "https://example.org/a/b.git";
        QTest::newRow("password") << "https://me:secret@example.org/a/b.git"
                                  << "https://example.org/a/b.git";
        QTest::newRow("ssh") << "git@example.org:a/b.git"
                             << "git@example.org:a/b.git";
        QTest::newRow("folder") << "/srv/somebody/b"
                                << "";
        QTest::newRow("relative folder") << "../b"
                                         << "";
        QTest::newRow("file URL") << "file:///srv/somebody/b"
                                  << "";
        QTest::newRow("none") << ""
                              << "";
    }
    void theOriginIsAnAddressThatAStrangerCanUse() {
        QFETCH(QString, url);
        QFETCH(QString, origin);
        const QTemporaryDir folder;
        git(folder, {"init", "-q"});
        if (!url.isEmpty()) git(folder, {"remote", "add", "origin", url});
        const auto tree = GitTree::around(folder.path().toStdString());
        QVERIFY(tree);
        QCOMPARE(QString::fromStdString(tree->origin()), origin);
    }

private:
    static void git(const QTemporaryDir& folder, const QStringList& arguments) {
        QCOMPARE(QProcess::execute("git", QStringList{"-C", folder.path()} + arguments), 0);
    }
};

}  // namespace

QTEST_APPLESS_MAIN(TestGit)
#include "test_git.moc"
