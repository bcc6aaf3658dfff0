// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/tensors/guarded_child.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "core/tensors/anonymous_memory.h"

using namespace isobit;

namespace {

constexpr ChildLimits kSmall{.seconds = 1, .memoryBytes = std::uint64_t(32) << 20, .answerBytes = 1000};

// What the child answers, or the sentence of the error.
QString answerOf(const std::function<Result<std::string>()>& work, const ChildLimits& limits = kSmall) {
    const auto answer = runGuarded(work, "file", limits);
    return QString::fromStdString(answer ? *answer : answer.error().message);
}

std::string reasonOf(int result) { return result >= 0 ? "done" : std::strerror(errno); }

}  // namespace

class TestGuardedChild : public QObject {
    Q_OBJECT
private slots:
    void anAnswerAndAnErrorComeBack() {
        QCOMPARE(answerOf([] { return Result<std::string>("42"); }), QString("42"));
        QCOMPARE(answerOf([]() -> Result<std::string> { return failure("offset 3: no"); }), QString("file: offset 3: no"));
    }

    void nothingCanBeOpenedStartedOrReached() {
        const auto tried = [](const std::function<int()>& call) {
            return answerOf([&] { return Result<std::string>(reasonOf(call())); });
        };
        QCOMPARE(tried([] { return open("/etc/hostname", O_RDONLY); }), QString("Operation not permitted"));
        QCOMPARE(tried([] { return open("/tmp", O_TMPFILE | O_WRONLY, 0600); }), QString("Operation not permitted"));
        QCOMPARE(tried([] { return socket(AF_INET, SOCK_STREAM, 0); }), QString("Operation not permitted"));
        QCOMPARE(tried([] { return static_cast<int>(fork()); }), QString("Operation not permitted"));
        QCOMPARE(tried([] { return execl("/bin/true", "true", nullptr); }), QString("Operation not permitted"));
        QCOMPARE(tried([] { return unlink("/tmp/none"); }), QString("Operation not permitted"));
        QCOMPARE(tried([] { return kill(getppid(), 0); }), QString("Operation not permitted"));
    }

    void aFileThatIsOpenForWritingIsNotWritten() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("open").toStdString();
        const int file = open(path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
        answerOf([&] { return Result<std::string>(reasonOf(static_cast<int>(write(file, "x", 1)))); });
        close(file);
        QCOMPARE(QFile(QString::fromStdString(path)).size(), qint64(0));
    }

    void aCrashIsASentence() {
        QCOMPARE(answerOf([]() -> Result<std::string> {
                     raise(SIGSEGV);
                     return "survived";
                 }),
                 QString("file: its reader crashed on it (Segmentation fault), in a process of its own"));
        QCOMPARE(answerOf([]() -> Result<std::string> { throw 1; }), QString("file: its reader gave up on it"));
        QCOMPARE(answerOf([]() -> Result<std::string> { _exit(0); }), QString("file: its reader gave up on it"));
    }

    void timeMemoryAndAnswerHaveLimits() {
        // Processor time ends it, or the parent's patience does, where other work keeps the processor from it.
        const QString endless = answerOf([]() -> Result<std::string> {
            for (volatile bool on = true; on;) {}
            return std::string();
        });
        QVERIFY2(endless == "file: its reader ran out of time or memory on it" || endless == "file: was not read within 3 s",
                 qPrintable(endless));
        QCOMPARE(answerOf([] { return Result<std::string>(std::string(std::size_t(64) << 20, 'x')); }),
                 QString("file: its reader gave up on it"));
        QCOMPARE(answerOf([] { return Result<std::string>(std::string(2000, 'x')); }), QString("file: lists more than 1000 bytes"));
    }

    void sharedMemoryBringsBytesBack() {
        const auto memory = AnonymousMemory::reserve(4096);
        QVERIFY(memory.has_value());
        QCOMPARE(answerOf([&] {
                     memory->bytes()[4095] = std::byte(7);
                     return Result<std::string>("done");
                 }),
                 QString("done"));
        QVERIFY(memory->bytes()[4095] == std::byte(7));
    }
};

QTEST_APPLESS_MAIN(TestGuardedChild)
#include "test_guarded_child.moc"
