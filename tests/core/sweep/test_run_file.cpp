// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <hdf5.h>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <functional>

#include "core/base/atomic_file.h"
#include "core/base/sha256.h"
#include "core/sweep/json_form.h"
#include "core/sweep/run_file.h"
#include "tests/support/sample_run.h"

using namespace isobit;
using namespace isobit::support;

namespace {

std::vector<std::byte> imageOf(const Run& run) {
    Result<std::vector<std::byte>> image = runFileImage(run);
    return image ? std::move(*image) : std::vector<std::byte>();
}

std::string refusalOf(std::span<const std::byte> image) {
    const Result<Run> run = readRunImage(image, "run.h5");
    return run ? std::string("accepted") : run.error().message;
}

std::string textOf(const Run& run) { return toJson(run).dump(1) + canonicalText(run.plan); }

/// The bytes of the sample run's file after `edit` worked on it through the HDF5 library.
std::vector<std::byte> edited(const std::function<void(hid_t file)>& edit) {
    QTemporaryDir folder;
    const std::string path = folder.filePath("run.h5").toStdString();
    if (!writeRunFile(sampleRun(), path)) return {};
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110);
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, access);
    edit(file);
    H5Fclose(file);
    H5Pclose(access);
    const Result<std::string> text = readTextFile(path);
    const auto bytes = std::as_bytes(std::span(text->data(), text->size()));
    return {bytes.begin(), bytes.end()};
}

/// Replaces a dataset by one of another type, layout or size.
void replace(hid_t file, const char* path, hid_t type, std::vector<hsize_t> shape, const std::function<void(hid_t)>& set,
             const void* data = nullptr) {
    H5Ldelete(file, path, H5P_DEFAULT);
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(creation, false);
    set(creation);
    const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
    const hid_t dataset = H5Dcreate2(file, path, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    if (data != nullptr) H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
    H5Dclose(dataset);
    H5Sclose(space);
    H5Pclose(creation);
}

const std::function<void(hid_t)> kOrdinary = [](hid_t creation) {
    const hsize_t chunk[1] = {6};
    H5Pset_chunk(creation, 1, chunk);
    H5Pset_fletcher32(creation);
};

}  // namespace

class TestRunFile : public QObject {
    Q_OBJECT
private slots:
    void aRunReadBackIsTheRunThatWasWritten() {
        const Run run = sampleRun();
        const Result<Run> back = readRunImage(imageOf(run), "run.h5");
        QVERIFY2(back.has_value(), back ? "" : back.error().message.c_str());
        QCOMPARE(textOf(*back), textOf(run));
        QVERIFY(back->cells[1].outputs[0].comparison == run.cells[1].outputs[0].comparison);
    }

    void theSameRunGivesTheSameBytes() {
        const std::string first = sha256Hex(imageOf(sampleRun()));
        QTest::qSleep(1100);  // a recorded time would show: HDF5 keeps whole seconds
        QCOMPARE(sha256Hex(imageOf(sampleRun())), first);
    }

    void anotherRunGivesOtherBytes() {
        Run run = sampleRun();
        run.plan.seedBase += 1;
        QVERIFY(sha256Hex(imageOf(run)) != sha256Hex(imageOf(sampleRun())));
    }

    void theFileIsTheImageAndItsDigest() {
        QTemporaryDir folder;
        const std::string path = folder.filePath("run.h5").toStdString();
        const Result<std::string> written = writeRunFile(sampleRun(), path);
        QVERIFY(written.has_value());
        const Result<RunFile> file = readRunFile(path);
        QVERIFY(file.has_value());
        QCOMPARE(file->sha256, *written);
        QCOMPARE(*sha256OfFile(path), *written);
        QCOMPARE(textOf(file->run), textOf(sampleRun()));
    }

    void measuredSamplesLieApartFromTheBits() {
        Run run = sampleRun();
        const std::vector<ContentDigest> bits = contentDigests(run);
        run.measurement = Measurement{{{"gpu_name", "none"}}, {{"h64_m1", "fused", {7, 9}}, {"h64_m3", "split", {8}}}};
        const std::vector<ContentDigest> measured = contentDigests(run);
        QCOMPARE(measured.size(), bits.size() + 3);
        for (std::size_t i = 0; i < bits.size(); ++i) {
            QCOMPARE(measured[i].path, bits[i].path);
            QCOMPARE(measured[i].sha256, bits[i].sha256);
        }
        for (std::size_t i = bits.size(); i < measured.size(); ++i) QVERIFY(measured[i].path.starts_with("/measured/"));
        const Result<Run> back = readRunImage(imageOf(run), "run.h5");
        QVERIFY(back.has_value());
        QCOMPARE(back->measurement->provenance.at("gpu_name"), std::string("none"));
        QCOMPARE(back->measurement->samples[0].timeNs, (std::vector<std::uint64_t>{7, 9}));
        QCOMPARE(back->measurement->samples[1].name, std::string("split"));
    }

