// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/contracts/trunk_linear.h"

using namespace isobit;

namespace {

DescribedModel layer() {
    return {{{"model.embed_tokens", ModuleClass::Other, DType::Bf16},
             {"model.layers.0.self_attn.qkv_proj", ModuleClass::Linear, DType::Bf16},
             {"model.layers.0.self_attn.o_proj", ModuleClass::Linear, DType::Bf16},
             {"model.layers.0.mlp.experts.3.down_proj", ModuleClass::Adapter, DType::Fp8E4M3},
             {"model.layers.0.mlp.gate", ModuleClass::Linear, DType::Bf16},
             {"lm_head", ModuleClass::Linear, DType::Bf16}}};
}

TrunkOutcome outcomeOf(const TrunkReceipt& receipt, std::size_t index) { return receipt.decisions.at(index).outcome; }

class TestTrunkLinear : public QObject {
    Q_OBJECT
private slots:
    void onlyPlainTrunkProjectionsAreWrapped() {
        const TrunkReceipt receipt = wrapTrunkLinears(layer());
        QCOMPARE(receipt.refusal, "");
        QVERIFY(receipt.armed);
        QCOMPARE(receipt.newlyWrapped, (std::map<std::string, int>{{"o_proj", 1}, {"qkv_proj", 1}}));
        QCOMPARE(outcomeOf(receipt, 0), TrunkOutcome::Skipped);
        QCOMPARE(outcomeOf(receipt, 3), TrunkOutcome::Skipped);  // experts, whatever they are
        QCOMPARE(outcomeOf(receipt, 4), TrunkOutcome::Skipped);  // the router
        QCOMPARE(outcomeOf(receipt, 5), TrunkOutcome::Skipped);  // the head
    }

    void aSecondCallFindsNothingNew() {
        DescribedModel model = layer();
        for (DescribedModule& module : model.modules)
            if (isTrunkLeaf(module.path.substr(module.path.rfind('.') + 1)) &&
                module.moduleClass == ModuleClass::Linear)
                module.moduleClass = ModuleClass::WrappedLinear;
        const TrunkReceipt receipt = wrapTrunkLinears(model);
        QVERIFY(receipt.armed);
        QVERIFY(receipt.newlyWrapped.empty());
    }

    void aRefusalLeavesEverythingUnwrapped_data() {
        QTest::addColumn<int>("moduleClass");
        QTest::addColumn<int>("dtype");
        QTest::addColumn<QString>("why");
        QTest::newRow("adapter") << int(ModuleClass::Adapter) << int(DType::Bf16) << "adapter-wrapped";
        QTest::newRow("LoRA without the lane") << int(ModuleClass::LoraLinear) << int(DType::Bf16) << "adapter-wrapped";
        QTest::newRow("subclass") << int(ModuleClass::LinearSubclass) << int(DType::Bf16) << "not a plain";
        QTest::newRow("no linear") << int(ModuleClass::Other) << int(DType::Bf16) << "not a plain";
        QTest::newRow("fp16") << int(ModuleClass::Linear) << int(DType::Fp16) << "bf16-only";
    }
    void aRefusalLeavesEverythingUnwrapped() {
        QFETCH(int, moduleClass);
        QFETCH(int, dtype);
        QFETCH(QString, why);
        DescribedModel model = layer();
        model.modules[2].moduleClass = ModuleClass(moduleClass);
        model.modules[2].weight = DType(dtype);
        const TrunkReceipt receipt = wrapTrunkLinears(model);
        QVERIFY(QString::fromStdString(receipt.refusal).startsWith("model.layers.0.self_attn.o_proj: " + why));
        QVERIFY(!receipt.armed);
        QVERIFY(receipt.newlyWrapped.empty());
        QCOMPARE(outcomeOf(receipt, 1), TrunkOutcome::Skipped);
        QCOMPARE(outcomeOf(receipt, 2), TrunkOutcome::Refused);
    }

