// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <hdf5.h>

#include <thread>

#include "tests/support/tensor_files.h"

using namespace isobit;
using namespace isobit::test;

namespace {

// A file under construction; everything is closed at the end of its life.
class Writer {
public:
    explicit Writer(const std::string& path)
        : m_file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)) {}
    ~Writer() {
        H5Pclose(m_properties);
        H5Fclose(m_file);
    }
    hid_t file() const { return m_file; }
    hid_t properties() const { return m_properties; }

    hid_t create(const char* name, hid_t type, std::vector<hsize_t> sizes) {
        const hid_t space = H5Screate_simple(int(sizes.size()), sizes.data(), nullptr);
        const hid_t dataset = H5Dcreate2(m_file, name, type, space, H5P_DEFAULT, m_properties, H5P_DEFAULT);
        H5Sclose(space);
        if (dataset < 0) qFatal("%s cannot be made", name);
        return dataset;
    }
    void add(const char* name, hid_t type, std::vector<hsize_t> sizes, const void* data) {
        const hid_t dataset = create(name, type, std::move(sizes));
        H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
        H5Dclose(dataset);
    }

private:
    hid_t m_file;
    hid_t m_properties = H5Pcreate(H5P_DATASET_CREATE);
};

// Sign 15, exponent 7 to 14, mantissa 0 to 6, bias 127, as h5py users make it (h5py issue 1822).
hid_t bf16Type() {
    const hid_t type = H5Tcopy(H5T_IEEE_F32LE);
    H5Tset_fields(type, 15, 7, 8, 0, 7);
    H5Tset_size(type, 2);
    H5Tset_ebias(type, 127);
    return type;
}

std::string ignoredOf(const TensorFile& file) {
    std::string all;
    for (const std::string& sentence : file.ignored()) all += sentence + "\n";
    return all;
}

}  // namespace