    void everyTruncationIsOneSentence() {
        const std::vector<std::byte> image = imageOf(sampleRun());
        for (std::size_t size = 0; size < image.size(); size += size < 100 ? 1 : 977) {
            const std::string refusal = refusalOf(std::span(image).first(size));
            QVERIFY2(refusal.starts_with("run.h5: "), refusal.c_str());
            QCOMPARE(refusal.find('\n'), std::string::npos);
        }
        QVERIFY(refusalOf(std::span(image).first(image.size() - 1)).ends_with("truncated or extended"));
        std::vector<std::byte> longer = image;
        longer.push_back(std::byte(0));
        QVERIFY(refusalOf(longer).ends_with("truncated or extended"));
    }

    void aForeignFileIsOneSentence() {
        const std::string text = "PK\x03\x04 this is an archive, long enough to hold a superblock of HDF5";
        QCOMPARE(refusalOf(std::as_bytes(std::span(text.data(), text.size()))),
                 std::string("run.h5: no HDF5 signature at offset 0; expected a run file (isobit.run/1)"));
        QCOMPARE(readRunFile("/nonexistent/run.h5").error().message,
                 std::string("/nonexistent/run.h5: cannot be opened: No such file or directory"));
    }

    // The silent cases are bytes that nothing uses; the data behind every other byte has a checksum.
    void noFlippedByteGivesAnotherRun() {
        const std::vector<std::byte> image = imageOf(sampleRun());
        const std::string truth = textOf(sampleRun());
        std::size_t refused = 0;
        for (std::size_t i = 0; i < image.size(); i += 31) {
            std::vector<std::byte> damaged = image;
            damaged[i] ^= std::byte(0x81);
            const Result<Run> run = readRunImage(damaged, "run.h5");
            if (run)
                QCOMPARE(textOf(*run), truth);
            else
                ++refused;
        }
        QVERIFY(refused > image.size() / 31 / 2);
    }

