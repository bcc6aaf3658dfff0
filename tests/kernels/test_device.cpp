// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "kernels/device.h"

using namespace isobit;
using namespace isobit::cuda;

namespace {

// Of the CUDA 13.0 runtime (driver_types.h).
constexpr CudaStatus kMemoryAllocation = 2;
constexpr CudaStatus kInsufficientDriver = 35;
constexpr CudaStatus kNoDevice = 100;
constexpr CudaStatus kNvlinkUncorrectable = 220;
constexpr CudaStatus kIllegalAddress = 700;
constexpr CudaStatus kLaunchFailure = 719;
constexpr CudaStatus kSystemDriverMismatch = 803;

constexpr int kCuda13 = 13000;

QString textOf(const Error& error) { return QString::fromStdString(error.message); }

}  // namespace

class TestDevice : public QObject {
    Q_OBJECT
private slots:
    void aMachineWithoutADriverIsToldSo() {
        QCOMPARE(textOf(discoveryError(kInsufficientDriver, 0, kCuda13)),
                 QString("no NVIDIA driver is loaded on this machine"));
    }

    void anOldDriverIsNamedWithBothVersions() {
        QCOMPARE(textOf(discoveryError(kInsufficientDriver, 12040, kCuda13)),
                 QString("the NVIDIA driver supports CUDA 12.4, and this build needs 13.0"));
    }

    void aDriverWithoutAGpuIsToldSo() {
        QCOMPARE(textOf(discoveryError(kNoDevice, kCuda13, kCuda13)),
                 QString("the NVIDIA driver shows no GPU to this process"));
    }

    void anyOtherStatusIsNamedWithWhatWasDone() {
        const QString text = textOf(discoveryError(kSystemDriverMismatch, kCuda13, kCuda13));
        QVERIFY2(text.contains("(cudaErrorSystemDriverMismatch) while looking for a GPU"), qPrintable(text));
    }

    void onlyHopperIsTaken() {
        QVERIFY(requireHopper("NVIDIA H200", 9, 0));
        for (const auto& [gpu, major, minor] :
             {std::tuple("NVIDIA A100", 8, 0), std::tuple("NVIDIA L40S", 8, 9), std::tuple("NVIDIA B200", 10, 0)}) {
            const auto refused = requireHopper(gpu, major, minor);
            QVERIFY(!refused);
            QCOMPARE(textOf(refused.error()), QString("%1 has compute capability %2.%3, and the kernels of this build "
                                                      "are for 9.0 (Hopper)")
                                                  .arg(gpu)
                                                  .arg(major)
                                                  .arg(minor));
        }
    }

    void missingMemoryIsCounted() {
        QCOMPARE(textOf(memoryError(268435456, 1048576, 150754820096)),
                 QString("268435456 bytes of GPU memory were asked for and 1048576 of 150754820096 are free"));
    }

    void aStatusThatPoisonsTheProcessSaysSo() {
        for (const CudaStatus status : {kIllegalAddress, kLaunchFailure, kNvlinkUncorrectable})
            QVERIFY(textOf(errorOf(status, "running a kernel")).endsWith("; this process cannot use the GPU any more"));
        QCOMPARE(textOf(errorOf(kMemoryAllocation, "making a stream")),
                 QString("the GPU reported 'out of memory' (cudaErrorMemoryAllocation) while making a stream"));
    }
};

QTEST_APPLESS_MAIN(TestDevice)
#include "test_device.moc"
