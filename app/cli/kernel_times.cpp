// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/kernel_times.h"

#ifdef ISOBIT_HAVE_CUDA
#include "kernels/gemm_measurement.h"
#include "kernels/head_measurement.h"
#include "kernels/norm_measurement.h"
#endif

namespace isobit::cli {

Result<Measurement> timeKernels(const Run& run, const KernelTimesOptions& options) {
#ifdef ISOBIT_HAVE_CUDA
    if (run.plan.operation == "gemm") {
        cuda::GemmMeasurementOptions measurement;
        measurement.cellFinished = options.cellFinished;
        return cuda::measureGemms(run, measurement);
    }
    if (run.plan.operation == "lm_head") {
        cuda::HeadMeasurementOptions measurement;
        measurement.cellFinished = options.cellFinished;
        return cuda::measureHeads(run, measurement);
    }
    cuda::NormMeasurementOptions measurement;
    measurement.protocol.calls = options.calls;
    measurement.protocol.replays = options.replays;
    measurement.protocol.programmatic = !options.serial;
    measurement.coldSamples = options.coldSamples;
    measurement.cellFinished = options.cellFinished;
    return cuda::measureNorms(run, measurement);
#else
    (void)run, (void)options;
    return failure("this build has no CUDA engine: it was configured without a CUDA toolkit");
#endif
}

}  // namespace isobit::cli
