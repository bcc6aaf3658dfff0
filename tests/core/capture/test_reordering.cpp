// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/capture/reordering.h"

#include "tests/support/tensor_files.h"

using namespace isobit;
using namespace isobit::test;

namespace {

std::string sentenceOf(const std::string& trainerPath, const std::string& samplerPath) {
    const auto trainer = openTensorFile(trainerPath);
    const auto sampler = openTensorFile(samplerPath);
    if (!trainer || !sampler) qFatal("a file cannot be opened");
    const auto pair = PairWords::of(*trainer, *sampler, pairTensors(*trainer, *sampler, builtInGraph()).front());
    if (!pair) qFatal("%s", pair.error().message.c_str());
    return reorderingOf(*pair).value();
}

std::string file(const QTemporaryDir& folder, const char* name, const std::vector<std::uint16_t>& words, const char* shape) {
    const std::string header =
        fmt::format(R"({{"w":{{"dtype":"BF16","shape":{},"data_offsets":[0,{}]}}}})", shape, 2 * words.size());
    return write(folder, name, safetensors(header, bytesOfAll(words)));
}

}  // namespace

class TestReordering : public QObject {
    Q_OBJECT
private slots:
    // Public report P060.
    void aFortranWriteIsNamedWhicheverSideItIs() {
        const std::string a = caseFile("st_corder_a.safetensors");
        const std::string b = caseFile("st_corder_b_fortran_bytes.safetensors");
        VERIFY_CONTAINS(sentenceOf(a, b), "the same words in another order: one side is the other in column-major order");
        VERIFY_CONTAINS(sentenceOf(b, a), "column-major order");
    }

    void threeDimensionsAreReversed() {
        const QTemporaryDir folder;
        std::vector<std::uint16_t> rows, columns;
        for (int i = 0; i < 24; ++i) rows.push_back(std::uint16_t(i));
        for (int k = 0; k < 4; ++k)
            for (int j = 0; j < 3; ++j)
                for (int i = 0; i < 2; ++i) columns.push_back(std::uint16_t(12 * i + 4 * j + k));
        VERIFY_CONTAINS(sentenceOf(file(folder, "a", rows, "[2,3,4]"), file(folder, "b", columns, "[2,3,4]")), "column-major");
        std::swap(columns[22], columns[23]);
        QCOMPARE(sentenceOf(file(folder, "a", rows, "[2,3,4]"), file(folder, "b", columns, "[2,3,4]")),
                 std::string("the same words in another order"));
    }

    void otherWordsAreNoOrder() {
        const QTemporaryDir folder;
        const std::string a = file(folder, "a", {1, 2, 3, 4}, "[2,2]");
        QCOMPARE(sentenceOf(a, file(folder, "b", {1, 2, 3, 5}, "[2,2]")), std::string());
        QCOMPARE(sentenceOf(a, file(folder, "c", {1, 1, 4, 4}, "[2,2]")), std::string());  // the same sum of the words
        QCOMPARE(sentenceOf(file(folder, "d", {1, 2, 3, 4}, "[4]"), file(folder, "e", {4, 3, 2, 1}, "[4]")),
                 std::string("the same words in another order"));
    }
};

QTEST_APPLESS_MAIN(TestReordering)
#include "test_reordering.moc"
