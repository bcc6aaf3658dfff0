// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/norm_row.cuh"

namespace isobit::cuda {
namespace {

constexpr int key(int threads, int vectors, bool aligned) { return threads * 100 + vectors * 10 + (aligned ? 1 : 0); }

}  // namespace

// The geometries for a cluster a row: a block's share of the row is a complete subtree (up to 4096 columns) or whole
// chunks, so what the blocks send are sums that one block would have formed.
RowKernels clusterKernels(int threads, int vectors, bool aligned) {
    switch (key(threads, vectors, aligned)) {
        case key(128, 1, true):
            return rowKernels<128, 1, Access::Aligned, Holder::Cluster>();
        case key(128, 2, true):
            return rowKernels<128, 2, Access::Aligned, Holder::Cluster>();
        case key(128, 4, true):
            return rowKernels<128, 4, Access::Aligned, Holder::Cluster>();
        case key(256, 1, true):
            return rowKernels<256, 1, Access::Aligned, Holder::Cluster>();
        case key(256, 2, true):
            return rowKernels<256, 2, Access::Aligned, Holder::Cluster>();
        case key(256, 4, true):
            return rowKernels<256, 4, Access::Aligned, Holder::Cluster>();
        case key(512, 4, true):
            return rowKernels<512, 4, Access::Aligned, Holder::Cluster>();
        case key(512, 8, true):
            return rowKernels<512, 8, Access::Aligned, Holder::Cluster>();
        case key(128, 1, false):
            return rowKernels<128, 1, Access::Any, Holder::Cluster>();
        case key(256, 2, false):
            return rowKernels<256, 2, Access::Any, Holder::Cluster>();
        case key(512, 8, false):
            return rowKernels<512, 8, Access::Any, Holder::Cluster>();
        default:
            return {};
    }
}

}  // namespace isobit::cuda
