// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <cstring>
#include <thread>

#include "core/tensors/mapped_file.h"
#include "tests/support/tensor_files.h"

using namespace isobit;
using namespace isobit::test;

namespace {

constexpr std::int64_t kElements = 1 << 20;

std::string bigFile(const QTemporaryDir& folder) {
    std::string header = R"({"w":{"dtype":"U8","shape":[1048576],"data_offsets":[0,1048576]}})";
    return write(folder, "big.safetensors", safetensors(header, std::string(kElements, '\x11')));
}

}  // namespace

class TestMappedFile : public QObject {
    Q_OBJECT
private slots:
    void aFileThatShrinksUnderAViewIsAnErrorAndNoCrash() {
        const QTemporaryDir folder;
        const std::string path = bigFile(folder);
        const auto file = openTensorFile(path);
        QVERIFY(file.has_value());
        const auto view = file->view(0);
        QVERIFY(view.has_value() && file->intact(0).has_value());
        QVERIFY(QFile::resize(QString::fromStdString(path), 4096));
        std::size_t ones = 0;
        for (std::int64_t i = 0; i < kElements; ++i) ones += view->data[i] == std::byte(0x11) ? 1 : 0;
        QVERIFY(ones < std::size_t(kElements));
        QVERIFY(!file->intact(0));
        VERIFY_CONTAINS(file->intact(0).error().message, "shrank or could not be read");
        QVERIFY(!file->view(0));
        std::vector<std::byte> out(16);
        QVERIFY(!file->read(0, 0, out));
    }

    void severalThreadsMayMeetTheLostPages() {
        const QTemporaryDir folder;
        const std::string path = bigFile(folder);
        const auto file = openTensorFile(path);
        const auto view = file->view(0);
        QVERIFY(view.has_value());
        QVERIFY(QFile::resize(QString::fromStdString(path), 100));
        std::atomic<std::size_t> zeros = 0;
        std::vector<std::thread> threads;
        for (int i = 0; i < 4; ++i)
            threads.emplace_back([&] {
                for (std::int64_t at = kElements; at-- > 0;) zeros += view->data[at] == std::byte(0) ? 1 : 0;
            });
        for (std::thread& thread : threads) thread.join();
        QVERIFY(zeros > 0);
        QVERIFY(!file->intact(0));
    }

    void aFileThatIsWrittenToMeanwhileIsNoticed() {
        const QTemporaryDir folder;
        const std::string path = bigFile(folder);
        const auto file = openTensorFile(path);
        QVERIFY(file->intact(0).has_value());
        QFile same(QString::fromStdString(path));
        QVERIFY(same.open(QIODevice::ReadWrite));
        QVERIFY(same.seek(same.size() - 1));
        QTest::qSleep(20);  // beyond the granularity of modification times
        same.write("\x12");
        same.close();
        QVERIFY(!file->intact(0));
        VERIFY_CONTAINS(file->intact(0).error().message, "was written to since it was opened");
    }

    void aCopyEndsWithTheFile() {
        const QTemporaryDir folder;
        auto opened = openTypedPath(write(folder, "six", "abcdef"));
        const auto file = MappedFile::map(std::move(*opened));
        QVERIFY(file.has_value());
        QCOMPARE((*file)->copyText(2, 4, 10).value(), std::string("cdef"));
        VERIFY_CONTAINS((*file)->copyText(2, 5, 10).error().message, "offset 2: 5 bytes expected, the file ends at 6");
        VERIFY_CONTAINS((*file)->copyText(UINT64_MAX, 2, 10).error().message, "the file ends at 6");
        VERIFY_CONTAINS((*file)->copyText(0, UINT64_MAX, 10).error().message, "expected at most 10");
    }

    void anEmptyFileIsAnErrorOfItsOwn() {
        const QTemporaryDir folder;
        VERIFY_CONTAINS(problemOf(write(folder, "empty", "")), "is empty (0 bytes)");
    }

    void openingWritesNothingBesideTheFile() {
        const QTemporaryDir folder;
        const std::string path = bigFile(folder);
        QVERIFY(openTensorFile(path).has_value());
        QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
                 QStringList("big.safetensors"));
    }
};

QTEST_APPLESS_MAIN(TestMappedFile)
#include "test_mapped_file.moc"
