// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "evidence/run_environment.h"

using namespace isobit;
using namespace isobit::evidence;

namespace {

ResultPredicate described(const std::vector<NamedValue>& provenance) {
    ResultPredicate predicate;
    predicate.plan.sampler.engine = "cuda";
    predicate.plan.sampler.name = "cuda:norm.v2";
    describeEnvironment(provenance, UtcSeconds{}, predicate);
    return predicate;
}

}  // namespace

class TestRunEnvironment : public QObject {
    Q_OBJECT
private slots:
    void aMeasuredRunNamesItsMachineAndTheBuildOfEachKernel() {
        const std::string digest(64, 'a');
        const auto predicate = described({{"os", "Debian GNU/Linux 12 (bookworm)"},
                                          {"vbios", "96.00.A5.00.1A"},
                                          {"warm_ups", "20"},
                                          {"replays", "11"},
                                          {"started_utc", "2026-03-01T12:00:00Z"},
                                          {"kernel.norm_row.source_path", "kernels/norm_row.cu"},
                                          {"kernel.norm_row.cubin_sha256", digest},
                                          {"kernel.norm_row.ptx_sha256", "none"},
                                          {"kernel.norm_row.compiler", "NVIDIA 13.0.88"},
                                          {"kernel.norm_row.flags", "-cubin -ftz=false"}});
        QCOMPARE(predicate.environment.os, std::string("Debian GNU/Linux 12 (bookworm)"));
        QCOMPARE(predicate.environment.vbios, std::string("96.00.A5.00.1A"));
        QCOMPARE(predicate.environment.cpu, std::string("unknown"));
        QCOMPARE(predicate.protocol.warmUps, std::uint64_t(20));
        QCOMPARE(predicate.claimedStartedUtc, std::string("2026-03-01T12:00:00Z"));
        QCOMPARE(predicate.kernels.size(), std::size_t(1));
        const KernelBuild& kernel = predicate.kernels[0];
        QCOMPARE(kernel.name, std::string("norm_row"));
        QCOMPARE(kernel.sourcePath, std::string("kernels/norm_row.cu"));
        QCOMPARE(kernel.cubinSha256, digest);
        QCOMPARE(kernel.ptxSha256, std::string("none"));
        QCOMPARE(kernel.flags, (std::vector<std::string>{"-cubin", "-ftz=false"}));
    }

    void aRunThatSaysNothingOfItsKernelsNamesTheProgramAndWhatIsUnknown() {
        const auto predicate = described({{"kernel", "Linux 6.1.0"}});
        QCOMPARE(predicate.environment.kernel, std::string("Linux 6.1.0"));
        QCOMPARE(predicate.kernels.size(), std::size_t(1));
        QCOMPARE(predicate.kernels[0].name, std::string("cuda:norm.v2"));
        QCOMPARE(predicate.kernels[0].cubinSha256, std::string("unknown"));
        QVERIFY(predicate.kernels[0].flags.empty());
    }

    void aDigestThatIsNoneIsNotTakenOver() {
        const auto predicate = described({{"kernel.k.cubin_sha256", "ABC"}, {"kernel.k.source_path", "../../etc"}});
        QCOMPARE(predicate.kernels[0].cubinSha256, std::string("unknown"));
        QCOMPARE(predicate.kernels[0].sourcePath, std::string("kernels"));
    }
};

QTEST_APPLESS_MAIN(TestRunEnvironment)
#include "test_run_environment.moc"
