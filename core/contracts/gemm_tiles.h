// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <tuple>

#include "core/base/result.h"
#include "core/numeric/dtype.h"

namespace isobit {

// Launch configurations of the persistent batch-invariant GEMM. All give the same bits: only the pinned K tile belongs
// to the arithmetic. Source: gemm.md 2.

/// Rows and columns of an output tile, how many tiles of M share a group, pipeline stages, warps.
struct GemmTile {
    int rows = 0;
    int columns = 0;
    int group = 0;
    int stages = 0;
    int warps = 0;
    friend bool operator==(const GemmTile&, const GemmTile&) = default;
};

struct GemmShape {
    DType dtype = DType::Bf16;
    std::int64_t rows = 0;     ///< M
    std::int64_t columns = 0;  ///< N
    std::int64_t depth = 0;    ///< K
    int outputBytes = 0;       ///< of one output element; 0: as the input's
};

/// Elements of K in a tile: bf16 and fp16 64, fp32 32; any other type is an Error.
[[nodiscard]] Result<int> pinnedKTile(DType dtype);

/// Shared memory that a configuration takes, in bytes.
[[nodiscard]] std::int64_t sharedMemoryOf(const GemmTile& tile, const GemmShape& shape);
inline constexpr std::int64_t kSharedMemoryBudget = 220 * 1024;

/// The configuration that is always taken when nothing better is known.
[[nodiscard]] Result<GemmTile> baselineTile(DType dtype);

/// The exact entry of (type, K, N), else the type's class default if it fits the shared-memory model, else the
/// baseline; in each list only the first bucket with M <= its bound counts. `tableEnabled` false: the baseline.
[[nodiscard]] Result<GemmTile> lookUpTile(const GemmShape& shape, bool tableEnabled = true);

/// Whether the switch leaves the table on: only the exact text "0" turns it off.
[[nodiscard]] bool tableEnabledBy(std::string_view switchValue);

/// A process's memory of launches that ran out of resources: such a shape goes to the baseline from then on.
class TileChooser {
public:
    explicit TileChooser(bool tableEnabled) : m_tableEnabled(tableEnabled) {}
    [[nodiscard]] Result<GemmTile> choose(const GemmShape& shape) const;
    void ranOutOfResources(const GemmShape& shape);

private:
    using Key = std::tuple<DType, std::int64_t, std::int64_t, std::int64_t, int>;
    static Key keyOf(const GemmShape& shape);
    bool m_tableEnabled;
    std::set<Key> m_refused;
};

}  // namespace isobit