    void theMergedForwardFoldsAPlainLoraLinear() {
        DescribedModel model = layer();
        model.modules[2].moduleClass = ModuleClass::LoraLinear;
        model.mergedLoraForward = true;
        QCOMPARE(outcomeOf(wrapTrunkLinears(model), 2), TrunkOutcome::WrappedFolded);
        model.modules[2].weight = DType::Fp8E5M2;
        QVERIFY(!wrapTrunkLinears(model).armed);
    }

    void fp32IsToleratedAsAMasterOnly() {
        DescribedModel model = layer();
        model.modules[1].weight = DType::Fp32;
        const TrunkReceipt receipt = wrapTrunkLinears(model);
        QVERIFY(receipt.armed);
        QVERIFY(receipt.decisions[1].why.find("mixed-precision master") != std::string::npos);
    }

    void theGlobalModeExcludesIt() {
        DescribedModel model = layer();
        model.globalMode = true;
        QVERIFY(wrapTrunkLinears(model).refusal.find("cannot be combined") != std::string::npos);
    }

    void aModelWithoutTrunkLinearsIsRefused() {
        DescribedModel model = layer();
        model.modules = {model.modules[0], model.modules[5]};
        QVERIFY(wrapTrunkLinears(model).refusal.find("matched no trunk linears") != std::string::npos);
    }

    void aDescriptionIsReadStrictly_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("problem");
        const auto row = [](const char* name, const char* text, const char* problem) { QTest::newRow(name) << text << problem; };
        row("list", "[]", "m.json: the document is a list of 0, expected an object");
        row("no modules", "{}", "m.json: modules: is missing, expected a list of modules");
        row("flag", R"({"global_mode": 1, "modules": []})", "m.json: global_mode is 1, expected true or false");
        row("module", R"({"modules": [3]})", "m.json: modules[0] is 3, expected an object");
        row("class", R"({"modules": [{"path": "a.q_proj", "class": "Linear", "dtype": "bf16"}]})",
            "m.json: modules[0].class is \"Linear\", expected one of linear, lora_linear, adapter, linear_subclass, "
            "wrapped_linear, other");
        row("type", R"({"modules": [{"path": "a.q_proj", "class": "linear", "dtype": "bf17"}]})",
            "m.json: modules[0].dtype: \"bf17\" is no element type");
        row("misspelt key", R"({"merged": true, "modules": []})",
            "m.json: has an unknown key \"merged\"");
        row("twice",
            R"({"modules": [{"path": "q_proj", "class": "linear", "dtype": "bf16"}, {"path": "q_proj", "class": "linear", "dtype": "bf16"}]})",
            "m.json: modules[1].path: q_proj occurs twice");
        row("no name", R"({"modules": [{"path": "", "class": "linear", "dtype": "bf16"}]})",
            "m.json: modules[0].path: is empty, expected the module's dotted name");
        row("a name that steers the terminal",
            "{\"modules\": [{\"path\": \"a\\u001b[31m\", \"class\": \"linear\", \"dtype\": \"bf16\"}]}",
            "m.json: modules[0].path is \"a\\u001b[31m\", expected a text of at most 4096 bytes without control characters");
    }
    void aDescriptionIsReadStrictly() {
        QFETCH(QString, text);
        QFETCH(QString, problem);
        const auto model = readDescribedModel(Json::parse(text.toStdString()), "m.json");
        QVERIFY(!model);
        QCOMPARE(QString::fromStdString(model.error().message), problem);
    }

    void aDescriptionSaysWhatTheRulesNeed() {
        const auto model = readDescribedModel(
            Json::parse(
                R"({"merged_lora_forward": true, "modules": [{"path": "a.q_proj", "class": "lora_linear", "dtype": "bfloat16"}]})"),
            "m.json");
        QVERIFY(model);
        QCOMPARE(outcomeOf(wrapTrunkLinears(*model), 0), TrunkOutcome::WrappedFolded);
    }
};

}  // namespace

QTEST_APPLESS_MAIN(TestTrunkLinear)
#include "test_trunk_linear.moc"
