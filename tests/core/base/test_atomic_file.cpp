// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

#include "core/base/atomic_file.h"
#include "core/base/sha256.h"

using namespace isobit;

class TestAtomicFile : public QObject {
    Q_OBJECT
private slots:
    void aTextIsWrittenAndReadBack() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("a.txt").toStdString();
        QVERIFY(writeTextAtomically(path, "one").has_value());
        QVERIFY(writeTextAtomically(path, "two").has_value());
        QCOMPARE(readTextFile(path).value(), std::string("two"));
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden), QStringList("a.txt"));
    }

    void aFailedWriteKeepsTheOldBytesAndLeavesNothingBehind() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("a.txt").toStdString();
        QVERIFY(writeTextAtomically(path, "old").has_value());
        const auto result = writeAtomically(path, [](const std::string&) -> Result<void> { return failure("no"); });
        QVERIFY(!result);
        QCOMPARE(readTextFile(path).value(), std::string("old"));
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden), QStringList("a.txt"));
    }

    void aMissingFolderIsOneSentence() {
        const auto result = writeTextAtomically("/nonexistent/a.txt", "x");
        QVERIFY(!result);
        QVERIFY(result.error().message.starts_with("/nonexistent/a.txt: cannot be created: "));
    }

    void aFileOverTheLimitIsNotRead() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("big").toStdString();
        QVERIFY(writeTextAtomically(path, std::string(100, 'x')).has_value());
        QVERIFY(!readTextFile(path, 99));
        QVERIFY(readTextFile(path, 100).has_value());
        QVERIFY(!readTextFile(folder.path().toStdString()));
    }

    // Without a writer a plain open of a pipe waits for ever.
    void aPipeAFolderAndAnEmptyNameAreOneSentenceAtOnce() {
        const QTemporaryDir folder;
        const std::string pipe = folder.filePath("pipe").toStdString();
        QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
        QCOMPARE(readTextFile(pipe).error().message, pipe + ": is a FIFO, expected a regular file");
        const std::string place = folder.path().toStdString();
        QCOMPARE(readTextFile(place).error().message, place + ": is a folder, expected a regular file");
        QCOMPARE(readTextFile("").error().message, std::string("the name of a file is empty"));
    }

    // "abc": FIPS 180-4 example.
    void aFilesDigestIsThatOfItsBytes() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("abc").toStdString();
        QVERIFY(writeTextAtomically(path, "abc").has_value());
        const std::string expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        QCOMPARE(sha256OfFile(path).value(), expected);
        QCOMPARE(sha256Hex("abc"), expected);
    }
};

QTEST_APPLESS_MAIN(TestAtomicFile)
#include "test_atomic_file.moc"
