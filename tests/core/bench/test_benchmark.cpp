// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/bench/benchmark.h"

using namespace isobit;

class TestBenchmark : public QObject {
    Q_OBJECT
private slots:
    void aPassWithAClockOfItsOwnIsRatedByThatClock() {
        const Benchmark benchmark{"fake", "GB/s", "ten units in two seconds of a clock of its own",
                                  []() -> Result<BenchmarkPass> { return [] { return BenchmarkWork(10.0, 2.0); }; }};
        const auto rate = measureRate(benchmark);
        QVERIFY(rate);
        QCOMPARE(*rate, 5.0);
    }

    void whatCannotBePreparedIsAnError() {
        const Benchmark benchmark{"fake", "GB/s", "no machine has it",
                                  []() -> Result<BenchmarkPass> { return failure("there is no such machine"); }};
        const auto rate = measureRate(benchmark);
        QVERIFY(!rate);
        QCOMPARE(rate.error().message, std::string("there is no such machine"));
    }

    void aPassThatFailsIsAnError() {
        const Benchmark benchmark{"fake", "GB/s", "breaks in its second pass", []() -> Result<BenchmarkPass> {
                                      return [passes = 0]() mutable -> Result<BenchmarkWork> {
                                          if (++passes == 2) return failure("the machine broke");
                                          return BenchmarkWork(1.0, 1.0);
                                      };
                                  }};
        const auto rate = measureRate(benchmark);
        QVERIFY(!rate);
        QCOMPARE(rate.error().message, std::string("the machine broke"));
    }

    void everyBenchmarkHasANameOfItsOwnAndAMethod() {
        QStringList names;
        for (const Benchmark& one : benchmarks()) {
            QVERIFY(!one.method.empty() && !one.unit.empty());
            names << QString::fromUtf8(one.name.data(), static_cast<qsizetype>(one.name.size()));
        }
        QCOMPARE(names.removeDuplicates(), 0);
    }
};

QTEST_APPLESS_MAIN(TestBenchmark)
#include "test_benchmark.moc"
