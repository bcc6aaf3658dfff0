// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <cmath>
#include <limits>
#include <vector>

#include "core/capture/replay.h"

using namespace isobit;

class TestReplay : public QObject {
    Q_OBJECT
private slots:
    void equalWordsGiveAK3OfExactlyZero() {
        const float values[] = {-0.5f, -1.25f, -3.0f};
        const Replay replay = replayLogProbs(values, values);
        QCOMPARE(replay.different, std::int64_t(0));
        QVERIFY(!replay.firstDivergentToken);
        QVERIFY(replay.k3 == 0.0 && replay.largestAbsolute == 0.0f);
    }

    // d = 1: e - 2 in FP32, whatever the direction; d = -1: 1/e.
    void k3IsUnclampedAndKeepsItsDirection() {
        const float trainer[] = {-1.0f};
        const float sampler[] = {-2.0f};
        QCOMPARE(replayLogProbs(trainer, sampler).k3, double(2.71828175f - 1.0f - 1.0f));
        QCOMPARE(replayLogProbs(sampler, trainer).k3, double(0.36787945f + 1.0f - 1.0f));
        const float far[] = {-1000.0f};
        QVERIFY(replayLogProbs(far, trainer).k3 > 900.0);  // no clamp at 10 or 20
    }

    void signOfZeroAndTheLastBitAreDifferencesThatK3DoesNotSee() {
        const float trainer[] = {-1.0f, 0.0f};
        const float sampler[] = {std::nextafter(-1.0f, 0.0f), -0.0f};
        const Replay replay = replayLogProbs(trainer, sampler);
        QCOMPARE(replay.different, std::int64_t(2));
        QVERIFY(replay.firstDivergentToken == std::int64_t(0));
        QCOMPARE(replay.k3, 0.0);
    }

    void aTokensOwnNumbersAreWhatTheSumsAreMadeOf() {
        const float trainer[] = {-1.0f, -0.5f};
        const float sampler[] = {-2.0f, -0.5f};
        const ReplayToken first = replayToken(trainer[0], sampler[0]);
        QVERIFY(first.differs);
        QCOMPARE(first.difference, 1.0f);
        QCOMPARE(double(first.k3) / 2, replayLogProbs(trainer, sampler).k3);
        QVERIFY((replayToken(-0.5f, -0.5f) == ReplayToken{-0.5f, -0.5f, false, 0.0f, 0.0f}));
        QVERIFY(replayToken(0.0f, -0.0f).differs);
    }

    // Public report P031: a refactor shifted labels instead of logits.
    void wordsThatAreShiftedByOneAreCalledSo() {
        std::vector<float> trainer, sampler;
        for (int i = 0; i < 20; ++i) trainer.push_back(-0.1f * float(i + 1));
        sampler.push_back(-7.0f);
        sampler.insert(sampler.end(), trainer.begin(), trainer.end() - 1);
        const Replay replay = replayLogProbs(trainer, sampler);
        QCOMPARE(replay.different, std::int64_t(20));
        QVERIFY(replay.offset == std::int64_t(1));
        QVERIFY(replayLogProbs(sampler, trainer).offset == std::int64_t(-1));
        for (float& value : sampler) value = std::nextafter(value, 0.0f);
        QVERIFY(!replayLogProbs(trainer, sampler).offset);
    }

    // Public report P030: a sampled token with the logarithm of a masked probability.
    void aTokenThatCannotHaveBeenSampledIsCounted() {
        const float lowest = -std::numeric_limits<float>::max(), infinity = std::numeric_limits<float>::infinity();
        const float trainer[] = {-0.5f, lowest, -0.5f, 0.5f, 0.0f}, sampler[] = {-0.5f, -0.5f, -infinity, -0.5f, -0.0f};
        const Replay replay = replayLogProbs(trainer, sampler);
        QCOMPARE(replay.impossible, std::int64_t(3));
        QVERIFY(replay.firstImpossible == std::int64_t(1));
    }

    void noTokensGiveNoDivision() { QCOMPARE(replayLogProbs({}, {}).k3, 0.0); }
};

QTEST_APPLESS_MAIN(TestReplay)
#include "test_replay.moc"
