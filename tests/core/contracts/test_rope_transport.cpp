// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/contracts/rope_transport.h"

using namespace isobit;

namespace {

WrappedModule unit(std::string path, std::vector<WrappedModule> modules = {}) {
    WrappedModule module;
    module.path = std::move(path);
    module.parameters = DType::Bf16;
    module.modules = std::move(modules);
    return module;
}

WrappedModule attention(std::string path) {
    WrappedModule module;
    module.path = std::move(path);
    module.appliesRope = true;
    return module;
}

/// The public case: the root builds the table, each decoder layer is a shard unit of its own. Layers 0 and 1 are not
/// wrapped.
TransportDescription nested() {
    TransportDescription description;
    description.build = {RopeFamily::Generic, true, true};
    description.table.frequencies.headSize = 64;
    description.table.builder = TableBuilder::Device;
    description.table.length = 64;
    description.root = unit("model");
    for (const char* layer : {"layers.0", "layers.1"}) description.root.modules.push_back(attention(layer));
    for (const char* layer : {"layers.2", "layers.3", "layers.4"})
        description.root.modules.push_back(unit(layer, {attention(std::string(layer) + ".attention")}));
    return description;
}

void exempt(TransportDescription& description) {
    for (WrappedModule& module : description.root.modules) module.exemptForClassB = true;
}

TransportReport simulate(const TransportDescription& description) { return *simulateTransport(description); }

class TestRopeTransport : public QObject {
    Q_OBJECT
private slots:
    void aNestedUnitRoundsTheTableFromItsLayerOn() {
        const TransportReport report = simulate(nested());
        QVERIFY(!report.holds());
        QCOMPARE(report.arrivals.size(), std::size_t(5));
        for (std::size_t layer = 0; layer < 2; ++layer) {
            QCOMPARE(report.arrivals[layer].problem, "");
            QCOMPARE(report.arrivals[layer].wordsChanged, std::uint64_t(0));
            QCOMPARE(report.arrivals[layer].table.sha256, report.built.sha256);
        }
        QCOMPARE(report.firstProblem()->layer, std::int64_t(2));
        QCOMPARE(TransportReport::culpritOf(*report.firstProblem()), "layers.2");
        QCOMPARE(report.firstProblem()->table.cosine, DType::Bf16);
        QVERIFY(report.firstProblem()->wordsChanged > 3000);
        QCOMPARE(report.firstProblem()->problem,
                 "rope: cos is bfloat16 and sin is bfloat16, but Class B needs both in float32: a mixed-precision "
                 "wrapper probably downcast them");
        QCOMPARE(report.arrivals[4].table.provenance.transport,
                 (std::vector<RopeTableCast>{{"layers.4", "cos, sin", DType::Fp32, DType::Bf16}}));
    }

    void theExemptionOfEachUnitCuresIt() {
        TransportDescription description = nested();
        exempt(description);
        const TransportReport report = simulate(description);
        QVERIFY(report.holds());
        QCOMPARE(report.exempt, (std::vector<std::string>{"layers.2", "layers.3", "layers.4"}));
        for (const RopeTableArrival& arrival : report.arrivals) QCOMPARE(arrival.table.cosine, DType::Fp32);
    }

    // With Class B off, a decoder's policy keeps casting its inputs.
    void withoutClassBTheCastStaysOn() {
        TransportDescription description = nested();
        exempt(description);
        description.build.classB = false;
        const TransportReport report = simulate(description);
        QVERIFY(report.holds());
        QVERIFY(report.exempt.empty());
        QCOMPARE(report.arrivals[3].table.cosine, DType::Bf16);
    }

    void switchingTheCastOffIsAsGood() {
        TransportDescription description = nested();
        for (WrappedModule& module : description.root.modules) module.castsForwardInputs = false;
        QVERIFY(simulate(description).holds());
    }

    void oneUnitForgottenIsNamed() {
        TransportDescription description = nested();
        exempt(description);
        description.root.modules[3].exemptForClassB = false;
        const TransportReport report = simulate(description);
        QCOMPARE(report.firstProblem()->path, "layers.3.attention");
        QCOMPARE(TransportReport::culpritOf(*report.firstProblem()), "layers.3");
    }

    // A type of FP32 on arrival proves nothing: the words are those of the rounded table.
    void wideningBackRestoresNothing() {
        TransportDescription description = nested();
        WrappedModule full = unit("layers.2.attention_fp32", {attention("layers.2.attention")});
        full.parameters = DType::Fp32;
        description.root.modules[2].modules = {full};
        const TransportReport report = simulate(description);
        const RopeTableArrival& arrival = report.arrivals[2];
        QCOMPARE(arrival.table.cosine, DType::Fp32);
        QCOMPARE(arrival.table.provenance.transport.size(), std::size_t(2));
        QCOMPARE(arrival.problem,
                 "rope: the table is float32, but layers.2 rounded cos, sin to bfloat16 on its way: Class B needs the "
                 "words that were built");
        QVERIFY(arrival.table.sha256 != report.built.sha256);
    }

