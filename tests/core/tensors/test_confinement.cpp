// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>
#include <unistd.h>

#include <QDir>

#include "core/tensors/confinement.h"
#include "tests/support/tensor_files.h"

using namespace isobit;
using namespace isobit::test;

namespace {

std::string typedProblem(const std::string& path, const std::string& root = {}) {
    const auto opened = openTypedPath(path, root);
    return opened ? std::string() : opened.error().message;
}

std::string belowProblem(const std::string& folder, std::string_view name) {
    const auto base = openTypedPath(folder);
    const auto opened = openBelow(*base, name);
    return opened ? std::string() : opened.error().message;
}

// A folder as an input root wants it: only its owner may write there.
std::string privateFolder(const QTemporaryDir& folder, const char* name = "root") {
    QDir(folder.path()).mkdir(name);
    const std::string path = QDir(folder.path()).canonicalPath().toStdString() + "/" + name;
    chmod(path.c_str(), 0700);
    return path;
}

std::string privateFile(const std::string& folder, const char* name) {
    const std::string path = folder + "/" + name;
    QFile file(QString::fromStdString(path));
    if (!file.open(QIODevice::WriteOnly)) qFatal("cannot write");
    file.write("x");
    file.close();
    chmod(path.c_str(), 0600);
    return path;
}

}  // namespace

class TestConfinement : public QObject {
    Q_OBJECT
private slots:
    void whatIsNoFileOrFolderIsRefusedWithoutWaiting() {
        const QTemporaryDir folder;
        const std::string fifo = folder.filePath("fifo").toStdString();
        QCOMPARE(mkfifo(fifo.c_str(), 0600), 0);
        VERIFY_CONTAINS(problemOf(fifo), "is a FIFO, expected a regular file or a folder");
        VERIFY_CONTAINS(problemOf("/dev/zero"), "is a character device");
        VERIFY_CONTAINS(problemOf(folder.filePath("none").toStdString()), "No such file");
        VERIFY_CONTAINS(problemOf(std::string("a\0b", 3)), "has a NUL");
        VERIFY_CONTAINS(problemOf(""), "path is empty");
    }

    void aTypedLinkIsFollowedAndALinkOutOfAFileIsNot() {
        const QTemporaryDir folder;
        const std::string target = privateFile(privateFolder(folder), "target");
        const std::string link = folder.filePath("link").toStdString();
        QCOMPARE(symlink(target.c_str(), link.c_str()), 0);
        QCOMPARE(typedProblem(link), std::string());
        VERIFY_CONTAINS(belowProblem(folder.path().toStdString(), "link"), "is a symbolic link");
    }

    void aPathOutOfAFileStaysBelowItsFolder() {
        const QTemporaryDir folder;
        const std::string root = privateFolder(folder);
        privateFile(folder.path().toStdString(), "outside");
        privateFile(root, "inside");
        QCOMPARE(belowProblem(root, "inside"), std::string());
        QCOMPARE(belowProblem(root, "./inside"), std::string());
        VERIFY_CONTAINS(belowProblem(root, "../outside"), "has \"..\"");
        VERIFY_CONTAINS(belowProblem(root, "x/../../outside"), "has \"..\"");
        VERIFY_CONTAINS(belowProblem(root, root + "/inside"), "is not relative");
        VERIFY_CONTAINS(belowProblem(root, std::string_view("inside\0", 7)), "has a NUL");
        VERIFY_CONTAINS(belowProblem(root, ""), "is not relative");
    }