class TestHdf5Reader : public QObject {
    Q_OBJECT
private slots:
    void numbersOfEveryLayoutAreReadWithoutConversion() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("a.h5").toStdString();
        {
            Writer writer(path);
            const std::vector<std::uint16_t> halves{0x7E01, 0xFE02, 0x3C00, 0x0001};  // NaN payloads survive (HDF5 issue 2154)
            const hid_t half = H5Tcopy(H5T_IEEE_F32LE);
            H5Tset_fields(half, 15, 10, 5, 0, 10);
            H5Tset_size(half, 2);
            H5Tset_ebias(half, 15);
            writer.add("half", half, {2, 2}, halves.data());
            const std::vector<std::uint16_t> bf16{0x3F95, 0xC040};
            writer.add("bf16", bf16Type(), {2}, bf16.data());
            const std::vector<std::int32_t> big{1, -2};
            const hid_t dataset = writer.create("big", H5T_STD_I32BE, {2});
            H5Dwrite(dataset, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, big.data());
            H5Dclose(dataset);
            const hsize_t chunk = 4;
            H5Pset_chunk(writer.properties(), 1, &chunk);
            H5Pset_shuffle(writer.properties());
            H5Pset_deflate(writer.properties(), 6);
            H5Pset_fletcher32(writer.properties());
            const std::vector<float> values{1.0f, -0.0f, 2.0f, 3.0f, 4.0f};
            writer.add("packed", H5T_IEEE_F32LE, {5}, values.data());
        }
        const auto file = openTensorFile(path);
        QVERIFY2(file.has_value(), file ? "" : file.error().message.c_str());
        QCOMPARE(file->format(), std::string("hdf5"));
        QCOMPARE(wordsOf(*file, "half"), std::string("7e01 fe02 3c00 0001"));
        QCOMPARE(wordsOf(*file, "bf16"), std::string("3f95 c040"));
        QVERIFY(file->tensors()[*file->find("bf16")].dtype == DType::Bf16);
        QCOMPARE(wordsOf(*file, "big"), std::string("00000001 fffffffe"));
        QCOMPARE(file->tensors()[*file->find("packed")].note, std::string());  // packed is not the same as never written
        QCOMPARE(wordsOf(*file, "packed"), std::string("3f800000 80000000 40000000 40400000 40800000"));
    }

    void bf16ByAttributeAndOpaqueWordsAreNamed() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("a.h5").toStdString();
        {
            Writer writer(path);
            const std::vector<std::uint16_t> words{0x3F80};
            writer.add("u", H5T_STD_U16LE, {1}, words.data());
            const hid_t text = H5Tcopy(H5T_C_S1);
            H5Tset_size(text, 8);
            const hid_t scalar = H5Screate(H5S_SCALAR);
            const hid_t dataset = H5Dopen2(writer.file(), "u", H5P_DEFAULT);
            const hid_t attribute = H5Acreate2(dataset, "dtype", text, scalar, H5P_DEFAULT, H5P_DEFAULT);
            H5Awrite(attribute, text, "bfloat16");
            H5Aclose(attribute);
            H5Dclose(dataset);
            const hid_t opaque = H5Tcreate(H5T_OPAQUE, 2);
            writer.add("v", opaque, {1}, words.data());
        }
        const auto file = openTensorFile(path);
        QVERIFY2(file.has_value(), file ? "" : file.error().message.c_str());
        QVERIFY(file->tensors()[*file->find("u")].dtype == DType::Bf16);
        QVERIFY(file->tensors()[*file->find("v")].dtype == DType::Raw16);
        QCOMPARE(wordsOf(*file, "v"), std::string("3f80"));
    }

    void linksReferencesAndExternalDataAreListedAndNeverFollowed() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("a.h5").toStdString();
        {
            Writer writer(path);
            const std::int32_t one = 1;
            writer.add("real", H5T_STD_I32LE, {1}, &one);
            H5Lcreate_external("/etc/hostname", "/x", writer.file(), "external", H5P_DEFAULT, H5P_DEFAULT);
            H5Lcreate_soft("/loop", writer.file(), "loop", H5P_DEFAULT, H5P_DEFAULT);
            H5Lcreate_hard(writer.file(), "real", writer.file(), "twin", H5P_DEFAULT, H5P_DEFAULT);
            const hid_t group = H5Gcreate2(writer.file(), "ring", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
            H5Lcreate_hard(writer.file(), "/", group, "back", H5P_DEFAULT, H5P_DEFAULT);
            H5Gclose(group);
            const hid_t variable = H5Tvlen_create(H5T_STD_I32LE);
            H5Dclose(writer.create("variable", variable, {1}));
            H5Dclose(writer.create("reference", H5T_STD_REF_OBJ, {1}));
            H5Pset_external(writer.properties(), "/etc/hostname", 0, 4);
            H5Dclose(writer.create("outside", H5T_STD_I32LE, {1}));
        }
        const auto file = openTensorFile(path);
        QVERIFY2(file.has_value(), file ? "" : file.error().message.c_str());
        QCOMPARE(file->tensors().size(), std::size_t(1));
        const std::string ignored = ignoredOf(*file);
        VERIFY_CONTAINS(ignored, "\"external\": an external link, which is not followed");
        VERIFY_CONTAINS(ignored, "\"loop\": a soft link, which is not followed");
        VERIFY_CONTAINS(ignored, "\"twin\": a second name");
        VERIFY_CONTAINS(ignored, "\"variable\": elements of variable length, which are not followed");
        VERIFY_CONTAINS(ignored, "\"reference\": references, which are not followed");
        VERIFY_CONTAINS(ignored, "\"outside\": its data lies in external files, which are not opened");
    }

    // Public report P076: [1..5] written of 10, fill 7.
    void elementsThatWereNeverWrittenAreMarked() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("a.h5").toStdString();
        {
            Writer writer(path);
            const hsize_t chunk = 5;
            const std::int32_t fill = 7;
            H5Pset_chunk(writer.properties(), 1, &chunk);
            H5Pset_fill_value(writer.properties(), H5T_STD_I32LE, &fill);
            const hid_t dataset = writer.create("w", H5T_STD_I32LE, {10});
            const hid_t space = H5Dget_space(dataset);
            const hsize_t start = 0;
            const hsize_t count = 5;
            H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &count, nullptr);
            const hid_t memory = H5Screate_simple(1, &count, nullptr);
            const std::vector<std::int32_t> values{1, 2, 3, 4, 5};
            H5Dwrite(dataset, H5T_STD_I32LE, memory, space, H5P_DEFAULT, values.data());
            H5Sclose(memory);
            H5Sclose(space);
            H5Dclose(dataset);
        }
        const auto file = openTensorFile(path);
        QVERIFY2(file.has_value(), file ? "" : file.error().message.c_str());
        QCOMPARE(wordsOf(*file, "w"), std::string("00000001 00000002 00000003 00000004 00000005 00000007 00000007 00000007 "
                                                  "00000007 00000007"));
        VERIFY_CONTAINS(file->tensors()[0].note, "never written: those elements show the file's fill value");
    }

    // Public report P076: without a fill value and without any written chunk.
    void dataThatWasNeverWrittenAtAllIsMarked() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("a.h5").toStdString();
        {
            Writer writer(path);
            H5Dclose(writer.create("w", H5T_STD_I32LE, {2}));
        }
        const auto file = openTensorFile(path);
        QVERIFY2(file.has_value(), file ? "" : file.error().message.c_str());
        QCOMPARE(wordsOf(*file, "w"), std::string("00000000 00000000"));
        VERIFY_CONTAINS(file->tensors()[0].note, "all of it was never written: those elements show zero, no fill value is given");
    }

    // Public report P077: i32 of 10 in chunks of 4; the last chunk was stored without its filter, and its mask says so.
    void aChunkThatSkippedItsFilterIsReadAsItIs() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("a.h5").toStdString();
        {
            Writer writer(path);
            const hsize_t chunk = 4;
            H5Pset_chunk(writer.properties(), 1, &chunk);
            H5Pset_deflate(writer.properties(), 6);
            std::vector<std::int32_t> values;
            for (std::int32_t i = 0; i < 10; ++i) values.push_back(i * 0x01010101);
            writer.add("w", H5T_STD_I32LE, {10}, values.data());
            const hid_t dataset = H5Dopen2(writer.file(), "w", H5P_DEFAULT);
            const std::vector<std::int32_t> last{0x08080808, 0x09090909, 0, 0};
            const hsize_t start = 8;
            if (H5Dwrite_chunk(dataset, H5P_DEFAULT, 1, &start, 16, last.data()) < 0) qFatal("no chunk written");
            H5Dclose(dataset);
        }
        QCOMPARE(wordsOf(path, "w"), std::string("00000000 01010101 02020202 03030303 04040404 05050505 06060606 07070707 "
                                                 "08080808 09090909"));
    }

    void virtualDataForeignFiltersAndDeepGroupsAreListedAndNeverRead() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("a.h5").toStdString();
        {
            Writer writer(path);
            hid_t group = H5Gcreate2(writer.file(), "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
            for (int i = 0; i < 100; ++i) {
                const hid_t inner = H5Gcreate2(group, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
                H5Gclose(group);
                group = inner;
            }
            H5Gclose(group);
            const hsize_t chunk = 4;
            H5Pset_chunk(writer.properties(), 1, &chunk);
            H5Pset_filter(writer.properties(), 32015, H5Z_FLAG_OPTIONAL, 0, nullptr);  // zstd, a plug-in
            H5Dclose(writer.create("plugin", H5T_STD_I32LE, {4}));
        }
        {
            const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
            const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
            const hsize_t size = 4;
            const hid_t space = H5Screate_simple(1, &size, nullptr);
            H5Pset_virtual(properties, space, "/etc/hostname", "/x", space);
            H5Dclose(H5Dcreate2(file, "virtual", H5T_STD_I32LE, space, H5P_DEFAULT, properties, H5P_DEFAULT));
            H5Sclose(space);
            H5Pclose(properties);
            H5Fclose(file);
        }
        const auto file = openTensorFile(path);
        QVERIFY2(file.has_value(), file ? "" : file.error().message.c_str());
        QCOMPARE(file->tensors().size(), std::size_t(0));
        const std::string ignored = ignoredOf(*file);
        VERIFY_CONTAINS(ignored, "\"virtual\": a virtual dataset, whose sources are not opened");
        VERIFY_CONTAINS(ignored, "\"plugin\": its chunks need filter 32015");
        VERIFY_CONTAINS(ignored, "groups nested deeper than");
    }

    // A dataset may declare any size and store nothing, or unpack to a thousand times its bytes.
    void aBombIsRefusedBeforeAnythingIsAllocated() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("a.h5").toStdString();
        {
            Writer writer(path);
            const hsize_t chunk = 1024;
            H5Pset_chunk(writer.properties(), 1, &chunk);
            H5Pset_deflate(writer.properties(), 9);
            H5Dclose(writer.create("w", H5T_STD_I64LE, {hsize_t(1) << 50}));
        }
        VERIFY_CONTAINS(problemOf(path), "dataset \"w\" would take 9007199254740992 bytes of memory, expected at most 4294967296");
        const std::string wide = folder.filePath("b.h5").toStdString();
        {
            Writer writer(wide);
            const hsize_t chunk = 1 << 20;
            H5Pset_chunk(writer.properties(), 1, &chunk);
            H5Pset_deflate(writer.properties(), 9);
            const std::vector<std::uint8_t> zeros(1 << 20);
            writer.add("w", H5T_STD_U8LE, {1 << 20}, zeros.data());
        }
        OpenOptions options;
        options.unpackLimit = 1000;
        VERIFY_CONTAINS(problemOf(wide, options), "expected at most 1000");
    }

    // Public report P072. Each of these files makes some version of the library crash or ask for all memory.
    void aFileThatCrashesTheLibraryIsASentence() {
        const QDir folder(ISOBIT_SOURCE_DIR "/tests/fuzz/seeds/hdf5");
        const QStringList files = folder.entryList({"contained_*.h5"});
        QVERIFY(!files.isEmpty());
        OpenOptions options;
        options.unpackLimit = 1 << 20;
        for (const QString& name : files) {
            const auto file = openTensorFile(folder.filePath(name).toStdString(), options);
            if (!file) {
                QVERIFY2(file.error().message.find('\n') == std::string::npos, qPrintable(name));
                continue;
            }
            for (const TensorInfo& info : file->tensors()) (void)wordsOf(*file, info.name);
        }
    }

    // Public report P105.
    void twoFilesMayBeOpenedAtOnce() {
        const QTemporaryDir folder;
        const auto fileOf = [&](const char* name, float value) {
            const std::string path = folder.filePath(name).toStdString();
            Writer writer(path);
            const hsize_t chunk = 2;
            H5Pset_chunk(writer.properties(), 1, &chunk);
            H5Pset_deflate(writer.properties(), 6);
            const std::vector<float> values{value, value};
            writer.add("w", H5T_IEEE_F32LE, {2}, values.data());
            return path;
        };
        const std::string one = fileOf("one.h5", 1.0f);
        const std::string two = fileOf("two.h5", 2.0f);
        std::string wrong;
        std::thread other([&] {
            for (int i = 0; i < 20 && wrong.empty(); ++i)
                if (const std::string words = wordsOf(two, "w"); words != "40000000 40000000") wrong = words;
        });
        for (int i = 0; i < 20; ++i) {
            const std::string words = wordsOf(one, "w");
            if (words != "3f800000 3f800000") {
                other.join();
                QFAIL(words.c_str());
            }
        }
        other.join();
        QCOMPARE(wrong, std::string());
    }

    // Public report P071: nothing but the file itself is opened, a ring of soft links ends.
    void aRingOfSoftLinksEnds() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("a.h5").toStdString();
        {
            Writer writer(path);
            H5Lcreate_soft("/b", writer.file(), "a", H5P_DEFAULT, H5P_DEFAULT);
            H5Lcreate_soft("/a", writer.file(), "b", H5P_DEFAULT, H5P_DEFAULT);
        }
        const auto file = openTensorFile(path);
        QVERIFY2(file.has_value(), file ? "" : file.error().message.c_str());
        QCOMPARE(file->ignored().size(), std::size_t(2));
    }

    // Public reports P074, P106: nothing on the error stream, from any thread.
    void damageIsOneSentenceFromAnyThread() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("a.h5").toStdString();
        {
            Writer writer(path);
            const hsize_t chunk = 64;
            H5Pset_chunk(writer.properties(), 1, &chunk);
            H5Pset_fletcher32(writer.properties());
            const std::vector<std::uint8_t> values(64, 0xAB);
            writer.add("w", H5T_STD_U8LE, {64}, values.data());
        }
        QFile whole(QString::fromStdString(path));
        QVERIFY(whole.open(QIODevice::ReadOnly));
        const std::string bytes = whole.readAll().toStdString();
        std::string flipped = bytes;
        flipped[flipped.find(std::string(64, '\xAB')) + 3] ^= 1;
        const std::string bad = write(folder, "bad.h5", flipped);
        VERIFY_CONTAINS(wordsOf(bad, "w"), "the data of \"/w\" is damaged");
        std::thread([&] { VERIFY_CONTAINS(wordsOf(bad, "w"), "the data of \"/w\" is damaged"); }).join();
        for (std::size_t size = 0; size < bytes.size(); size += 97)
            QVERIFY(!problemOf(write(folder, "cut.h5", std::string_view(bytes).substr(0, size))).empty());
    }
};

QTEST_APPLESS_MAIN(TestHdf5Reader)
#include "test_hdf5_reader.moc"
