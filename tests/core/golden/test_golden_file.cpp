// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTemporaryDir>
#include <QTest>

#include "core/base/atomic_file.h"
#include "core/base/json.h"
#include "core/golden/golden_file.h"

using namespace isobit;

namespace {

Json goodDocument() {
    return Json::parse(R"({"format": "isobit.golden/1", "cases": [{
        "name": "one", "operation": "qk_norm", "arithmetic": "norm.v2", "status": "contract",
        "parameters": {"epsilon": "1e-6", "head_dim": 4, "scaling": "2/3", "pairing": "half_split", "temperature": null},
        "inputs": {
            "packed": {"generator": "bf16", "shape": [2, 12], "seed": 5, "exponent_lo": 118, "exponent_hi": 127},
            "x": {"view_of": "packed", "columns": 8}},
        "outputs": {"out": {"sha256": "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff",
                            "shape": [2, 8], "dtype": "bfloat16"}}}]})");
}

class TestGoldenFile : public QObject {
    Q_OBJECT
private slots:
    void aCaseIsReadWithItsViewsAndParameters() {
        const auto file = read(goodDocument());
        QVERIFY2(file.has_value(), file ? "" : file.error().message.c_str());
        const GoldenCase& golden = file->cases.at(0);
        QCOMPARE(golden.parameters.at("epsilon"), 1e-6);
        QCOMPARE(golden.parameters.at("scaling"), 2.0 / 3.0);
        QCOMPARE(golden.choices.at("pairing"), std::string("half_split"));
        QVERIFY(!golden.parameters.contains("temperature"));
        QCOMPARE(golden.inputs.at(1).viewOf, std::string("packed"));
        QCOMPARE(golden.inputs.at(1).columns, std::int64_t(8));
    }

    void whatIsWrongIsNamedInOneSentence() {
        const auto refuses = [&](const char* pointer, const Json& value, const char* words) {
            Json document = goodDocument();
            document[Json::json_pointer(pointer)] = value;
            const auto file = read(document);
            QVERIFY2(!file, pointer);
            QVERIFY2(file.error().message.find(words) != std::string::npos, file.error().message.c_str());
            QVERIFY(file.error().message.find('\n') == std::string::npos);
        };
        refuses("/format", "isobit.golden/2", "\"format\" is not");
        refuses("/cases", 3, "\"cases\" is not a list");
        refuses("/cases/0/operation", "frobnicate", "case one: operation \"frobnicate\" is not known");
        refuses("/cases/0/status", "sure", "status \"sure\" is not known");
        refuses("/cases/0/inputs/packed/generator", "random", "random");
        refuses("/cases/0/inputs/packed/shape", Json({0, 12}), "expected sizes of 1 or more");
        refuses("/cases/0/inputs/packed/shape", Json({1ll << 40, 1ll << 40}), "more than");
        refuses("/cases/0/inputs/packed/seed", -1, "expected 0 to");
        refuses("/cases/0/inputs/packed/exponent_hi", 300, "expected 118 to 255");
        refuses("/cases/0/inputs/x/view_of", "nothing", "is not a view of columns");
        refuses("/cases/0/inputs/x/columns", 13, "is not a view of columns");
        refuses("/cases/0/outputs/out/sha256", "00", "64 lower-case hexadecimal digits");
        refuses("/cases/0/outputs/out/dtype", "bfloat17", "bfloat17");
        refuses("/cases/0/parameters/epsilon", Json::array(), "parameter \"epsilon\"");
    }

    void aMissingFileIsOneSentence() {
        const auto file = readGoldenFile("/nonexistent/golden.json");
        QVERIFY(!file && file.error().message.starts_with("/nonexistent/golden.json: cannot be opened"));
    }

private:
    Result<GoldenFile> read(const Json& document) {
        const std::string path = m_folder.filePath("golden.json").toStdString();
        if (const auto written = writeTextAtomically(path, document.dump()); !written) return failureOf(written);
        return readGoldenFile(path);
    }
    QTemporaryDir m_folder;
};

}  // namespace

QTEST_APPLESS_MAIN(TestGoldenFile)
#include "test_golden_file.moc"