    // The three ways in which a model's load may or may not reach its buffer of frequencies.
    void aModelWideCastReachesFrequenciesThatAreABuffer() {
        TransportDescription description = nested();
        exempt(description);
        description.modelCast = DType::Bf16;
        QVERIFY(simulate(description).holds());
        description.frequenciesAreImmune = false;
        const TransportReport report = simulate(description);
        QCOMPARE(report.firstProblem()->layer, std::int64_t(0));
        QCOMPARE(TransportReport::culpritOf(*report.firstProblem()), "model.to(bfloat16)");
        QVERIFY(report.firstProblem()->wordsChanged > 0);
        description.modelCast = DType::Fp32;
        QVERIFY(simulate(description).holds());
    }

    void aRefusedBuildTouchesNothing() {
        TransportDescription description = nested();
        description.build.native = false;
        const TransportReport report = simulate(description);
        QVERIFY(!report.holds());
        QVERIFY(report.refusal.find("without native") != std::string::npos);
        QVERIFY(report.arrivals.empty());
        QCOMPARE(report.built.sha256, "");
    }

    void theBoundaryTakesOnlyWhatWasBuiltAndSaysHow() {
        const RopeTable table = *buildRopeTable(nested().table);
        ArrivedRopeTable arrived{DType::Fp32, DType::Fp32, table.sha256(), provenanceOf(table)};
        QVERIFY(checkClassBTable(arrived));
        ArrivedRopeTable unnamed = arrived;
        unnamed.provenance.builder.clear();
        QCOMPARE(checkClassBTable(unnamed).error().message,
                 "rope: the table does not say how it was built: Class B needs a certified one");
        arrived.sha256 = std::string(64, '0');
        QVERIFY(checkClassBTable(arrived).error().message.find("was built") != std::string::npos);
    }

    void aDescriptionIsReadAsWritten() {
        const Json document = Json::parse(R"({"format": "isobit.rope_transport/1", "family": "sparse",
            "table": {"head_size": 64, "length": 16},
            "root": {"name": "m", "modules": [{"name": "l", "count": 3, "param_dtype": "bf16", "class_b_exempt": true,
                                               "modules": [{"name": "a", "rope": true}]}]}})");
        const auto description = readTransport(document, "t.json");
        QVERIFY2(description, description ? "" : description.error().message.c_str());
        QCOMPARE(description->table.builder, TableBuilder::Device);  // the family's
        QCOMPARE(description->root.modules.size(), std::size_t(3));
        QCOMPARE(description->root.modules[2].modules[0].path, "m.l.2.a");
        QVERIFY(simulate(*description).holds());
    }

    void aBadDescriptionIsOneSentence_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("problem");
        const auto row = [](const char* name, const QString& rest, const char* problem) {
            QTest::newRow(name) << "{\"format\": \"isobit.rope_transport/1\"" + rest + "}" << problem;
        };
        QTest::newRow("list") << "[]"
                              << "t.json: \"format\" is not \"isobit.rope_transport/1\"";
        row("no root", "", "t.json: \"root\" is missing");
        row("unknown key", ", \"rooot\": 1", "t.json: the description: key \"rooot\" is not known");
        row("no apply", ", \"root\": {\"name\": \"m\"}",
            "t.json: no module has \"rope\": true: nothing applies the table");
        row("type", ", \"table\": {\"type\": \"ntk\"}",
            "t.json: the table: type \"ntk\" is not known; there are default, linear, dynamic, yarn, longrope, llama3");
        row("length", ", \"table\": {\"length\": 1.5}",
            "t.json: the table: \"length\" is 1.5, expected a whole number");
        row("table", ", \"table\": 3", "t.json: the table is not an object");
        row("dtype", ", \"root\": {\"name\": \"m\", \"param_dtype\": \"int8\", \"rope\": true}",
            "t.json: m: \"param_dtype\" is \"int8\", expected bfloat16, float16 or float32");
        row("count", ", \"root\": {\"name\": \"m\", \"modules\": [{\"name\": \"l\", \"count\": 0}]}",
            "t.json: m: module 0: \"count\" is 0, expected 1 to 1024");
        row("too many",
            ", \"root\": {\"name\": \"m\", \"modules\": [{\"name\": \"l\", \"count\": 1024, \"modules\": [{\"name\": "
            "\"k\", "
            "\"count\": 1024}]}]}",
            "t.json: more than 4096 modules");
        row("no name", ", \"root\": {\"rope\": true}", "t.json: module 0: \"name\" is missing");
        row("two roots", ", \"root\": {\"name\": \"m\", \"count\": 2, \"rope\": true}",
            "t.json: \"root\" has a \"count\", but there is one root");
        row("flag", ", \"class_b\": 1", "t.json: the description: \"class_b\" is neither true nor false");
        row("family", ", \"family\": \"llama\"",
            "t.json: family \"llama\" is not known; there are generic, dense, sparse");
    }
    void aBadDescriptionIsOneSentence() {
        QFETCH(QString, text);
        QFETCH(QString, problem);
        const auto description = readTransport(Json::parse(text.toStdString()), "t.json");
        QVERIFY(!description);
        QCOMPARE(QString::fromStdString(description.error().message), problem);
    }
};

}  // namespace

QTEST_APPLESS_MAIN(TestRopeTransport)
#include "test_rope_transport.moc"
