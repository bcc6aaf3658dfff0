// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/wgmma.cuh"

// The widths of wgmma below 64 columns.
namespace isobit::cuda {

#define ISOBIT_FOUR(d, i) "+f"((d)[i]), "+f"((d)[(i) + 1]), "+f"((d)[(i) + 2]), "+f"((d)[(i) + 3])
#define ISOBIT_EIGHT(d, i) ISOBIT_FOUR(d, i), ISOBIT_FOUR(d, (i) + 4)
#define ISOBIT_NARROW(columns, names, a, b) \
    "wgmma.mma_async.sync.aligned.m64n" columns "k16.f32.bf16.bf16 {" names "}, " a ", " b ", 1, 1, 1, 0, 0;"

/// addProduct for 8, 16, 32, 48 or 64 columns.
template <int kColumns>
__device__ inline void addNarrowProduct(float (&d)[kColumns / 2], std::uint64_t a, std::uint64_t b) {
    static_assert(kColumns == 8 || kColumns == 16 || kColumns == 32 || kColumns == 48 || kColumns == 64,
                  "widths that are written out");
    if constexpr (kColumns == 8)
        asm volatile(ISOBIT_NARROW("8", "%0,%1,%2,%3", "%4", "%5") : ISOBIT_FOUR(d, 0) : "l"(a), "l"(b));
    else if constexpr (kColumns == 16)
        asm volatile(ISOBIT_NARROW("16", "%0,%1,%2,%3,%4,%5,%6,%7", "%8", "%9") : ISOBIT_EIGHT(d, 0) : "l"(a), "l"(b));
    else if constexpr (kColumns == 32)
        asm volatile(ISOBIT_NARROW("32", "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15", "%16", "%17")
                     : ISOBIT_EIGHT(d, 0), ISOBIT_EIGHT(d, 8)
                     : "l"(a), "l"(b));
    else if constexpr (kColumns == 48)
        asm volatile(ISOBIT_NARROW("48",
                                   "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,"
                                   "%23",
                                   "%24", "%25")
                     : ISOBIT_EIGHT(d, 0), ISOBIT_EIGHT(d, 8), ISOBIT_EIGHT(d, 16)
                     : "l"(a), "l"(b));
    else
        addProduct<64>(d, a, b);
}

#undef ISOBIT_NARROW
#undef ISOBIT_EIGHT
#undef ISOBIT_FOUR

}  // namespace isobit::cuda