    void whatIsNoPartOfTheLayoutIsRefused_data() {
        QTest::addColumn<std::function<void(hid_t)>>("edit");
        QTest::addColumn<QString>("sentence");
        const auto row = [](const char* name, std::function<void(hid_t)> edit, const char* sentence) {
            QTest::newRow(name) << std::move(edit) << sentence;
        };
        row("external link", [](hid_t file) { H5Lcreate_external("/etc/passwd", "/", file, "/evil", H5P_DEFAULT, H5P_DEFAULT); },
            "/evil is a soft or external link");
        row("soft link", [](hid_t file) { H5Lcreate_soft("/plan", file, "/cells/again", H5P_DEFAULT, H5P_DEFAULT); },
            "/cells/again is a soft or external link");
        row("second hard link", [](hid_t file) { H5Lcreate_hard(file, "/plan", file, "/edges2", H5P_DEFAULT, H5P_DEFAULT); },
            "is an object with 2 links to it");
        row("a group that contains itself", [](hid_t file) { H5Lcreate_hard(file, "/", file, "/cells/up", H5P_DEFAULT, H5P_DEFAULT); },
            "links to it");
        row("attribute", [](hid_t file) {
            const hid_t space = H5Screate(H5S_SCALAR);
            const hid_t dataset = H5Dopen2(file, "/plan", H5P_DEFAULT);
            H5Aclose(H5Acreate2(dataset, "note", H5T_STD_U8LE, space, H5P_DEFAULT, H5P_DEFAULT));
            H5Dclose(dataset);
            H5Sclose(space);
        }, "/plan is an object with attributes");
        row("unknown dataset", [](hid_t file) { replace(file, "/more", H5T_STD_U8LE, {6}, kOrdinary); },
            "/more is a dataset of no known name");
        row("unknown group", [](hid_t file) { H5Gclose(H5Gcreate2(file, "/cells/deep", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
            H5Gclose(H5Gcreate2(file, "/cells/deep/er", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)); },
            "/cells/deep/er is neither a group nor a dataset in its place");
        row("other type", [](hid_t file) { replace(file, "/cells/status", H5T_STD_I32LE, {6}, kOrdinary); },
            "/cells/status is a dataset of another type than u8");
        row("other rank", [](hid_t file) { replace(file, "/cells/status", H5T_STD_U8LE, {6, 1}, [](hid_t creation) {
            const hsize_t chunk[2] = {6, 1};
            H5Pset_chunk(creation, 2, chunk);
            H5Pset_fletcher32(creation); }); }, "/cells/status is a dataset of rank 2");
        row("contiguous storage", [](hid_t file) { replace(file, "/cells/status", H5T_STD_U8LE, {6}, [](hid_t) {}); },
            "storage is not in chunks");
        row("external storage", [](hid_t file) { replace(file, "/cells/status", H5T_STD_U8LE, {6}, [](hid_t creation) {
            H5Pset_external(creation, "/etc/passwd", 0, 6); }); }, "storage is not in chunks");
        row("virtual storage", [](hid_t file) { replace(file, "/cells/status", H5T_STD_U8LE, {6}, [](hid_t creation) {
            const hsize_t size[1] = {6};
            const hid_t space = H5Screate_simple(1, size, nullptr);
            H5Pset_virtual(creation, space, "/etc/passwd", "/x", space);
            H5Sclose(space); }); }, "storage is not in chunks");
        row("deflate", [](hid_t file) { replace(file, "/cells/status", H5T_STD_U8LE, {6}, [](hid_t creation) {
            const hsize_t chunk[1] = {6};
            H5Pset_chunk(creation, 1, chunk);
            H5Pset_deflate(creation, 9); }); }, "other filters than one checksum");
        row("2^60 elements", [](hid_t file) { replace(file, "/edges", H5T_STD_U8LE, {hsize_t(1) << 60}, kOrdinary); },
            "/edges is a dataset of size 1152921504606846976 in dimension 0");
        row("elements that are not stored", [](hid_t file) { replace(file, "/edges", H5T_STD_U8LE, {600}, kOrdinary); },
            "/edges is a dataset with elements that are not stored");
        row("missing dataset", [](hid_t file) { H5Ldelete(file, "/edges", H5P_DEFAULT); }, "/edges is missing");
        row("too few cells", [](hid_t file) {
            const std::uint8_t status[5] = {1, 1, 1, 1, 1};
            replace(file, "/cells/status", H5T_STD_U8LE, {5}, [](hid_t creation) {
                const hsize_t chunk[1] = {5};
                H5Pset_chunk(creation, 1, chunk);
                H5Pset_fletcher32(creation); }, status); }, "/cells/status has the shape [5]");
        row("unknown status", [](hid_t file) {
            const std::uint8_t status[6] = {1, 2, 1, 1, 9, 0};
            replace(file, "/cells/status", H5T_STD_U8LE, {6}, kOrdinary, status); }, "/cells/status: 9 in row 4");
        row("a verdict that the counts do not give", [](hid_t file) {
            const std::uint8_t status[6] = {1, 1, 1, 1, 3, 0};
            replace(file, "/cells/status", H5T_STD_U8LE, {6}, kOrdinary, status); },
            "cell h64_m3 is equal, which its outputs do not say");
    }

    void whatIsNoPartOfTheLayoutIsRefused() {
        QFETCH(std::function<void(hid_t)>, edit);
        QFETCH(QString, sentence);
        const std::vector<std::byte> image = edited(edit);
        QVERIFY(!image.empty());
        const std::string refusal = refusalOf(image);
        QVERIFY2(refusal.starts_with("run.h5: "), refusal.c_str());
        QVERIFY2(QString::fromStdString(refusal).contains(sentence), refusal.c_str());
    }

    void aFailedWriteLeavesNothingBehind() {
        QTemporaryDir folder;
        const std::string path = folder.filePath("none/run.h5").toStdString();
        const Result<std::string> written = writeRunFile(sampleRun(), path);
        QVERIFY(!written);
        QCOMPARE(written.error().message, path + ": cannot be created: No such file or directory");
        QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot).size(), 0);
    }
};

QTEST_APPLESS_MAIN(TestRunFile)
#include "test_run_file.moc"
