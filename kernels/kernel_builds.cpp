// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/kernel_builds.h"

namespace isobit::cuda {

std::span<const KernelBuild> kernelBuilds() {
    static constexpr KernelBuild kBuilds[] = {
#include "kernel_builds.inc"
    };
    return kBuilds;
}

}  // namespace isobit::cuda
