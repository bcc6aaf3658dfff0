// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// bf16 products of a warpgroup, FP32 accumulators in registers: PTX ISA 8, "wgmma".
namespace isobit::cuda {

constexpr std::uint64_t kSwizzle128 = std::uint64_t{1} << 62;
constexpr std::uint64_t kEightRows = std::uint64_t{1024 >> 4} << 32;

/// Rows of 64 elements of k, 128 bytes, as the copy engine lays them out with 128-byte swizzle: eight rows a kilobyte.
/// `address` is a multiple of 1024 plus a multiple of 32: the step of 16 elements within the row.
__device__ inline std::uint64_t swizzledOperand(std::uint32_t address) {
    constexpr std::uint64_t kUnusedWhenSwizzled = std::uint64_t{1} << 16;
    return kSwizzle128 | kEightRows | kUnusedWhenSwizzled | (address & 0x3FFFF) >> 4;
}
constexpr std::uint64_t kNextStep = 32 >> 4;  // to an operand: the next 16 elements of k

/// The same rows where they count k and lie along the columns: the next 64 columns are `pieceBytes` further. `address`
/// is a multiple of 1024.
__device__ inline std::uint64_t transposedOperand(std::uint32_t address, std::uint32_t pieceBytes) {
    return kSwizzle128 | kEightRows | std::uint64_t{pieceBytes >> 4} << 16 | (address & 0x3FFFF) >> 4;
}

/// Where an operand begins, for steps in a loop: the descriptions of its further parts are computed at each use. Those
/// of plain operands are invariant, so that the compiler keeps each of them through the loop and spills what it must.
class OperandBase {
public:
    __device__ explicit OperandBase(std::uint64_t operand) : m_low(static_cast<std::uint32_t>(operand)) {
        asm volatile("" : "+r"(m_low));
    }
    /// The part `bytes` further.
    [[nodiscard]] __device__ std::uint64_t at(std::uint32_t bytes) const {
        return kSwizzle128 | kEightRows | (m_low + (bytes >> 4));
    }

private:
    std::uint32_t m_low;
};

/// Before the first product after other instructions touched accumulators or shared memory.
__device__ inline void beginProducts() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ inline void commitProducts() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
/// Until at most kPending committed groups are unfinished.
template <int kPending>
__device__ inline void waitForProducts() {
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(kPending) : "memory");
}

/// Keeps the compiler from moving reads of accumulators over the wait before this.
template <int kCount>
__device__ inline void holdAccumulators(float (&sums)[kCount]) {
#pragma unroll
    for (int i = 0; i < kCount; ++i) asm volatile("" : "+f"(sums[i])::"memory");
}

// clang-format off
#define ISOBIT_SUMS_8(d, i)                                                                                       \
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
#define ISOBIT_WGMMA_FLAGS(columns, names, a, b, flags) \
    "wgmma.mma_async.sync.aligned.m64n" columns "k16.f32.bf16.bf16 {" names "}, " a ", " b ", " flags ";"
#define ISOBIT_WGMMA(columns, names, a, b) ISOBIT_WGMMA_FLAGS(columns, names, a, b, "1, 1, 1, 0, 0")
#define ISOBIT_WGMMA_HELD(columns, names, a0, a1, a2, a3, b) \
    ISOBIT_WGMMA_FLAGS(columns, names, "{" a0 ", " a1 ", " a2 ", " a3 "}", b, "1, 1, 1, 1")
// clang-format on

