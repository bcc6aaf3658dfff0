// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/programs/fold_cache.h"
#include "core/programs/reference_programs.h"

using namespace isobit;

namespace {

// One adapter on one linear, as a trainer holds it.
struct Adapter {
    Tensor a = Tensor(DType::Fp32, {2, 3});
    Tensor b = Tensor(DType::Fp32, {4, 2});
    Tensor weight = Tensor(DType::Bf16, {4, 3});
    std::array<std::uint64_t, 3> versions{1, 1, 1};
    std::int64_t rank = 2;
    double alpha = 4;

    Adapter() {
        for (int i = 0; i < 6; ++i) a.as<float>()[i] = 0.5f + static_cast<float>(i);
        for (int i = 0; i < 8; ++i) b.as<float>()[i] = 0.25f * static_cast<float>(i);
        for (int i = 0; i < 12; ++i) weight.as<std::uint16_t>()[i] = static_cast<std::uint16_t>(0x3F00 + i);
    }
    [[nodiscard]] FoldIdentity identity() const {
        return foldIdentity(a.view(), b.view(), weight.view(), versions, rank, alpha);
    }
};

class TestFoldCache : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { m_programs = referencePrograms(**sm90Silicon()); }

    void aHitIsTheSameObject() {
        const Adapter adapter;
        FoldCache cache(FoldKey::Contents);
        const auto first = folded(cache, adapter);
        QCOMPARE(folded(cache, adapter).get(), first.get());
    }

    void aBumpedVersionAnotherRankOrAlphaMisses() {
        Adapter adapter;
        FoldCache cache(FoldKey::Versions);
        const auto first = folded(cache, adapter);
        adapter.versions[1] = 2;
        QVERIFY(cache.find(adapter.identity()) == nullptr);
        adapter.versions[1] = 1;
        adapter.rank = 1;
        QVERIFY(cache.find(adapter.identity()) == nullptr);
        adapter.rank = 2;
        adapter.alpha = 8;
        QVERIFY(cache.find(adapter.identity()) == nullptr);
    }

    // The trap of lora.md 5: a publication writes through a raw alias, no counter moves, and the fold is stale.
    void aWriteThroughAnAliasStalesTheVersionKeyAndNotTheContentKey() {
        Adapter adapter;
        FoldCache byVersion(FoldKey::Versions);
        FoldCache byContent(FoldKey::Contents);
        const auto before = folded(byVersion, adapter);
        (void)folded(byContent, adapter);
        adapter.b.as<float>()[3] = 17.0f;
        QCOMPARE(folded(byVersion, adapter).get(), before.get());  // stale
        QVERIFY(bytesOf(*folded(byContent, adapter)) != bytesOf(*before));
    }

    void invalidatingAtThePublicationBoundaryCuresTheVersionKey() {
        Adapter adapter;
        FoldCache cache(FoldKey::Versions);
        const auto before = folded(cache, adapter);
        adapter.b.as<float>()[3] = 17.0f;
        cache.invalidate();
        QVERIFY(bytesOf(*folded(cache, adapter)) != bytesOf(*before));
    }

    void aSwitchedOffCacheKeepsNothing() {
        const Adapter adapter;
        FoldCache cache(FoldKey::Contents, false);
        (void)folded(cache, adapter);
        QVERIFY(cache.find(adapter.identity()) == nullptr);
    }

    void onlyOneIsOn() {
        QVERIFY(foldCacheEnabledBy(std::nullopt));
        QVERIFY(foldCacheEnabledBy("1"));
        for (const char* off : {"0", "", "true", "2"}) QVERIFY(!foldCacheEnabledBy(off));
    }

private:
    // The fold from the cache, or computed and kept.
    std::shared_ptr<const Tensor> folded(FoldCache& cache, const Adapter& adapter) const {
        const FoldIdentity identity = adapter.identity();
        if (auto hit = cache.find(identity)) return hit;
        const OperationCall call{"lora_fold",
                                 {{"W", adapter.weight.view()}, {"A", adapter.a.view()}, {"B", adapter.b.view()}},
                                 {{"scaling", adapter.alpha / static_cast<double>(adapter.rank)}}};
        auto outputs = findProgram(m_programs, "reference:lora.fold")->run(call, {});
        return cache.keep(identity, std::make_shared<const Tensor>(std::move(outputs->at(1).tensor)));
    }
    static std::vector<std::byte> bytesOf(const Tensor& tensor) {
        return std::vector<std::byte>(tensor.bytes().begin(), tensor.bytes().end());
    }

    ProgramList m_programs;
};

}  // namespace

QTEST_APPLESS_MAIN(TestFoldCache)
#include "test_fold_cache.moc"
