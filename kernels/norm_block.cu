// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/norm_row.cuh"

namespace isobit::cuda {
namespace {

constexpr int key(int threads, int vectors, bool aligned) { return threads * 100 + vectors * 10 + (aligned ? 1 : 0); }

}  // namespace

// The geometries for one block a row. Any alignment: a few, since 2-byte accesses bound their speed.
RowKernels blockKernels(int threads, int vectors, bool aligned) {
    switch (key(threads, vectors, aligned)) {
        case key(128, 1, true):
            return rowKernels<128, 1, Access::Aligned, Holder::Block>();
        case key(256, 1, true):
            return rowKernels<256, 1, Access::Aligned, Holder::Block>();
        case key(256, 4, true):
            return rowKernels<256, 4, Access::Aligned, Holder::Block>();
        case key(512, 1, true):
            return rowKernels<512, 1, Access::Aligned, Holder::Block>();
        case key(512, 2, true):
            return rowKernels<512, 2, Access::Aligned, Holder::Block>();
        case key(512, 3, true):
            return rowKernels<512, 3, Access::Aligned, Holder::Block>();
        case key(512, 4, true):
            return rowKernels<512, 4, Access::Aligned, Holder::Block>();
        case key(1024, 3, true):
            return rowKernels<1024, 3, Access::Aligned, Holder::Block>();
        case key(1024, 4, true):
            return rowKernels<1024, 4, Access::Aligned, Holder::Block>();
        case key(128, 1, false):
            return rowKernels<128, 1, Access::Any, Holder::Block>();
        case key(256, 2, false):
            return rowKernels<256, 2, Access::Any, Holder::Block>();
        case key(512, 2, false):
            return rowKernels<512, 2, Access::Any, Holder::Block>();
        case key(512, 8, false):
            return rowKernels<512, 8, Access::Any, Holder::Block>();
        default:
            return {};
    }
}

}  // namespace isobit::cuda
