// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace isobit::cuda {

/// How one source file of the norm kernels was compiled into this program.
struct KernelBuild {
    std::string_view name;         ///< "norm_row"
    std::string_view sourcePath;   ///< "kernels/norm_row.cu"
    std::string_view cubinSha256;  ///< of the file that the compiler writes with these flags and -cubin
    std::string_view compiler;     ///< "NVIDIA 13.0.88"
    std::string_view flags;        ///< those that can change a kernel, separated by spaces
};

/// The kernels that a timed sweep can launch, sorted by name. They are compiled for sm_90a alone and carry no PTX.
[[nodiscard]] std::span<const KernelBuild> kernelBuilds();

}  // namespace isobit::cuda
