// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// The two products of attention by a warpgroup, on tiles in shared memory whose rows of 64 elements are 128 bytes with
// pieces permuted: PTX ISA 8, "wgmma", 128-byte swizzle. Not finished before waitForProducts.
namespace isobit::cuda::attention {

__device__ inline void beginProducts() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ inline void commitProducts() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int kPending>
__device__ inline void waitForProducts() {
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(kPending) : "memory");
}
/// Contiguous along the products' k: eight rows are a kilobyte.
__device__ inline std::uint64_t alongDepth(std::uint32_t address) {
    return std::uint64_t{1} << 62 | std::uint64_t{1024 >> 4} << 32 | std::uint64_t{1} << 16 | (address & 0x3FFFF) >> 4;
}
/// Rows count k: eight of them are a kilobyte, and the next 64 columns lie `pieceBytes` further.
__device__ inline std::uint64_t acrossDepth(std::uint32_t address, std::uint32_t pieceBytes) {
    return std::uint64_t{1} << 62 | std::uint64_t{1024 >> 4} << 32 | std::uint64_t{pieceBytes >> 4} << 16 |
           (address & 0x3FFFF) >> 4;
}

#define ISOBIT_SUMS_8(d, i)                                                                                           \
    "+f"((d)[i]), "+f"((d)[(i) + 1]), "+f"((d)[(i) + 2]), "+f"((d)[(i) + 3]), "+f"((d)[(i) + 4]), "+f"((d)[(i) + 5]), \
        "+f"((d)[(i) + 6]), "+f"((d)[(i) + 7])
#define ISOBIT_SUMS_32(d, i) \
    ISOBIT_SUMS_8(d, i), ISOBIT_SUMS_8(d, (i) + 8), ISOBIT_SUMS_8(d, (i) + 16), ISOBIT_SUMS_8(d, (i) + 24)
#define ISOBIT_NAMES_0 \
    "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31"
#define ISOBIT_NAMES_32 \
    ",%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63"
#define ISOBIT_NAMES_64 \
    ",%64,%65,%66,%67,%68,%69,%70,%71,%72,%73,%74,%75,%76,%77,%78,%79,%80,%81,%82,%83,%84,%85,%86,%87,%88,%89,%90,%91,%92,%93,%94,%95"
#define ISOBIT_NAMES_96 \
    ",%96,%97,%98,%99,%100,%101,%102,%103,%104,%105,%106,%107,%108,%109,%110,%111,%112,%113,%114,%115,%116,%117,%118,%119,%120,%121,%122,%123,%124,%125,%126,%127"

/// scores [64, 128] = or += q k^T over 16 elements of the head, both along their depth. From +0 where `first`.
__device__ inline void addScores(float (&scores)[64], std::uint64_t q, std::uint64_t k, bool first) {
    asm volatile(
        "{\n.reg .pred p;\nsetp.eq.b32 p, %66, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {" ISOBIT_NAMES_0 ISOBIT_NAMES_32
        "}, %64, %65, p, 1, 1, 0, 0;\n}"
        : ISOBIT_SUMS_32(scores, 0), ISOBIT_SUMS_32(scores, 32)
        : "l"(q), "l"(k), "r"(static_cast<int>(first)));
}

#define ISOBIT_VALUES(columns, names, a0, a1, a2, a3, v)                                                          \
    "wgmma.mma_async.sync.aligned.m64n" columns "k16.f32.bf16.bf16 {" names "}, {" a0 ", " a1 ", " a2 ", " a3 "}, " v \
    ", 1, 1, 1, 1;"

/// sums [64, kDim] += p v over 16 keys, p from registers, v across its depth.
template <int kDim>
__device__ inline void addValues(float (&sums)[kDim / 2], const std::uint32_t* p, std::uint64_t v) {
    static_assert(kDim == 64 || kDim == 128 || kDim == 256, "head sizes that are written out");
    if constexpr (kDim == 64)
        asm volatile(ISOBIT_VALUES("64", ISOBIT_NAMES_0, "%32", "%33", "%34", "%35", "%36")
                     : ISOBIT_SUMS_32(sums, 0)
                     : "r"(p[0]), "r"(p[1]), "r"(p[2]), "r"(p[3]), "l"(v));
    else if constexpr (kDim == 128)
        asm volatile(ISOBIT_VALUES("128", ISOBIT_NAMES_0 ISOBIT_NAMES_32, "%64", "%65", "%66", "%67", "%68")
                     : ISOBIT_SUMS_32(sums, 0), ISOBIT_SUMS_32(sums, 32)
                     : "r"(p[0]), "r"(p[1]), "r"(p[2]), "r"(p[3]), "l"(v));
    else
        asm volatile(ISOBIT_VALUES("256", ISOBIT_NAMES_0 ISOBIT_NAMES_32 ISOBIT_NAMES_64 ISOBIT_NAMES_96, "%128", "%129",
                                   "%130", "%131", "%132")
                     : ISOBIT_SUMS_32(sums, 0), ISOBIT_SUMS_32(sums, 32), ISOBIT_SUMS_32(sums, 64),
                       ISOBIT_SUMS_32(sums, 96)
                     : "r"(p[0]), "r"(p[1]), "r"(p[2]), "r"(p[3]), "l"(v));
}

#undef ISOBIT_VALUES
#undef ISOBIT_NAMES_96
#undef ISOBIT_NAMES_64
#undef ISOBIT_NAMES_32
#undef ISOBIT_NAMES_0
#undef ISOBIT_SUMS_32
#undef ISOBIT_SUMS_8

}  // namespace isobit::cuda::attention