/// sums += a b for 64 rows, kColumns columns and 16 elements of k, not finished before waitForProducts. Warp w of the
/// warpgroup has rows 16 w to 16 w + 15; a lane's sums 4 j + i are row lane / 4 + i / 2 * 8, column 8 j + lane % 4 * 2
/// + i % 2.
template <int kColumns>
__device__ inline void addProduct(float (&sums)[kColumns / 2], std::uint64_t a, std::uint64_t b) {
    static_assert(kColumns == 64 || kColumns == 128 || kColumns == 192 || kColumns == 256,
                  "widths that are written out");
    if constexpr (kColumns == 64)
        asm volatile(ISOBIT_WGMMA("64", ISOBIT_NAMES_0, "%32", "%33") : ISOBIT_SUMS_32(sums, 0) : "l"(a), "l"(b));
    else if constexpr (kColumns == 128)
        asm volatile(ISOBIT_WGMMA("128", ISOBIT_NAMES_0 ISOBIT_NAMES_32, "%64", "%65")
                     : ISOBIT_SUMS_32(sums, 0), ISOBIT_SUMS_32(sums, 32)
                     : "l"(a), "l"(b));
    else if constexpr (kColumns == 192)
        asm volatile(ISOBIT_WGMMA("192", ISOBIT_NAMES_0 ISOBIT_NAMES_32 ISOBIT_NAMES_64, "%96", "%97")
                     : ISOBIT_SUMS_32(sums, 0), ISOBIT_SUMS_32(sums, 32), ISOBIT_SUMS_32(sums, 64)
                     : "l"(a), "l"(b));
    else
        asm volatile(ISOBIT_WGMMA("256", ISOBIT_NAMES_0 ISOBIT_NAMES_32 ISOBIT_NAMES_64 ISOBIT_NAMES_96, "%128", "%129")
                     : ISOBIT_SUMS_32(sums, 0), ISOBIT_SUMS_32(sums, 32), ISOBIT_SUMS_32(sums, 64),
                       ISOBIT_SUMS_32(sums, 96)
                     : "l"(a), "l"(b));
}

/// The same for 128 columns, from +0 where `first`.
__device__ inline void addProduct(float (&sums)[64], std::uint64_t a, std::uint64_t b, bool first) {
    asm volatile("{\n.reg .pred p;\nsetp.eq.b32 p, %66, 0;\n" ISOBIT_WGMMA_FLAGS(
                     "128", ISOBIT_NAMES_0 ISOBIT_NAMES_32, "%64", "%65", "p, 1, 1, 0, 0") "\n}"
                 : ISOBIT_SUMS_32(sums, 0), ISOBIT_SUMS_32(sums, 32)
                 : "l"(a), "l"(b), "r"(static_cast<int>(first)));
}

/// The same with a in registers, two elements a word as a lane's sums of an earlier product, and b a transposedOperand.
template <int kColumns>
__device__ inline void addHeldProduct(float (&sums)[kColumns / 2], const std::uint32_t* a, std::uint64_t b) {
    static_assert(kColumns == 64 || kColumns == 128 || kColumns == 256, "widths that are written out");
    if constexpr (kColumns == 64)
        asm volatile(ISOBIT_WGMMA_HELD("64", ISOBIT_NAMES_0, "%32", "%33", "%34", "%35", "%36")
                     : ISOBIT_SUMS_32(sums, 0)
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
    else if constexpr (kColumns == 128)
        asm volatile(ISOBIT_WGMMA_HELD("128", ISOBIT_NAMES_0 ISOBIT_NAMES_32, "%64", "%65", "%66", "%67", "%68")
                     : ISOBIT_SUMS_32(sums, 0), ISOBIT_SUMS_32(sums, 32)
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
    else
        asm volatile(ISOBIT_WGMMA_HELD("256", ISOBIT_NAMES_0 ISOBIT_NAMES_32 ISOBIT_NAMES_64 ISOBIT_NAMES_96, "%128",
                                       "%129", "%130", "%131", "%132")
                     : ISOBIT_SUMS_32(sums, 0), ISOBIT_SUMS_32(sums, 32), ISOBIT_SUMS_32(sums, 64),
                       ISOBIT_SUMS_32(sums, 96)
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
}

#undef ISOBIT_WGMMA_HELD
#undef ISOBIT_WGMMA
#undef ISOBIT_WGMMA_FLAGS
#undef ISOBIT_NAMES_96
#undef ISOBIT_NAMES_64
#undef ISOBIT_NAMES_32
#undef ISOBIT_NAMES_0
#undef ISOBIT_SUMS_32
#undef ISOBIT_SUMS_8

}  // namespace isobit::cuda
