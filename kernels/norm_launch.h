// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// Between norm.cpp (host logic, standard containers) and the .cu files (kernels and their launchers): plain data only.
namespace isobit::cuda {

/// A stream of the CUDA runtime, kept opaque so that host code needs no CUDA header.
using StreamHandle = void*;
/// cudaError_t as a number; 0 is success.
using CudaStatus = int;

/// One RMSNorm on the device. Strides count elements; columns are contiguous. Residual pointers are null together.
struct NormArguments {
    const void* x = nullptr;         // [rows, columns] bf16
    const void* residual = nullptr;  // [rows, columns] bf16, or null
    const void* weight = nullptr;    // [columns] bf16, or fp32 if weightIsFp32
    void* out = nullptr;             // [rows, columns] bf16
    void* residualOut = nullptr;     // [rows, columns] bf16, or null
    std::int64_t xStride = 0;
    std::int64_t residualStride = 0;
    std::int64_t outStride = 0;
    std::int64_t residualOutStride = 0;
    std::int64_t rows = 0;
    std::int32_t columns = 0;
    float epsilon = 0.0f;
    bool zeroCentered = false;
    bool weightIsFp32 = false;
};

/// How a launch is put on the stream.
struct LaunchOptions {
    StreamHandle stream = nullptr;
    /// Programmatic dependent launch: this grid may start while the one before it ends. The weight is then read before
    /// the wait, so the kernel before must not write it.
    bool programmatic = false;
};

/// When a row kernel lets the next grid of a programmatic chain start. Early hides more of its start; late keeps its
/// waiting blocks off the multiprocessors while this grid's loads are under way.
enum class DependentsStart { First, AfterLoads, BeforeLastStores };

/// Geometry of the row kernel: a row is held by `cluster` blocks of `threads` threads, each thread `vectors` times 8
/// columns. cluster = 1: one block a row.
struct RowGeometry {
    int threads = 0;
    int vectors = 0;
    int cluster = 1;
    DependentsStart dependents = DependentsStart::First;
    bool streaming = false;  ///< results leave the L2 cache before inputs that have not been read yet
};

/// True if the row kernel was built with that geometry (for 16-byte accesses, or for any alignment).
bool rowGeometryExists(RowGeometry geometry, bool aligned);
/// rows may be any number; columns <= threads * vectors * 8 * cluster. Aligned: all pointers and strides are multiples
/// of 16 bytes, columns of 8, and the weight is bf16.
CudaStatus launchRowNorm(const NormArguments& arguments, RowGeometry geometry, bool aligned, LaunchOptions options);
/// One block a row, any number of columns, two passes over memory.
CudaStatus launchStreamNorm(const NormArguments& arguments, bool aligned, LaunchOptions options);
/// A few lanes of a warp a row, columns <= 256; out may be x. Rows are columns apart within groups of `heads` rows,
/// which are xStride (outStride) apart: the packed projection of QK norm. heads = 1 is the plain row norm.
CudaStatus launchNarrowNorm(const NormArguments& arguments, std::int64_t heads, bool aligned, LaunchOptions options);
/// The factorised tree: one launch for the sums of 512-column tiles, one for the rest. `partials`: fp32
/// [rows, ceil(columns / 512)].
CudaStatus launchSplitNorm(const NormArguments& arguments, float* partials, bool aligned, LaunchOptions options);

/// Which kill-switch reference: norm.md 3 and 4.
enum class V1Family { SquareRootThenReciprocal = 1, ReciprocalSquareRoot = 2 };
/// `width`: columns a thread owns in a run, 1, 2, 4 or 8.
CudaStatus launchV1Norm(const NormArguments& arguments, V1Family family, int width, LaunchOptions options);

/// What the compiler gave a kernel.
struct KernelResources {
    int registers = 0;
    int sharedBytes = 0;
    int localBytes = 0;  ///< spills and stack, a thread
    int blocksPerMultiprocessor = 0;
};
CudaStatus rowNormResources(RowGeometry geometry, bool residual, bool aligned, KernelResources* resources);

}  // namespace isobit::cuda
