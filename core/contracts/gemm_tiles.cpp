// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/contracts/gemm_tiles.h"

#include <array>
#include <limits>
#include <span>
#include <vector>

namespace isobit {
namespace {

constexpr std::int64_t kAnyRows = std::numeric_limits<std::int64_t>::max();

struct Bucket {
    std::int64_t mostRows;
    GemmTile tile;
};

struct Entry {
    DType dtype;
    std::int64_t depth;
    std::int64_t columns;
    std::vector<Bucket> buckets;
};

// gemm.md 2, "Exact entries".
const std::vector<Entry>& exactEntries() {
    constexpr DType bf16 = DType::Bf16;
    static const std::vector<Entry> entries{
        {bf16, 3840, 3840, {{16, {16, 64, 8, 12, 4}}, {256, {64, 32, 1, 12, 4}}, {kAnyRows, {128, 256, 8, 3, 8}}}},
        {bf16, 3840, 5376, {{16, {16, 64, 1, 12, 4}}, {256, {64, 64, 1, 8, 4}}, {kAnyRows, {256, 128, 8, 3, 8}}}},
        {bf16, 3840, 8192, {{16, {16, 64, 8, 8, 4}}, {256, {64, 64, 1, 8, 4}}, {kAnyRows, {256, 128, 8, 3, 8}}}},
        {bf16, 3840, 11520, {{16, {16, 128, 8, 5, 4}}, {256, {64, 128, 1, 5, 4}}, {kAnyRows, {128, 256, 8, 3, 8}}}},
        {bf16, 3840, 30720, {{16, {16, 128, 1, 5, 4}}, {256, {64, 128, 1, 5, 4}}, {kAnyRows, {128, 256, 8, 3, 8}}}},
        {bf16, 3840, 128256, {{16, {16, 128, 8, 5, 4}}, {256, {64, 256, 8, 3, 4}}, {kAnyRows, {128, 256, 8, 3, 8}}}},
        {bf16,
         15360,
         3840,
         {{16, {16, 64, 1, 20, 4}},
          {256, {64, 32, 1, 12, 4}},
          {8192, {128, 256, 8, 4, 8}},
          {kAnyRows, {128, 256, 1, 4, 8}}}},
        {DType::Fp32, 3840, 8192, {{8192, {128, 128, 8, 5, 4}}, {kAnyRows, {256, 128, 8, 3, 8}}}},
    };
    return entries;
}

// gemm.md 2, "Class defaults"; fp16 has none.
std::span<const Bucket> classDefaults(DType dtype) {
    static constexpr std::array bf16{Bucket{16, {16, 128, 1, 5, 4}}, Bucket{256, {64, 128, 1, 5, 4}},
                                     Bucket{kAnyRows, {128, 256, 8, 3, 8}}};
    static constexpr std::array fp32{Bucket{256, {16, 128, 1, 4, 4}}, Bucket{kAnyRows, {128, 128, 8, 3, 8}}};
    if (dtype == DType::Bf16) return bf16;
    if (dtype == DType::Fp32) return fp32;
    return {};
}

const Bucket* firstBucket(std::span<const Bucket> buckets, std::int64_t rows) {
    for (const Bucket& bucket : buckets)
        if (rows <= bucket.mostRows) return &bucket;
    return nullptr;
}

}  // namespace

Result<int> pinnedKTile(DType dtype) {
    if (dtype == DType::Bf16 || dtype == DType::Fp16) return 64;
    if (dtype == DType::Fp32) return 32;
    return failure("{} has no pinned K tile; bfloat16, float16 and float32 have", nameOf(dtype));
}

std::int64_t sharedMemoryOf(const GemmTile& tile, const GemmShape& shape) {
    const auto inputBytes = static_cast<std::int64_t>(bytesOf(shape.dtype));
    const std::int64_t outputBytes = shape.outputBytes == 0 ? inputBytes : shape.outputBytes;
    const std::int64_t kTile = pinnedKTile(shape.dtype).value_or(0);
    const std::int64_t operands = tile.stages * (tile.rows * kTile + kTile * tile.columns) * inputBytes;
    return operands + (outputBytes > inputBytes ? std::int64_t(tile.rows) * tile.columns * outputBytes : 0);
}

Result<GemmTile> baselineTile(DType dtype) {
    if (const auto kTile = pinnedKTile(dtype); !kTile) return failureOf(kTile);
    if (dtype == DType::Fp16) return GemmTile{128, 256, 8, 3, 8};
    return GemmTile{128, 128, 8, 3, 8};
}

Result<GemmTile> lookUpTile(const GemmShape& shape, bool tableEnabled) {
    const auto baseline = baselineTile(shape.dtype);
    if (!baseline || !tableEnabled) return baseline;
    for (const Entry& entry : exactEntries()) {
        if (entry.dtype != shape.dtype || entry.depth != shape.depth || entry.columns != shape.columns) continue;
        const Bucket* bucket = firstBucket(entry.buckets, shape.rows);
        return bucket == nullptr ? *baseline : bucket->tile;
    }
    const Bucket* bucket = firstBucket(classDefaults(shape.dtype), shape.rows);
    if (bucket == nullptr || sharedMemoryOf(bucket->tile, shape) > kSharedMemoryBudget) return baseline;
    return bucket->tile;
}

bool tableEnabledBy(std::string_view switchValue) { return switchValue != "0"; }

Result<GemmTile> TileChooser::choose(const GemmShape& shape) const {
    return m_refused.contains(keyOf(shape)) ? baselineTile(shape.dtype) : lookUpTile(shape, m_tableEnabled);
}

void TileChooser::ranOutOfResources(const GemmShape& shape) { m_refused.insert(keyOf(shape)); }

TileChooser::Key TileChooser::keyOf(const GemmShape& shape) {
    const int outputBytes = shape.outputBytes == 0 ? static_cast<int>(bytesOf(shape.dtype)) : shape.outputBytes;
    return {shape.dtype, shape.rows, shape.columns, shape.depth, outputBytes};
}

}  // namespace isobit
