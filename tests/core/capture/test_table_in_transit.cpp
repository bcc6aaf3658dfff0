// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTemporaryDir>
#include <QTest>

#include "core/arithmetic/rope.h"
#include "core/arithmetic/rope_table.h"
#include "core/capture/walk.h"
#include "core/numeric/word.h"
#include "tests/support/captures.h"

using namespace isobit;

namespace {

using Words = std::vector<std::uint16_t>;

constexpr std::int64_t kTokens = 24, kHeads = 2, kSize = 32;

/// A decoder of four layers whose counts of Class-B calls are the same on both sides: what it captures of each layer, a
/// wrapper's cast or not.
class Decoder {
public:
    explicit Decoder(std::string_view rope) : m_rope(findRope(rope)->arithmetic) {
        RopeTableRecipe recipe;
        recipe.frequencies.headSize = kSize;
        recipe.builder = TableBuilder::Device;
        recipe.length = 1000 + kTokens;
        m_table = *buildRopeTable(recipe);
    }

    [[nodiscard]] test::Capture run() const {
        test::Capture capture;
        Words hidden(kTokens * kHeads * kSize);
        for (std::size_t i = 0; i < hidden.size(); ++i)
            hidden[i] = static_cast<std::uint16_t>((i * 7 % 2) << 15 | (0x3F00 + i * 37 % 256));
        capture.add("embed", "BF16", {kTokens, kHeads * kSize}, hidden);
        for (std::int64_t layer = 0; layer < 4; ++layer) {
            const std::string prefix = fmt::format("layers.{:02}.", layer);
            const Words rotated = rotate(hidden, layer);
            capture.add(prefix + "q_norm", "BF16", {kTokens, kHeads, kSize}, hidden);
            capture.add(prefix + "q_rope", "BF16", {kTokens, kHeads, kSize}, rotated);
            for (std::size_t i = 0; i < hidden.size(); ++i)
                hidden[i] = bf16Bits(bf16Value(hidden[i]) + 0.5f * bf16Value(rotated[i]));
            capture.add(prefix + "hidden", "BF16", {kTokens, kHeads * kSize}, hidden);
        }
        return capture;
    }

private:
    [[nodiscard]] Words rotate(const Words& x, std::int64_t layer) const {
        Words out(x.size());
        const std::int64_t first = 1000 * m_table.half();
        evaluateRope(m_rope, {kTokens, kHeads, kSize, kSize, x.data(), kHeads * kSize, kSize,
                              m_table.cosine.data() + first, m_table.sine.data() + first, layer, out.data()});
        return out;
    }

    RopeArithmetic m_rope;
    RopeTable m_table;
};

class TestTableInTransit : public QObject {
    Q_OBJECT
private slots:
    void dumpsAloneNameTheFirstLayerWhoseTableWasRounded() {
        const QTemporaryDir folder;
        const auto trainer = test::open(Decoder("rope.class_b.table_downcast_from_2").run(), folder);
        const auto sampler = test::open(Decoder("rope.class_b").run(), folder);
        const auto walk = walkCaptures(trainer, sampler, builtInGraph(), {});
        QVERIFY2(walk, walk ? "" : walk.error().message.c_str());
        const WalkStep& first = walk->steps.at(*walk->firstDivergence);
        QCOMPARE(first.pair.name, std::string("layers.02.q_rope"));
        QCOMPARE(first.role, Role::Culprit);
        QCOMPARE(first.captureNext, (std::vector<std::string>{"table", "positions"}));
        QVERIFY(first.comparison.different > 0);
        for (const WalkStep& step : walk->steps)
            if (step.pair.name == "layers.03.q_rope") QVERIFY(step.role != Role::Culprit);
    }

    // DeepSpeed #8066, PyTorch #146114: four ways to load one model, two tables. The buffers' types are the whole
    // answer.
    void aBufferOfAnotherTypeIsNamed() {
        const QTemporaryDir folder;
        const auto wide =
            test::open(test::Capture().add("rotary_emb.inv_freq", "F32", {2}, std::vector<float>{1.0f, 0.5f}), folder);
        const auto cast =
            test::open(test::Capture().add("rotary_emb.inv_freq", "BF16", {2}, Words{0x3F80, 0x3F00}), folder);
        const auto walk = walkCaptures(wide, cast, builtInGraph(), {});
        QCOMPARE(walk->steps.at(0).status, TensorStatus::NotComparable);
        QCOMPARE(walk->steps.at(0).reason, "the trainer's is float32, the sampler's bfloat16");
    }

    void withoutTheCastNothingDiffers() {
        const QTemporaryDir folder;
        const auto one = test::open(Decoder("rope.class_b").run(), folder);
        const auto other = test::open(Decoder("rope.class_b").run(), folder);
        QVERIFY(!walkCaptures(one, other, builtInGraph(), {})->firstDivergence);
    }
};

}  // namespace

QTEST_APPLESS_MAIN(TestTableInTransit)
#include "test_table_in_transit.moc"