    // spec/confinement.md 3, with its stricter points.
    void underAnInputRootOwnerModeAndLinksAreChecked() {
        const QTemporaryDir folder;
        const std::string root = privateFolder(folder);
        const std::string file = privateFile(root, "file");
        QCOMPARE(typedProblem(file, root), std::string());
        QCOMPARE(typedProblem("file", root), std::string());
        VERIFY_CONTAINS(typedProblem(privateFile(folder.path().toStdString(), "other"), root), "is not below the input root");
        VERIFY_CONTAINS(typedProblem(root + "/../other", root), "has \"..\"");
        QCOMPARE(symlink("file", (root + "/link").c_str()), 0);
        VERIFY_CONTAINS(typedProblem("link", root), "is a symbolic link");
        chmod(file.c_str(), 0644);
        QCOMPARE(typedProblem(file, root), std::string());
        chmod(file.c_str(), 0620);
        VERIFY_CONTAINS(typedProblem(file, root), "the file has mode 620");
        chmod(file.c_str(), 0602);
        VERIFY_CONTAINS(typedProblem(file, root), "the file has mode 602");
        chmod(file.c_str(), 0600);
        chmod(root.c_str(), 0770);
        VERIFY_CONTAINS(typedProblem(file, root), "the input root has mode 770");
        chmod(root.c_str(), 0700);
        QCOMPARE(link(file.c_str(), (root + "/second").c_str()), 0);
        VERIFY_CONTAINS(typedProblem(file, root), "the file has 2 names (hard links), expected 1");
        QCOMPARE(unlink((root + "/second").c_str()), 0);
        const auto sparse = QFile::resize(QString::fromStdString(file), qint64(8) << 30);
        QVERIFY(sparse);
        QCOMPARE(typedProblem(file, root), std::string());
        QVERIFY(QFile::resize(QString::fromStdString(file), (qint64(8) << 30) + 1));
        VERIFY_CONTAINS(typedProblem(file, root), "has 8589934593 bytes, expected at most 8589934592");
    }

    void theRootMayBeTheEnvironments() {
        const QTemporaryDir folder;
        const std::string root = privateFolder(folder);
        const std::string inside = privateFile(root, "inside");
        const std::string outside = privateFile(folder.path().toStdString(), "outside");
        qputenv("ISOBIT_INPUT_ROOT", root.c_str());
        const std::string insideProblem = typedProblem(inside);
        const std::string outsideProblem = typedProblem(outside);
        qputenv("ISOBIT_INPUT_ROOT", "  ");
        const std::string blankProblem = typedProblem(outside);
        qunsetenv("ISOBIT_INPUT_ROOT");
        QCOMPARE(insideProblem, std::string());
        VERIFY_CONTAINS(outsideProblem, "is not below the input root");
        QCOMPARE(blankProblem, std::string());
    }

    void anotherUsersFileIsRefusedUnderAnInputRoot() {
        const QTemporaryDir folder;
        const std::string root = privateFolder(folder);
        const std::string file = privateFile(root, "file");
        if (geteuid() == 0) {
            QCOMPARE(chown(file.c_str(), 12345, 12345), 0);
            VERIFY_CONTAINS(typedProblem(file, root), "belongs to user 12345, expected user 0");
        } else {
            VERIFY_CONTAINS(typedProblem("bin", "/usr"), "belongs to user 0");
        }
    }

    // spec/confinement.md 1.
    void identifiersFollowTheOneRule() {
        for (const char* good : {"a", "0", "layer.0-q_proj", "A1"}) QVERIFY(checkIdentifier(good, "name").has_value());
        QVERIFY(checkIdentifier(std::string(128, 'x'), "name").has_value());
        for (const std::string& bad : {std::string(), std::string("."), std::string(".."), std::string("-a"), std::string("_a"),
                                       std::string("a/b"), std::string("a\n"), std::string("a b"), std::string("é"),
                                       std::string("a\0", 2), std::string(129, 'x')})
            QVERIFY(!checkIdentifier(bad, "name").has_value());
    }

    void aNameCannotSteerTheTerminal() {
        QCOMPARE(printable("a\x1b[2J\n\"\\"), std::string("a\\x1b[2J\\x0a\\x22\\x5c"));
        QCOMPARE(printable(std::string(300, 'x')).size(), std::size_t(203));
        QCOMPARE(printable("\xc3\xa9" "chelle \xf0\x9f\x98\x80"), std::string("\xc3\xa9" "chelle \xf0\x9f\x98\x80"));
        QCOMPARE(printable("\xc2\x9b" "2J"), std::string("\\xc2\\x9b2J"));            // the one-character CSI
        QCOMPARE(printable("\xe2\x80\xae" "a"), std::string("\\xe2\\x80\\xaea"));    // right to left
        QCOMPARE(printable("\xff\xc0\x80\xed\xa0\x80\xc3"), std::string("\\xff\\xc0\\x80\\xed\\xa0\\x80\\xc3"));  // no UTF-8
        QCOMPARE(printableSentence("\"a\": \x1b[2J"), std::string("\"a\": \\x1b[2J"));
    }
};

QTEST_APPLESS_MAIN(TestConfinement)
#include "test_confinement.moc"
