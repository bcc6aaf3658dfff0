// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <atomic>
#include <vector>

#include "core/base/parallel.h"

using namespace isobit;

class TestParallel : public QObject {
    Q_OBJECT
private slots:
    void everyIndexIsVisitedOnceForAnyNumberOfThreads() {
        for (const unsigned threads : {0u, 1u, 3u, 64u}) {
            std::vector<std::atomic<int>> visits(1000);
            QVERIFY(parallelFor(visits.size(), threads, [&](std::size_t i) { visits[i]++; }));
            for (const auto& count : visits) QCOMPARE(count.load(), 1);
        }
        QVERIFY(parallelFor(0, 4, [](std::size_t) { QFAIL("called for no index"); }));
    }

    void aStopLeavesTheRestOutAndSaysSo() {
        std::stop_source source;
        std::atomic<int> done{0};
        QVERIFY(!parallelFor(1000, 2, [&](std::size_t) { if (++done == 5) source.request_stop(); }, source.get_token()));
        QVERIFY(done < 1000);
    }
};

QTEST_APPLESS_MAIN(TestParallel)
#include "test_parallel.moc"
