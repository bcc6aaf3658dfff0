// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/arithmetic/attention_arithmetic.h"
#include "core/silicon/silicon.h"

namespace isobit {

/// What one range of keys leaves of a row, beside its sum of P V.
struct AttentionRecord {
    float reference = -std::numeric_limits<float>::infinity();  ///< m
    float lanes[4] = {0, 0, 0, 0};                              ///< of the row sum
    float sum = 0.0f;                                           ///< l, once the lanes have met
};

/// One range of one row: its record and O [headDim].
struct AttentionPart {
    AttentionRecord record;
    std::span<const float> sums;
};

/// A row after its ranges have met.
struct AttentionRow {
    std::vector<float> values;  ///< [headDim], normalised where the arithmetic normalises after the values
    float lse = -std::numeric_limits<float>::infinity();
    bool empty = true;  ///< no key has weight: the row is +0
};

/// The softmax of one arithmetic at one scale, a row at a time.
class AttentionSoftmax {
public:
    AttentionSoftmax(const AttentionArithmetic& arithmetic, const Silicon& silicon, float scale);

    /// The scores of a block of keys, of which [begin, end) are seen, become probabilities. Returns the correction: what
    /// O of the blocks before is multiplied with.
    float addBlock(std::span<float> scores, std::int64_t begin, std::int64_t end, AttentionRecord& record) const;
    /// After the last block: the lanes meet.
    void finish(AttentionRecord& record) const;
    [[nodiscard]] float normalised(float value, float sum) const;
    /// The ranges of one row meet; `width` is headDim.
    [[nodiscard]] AttentionRow merge(std::span<const AttentionPart> parts, std::size_t width) const;

private:
    [[nodiscard]] bool inExponent() const { return m_arithmetic.scale == ScalePlace::Exponent; }
    [[nodiscard]] float scaled(float score) const;
    [[nodiscard]] bool staysBy(float before, float grown) const;
    [[nodiscard]] float ex2(float x) const;
    [[nodiscard]] float power(float difference) const;
    [[nodiscard]] float natural(float x) const;
    [[nodiscard]] float summand(float p) const;
    [[nodiscard]] float laneSum(std::span<const float> p, std::int64_t lane) const;
    void addSum(std::span<const float> p, float correction, AttentionRecord& record) const;
    [[nodiscard]] float logSumExp(const AttentionRecord& record) const;
    void mergeByMaximum(std::span<const AttentionPart> parts, AttentionRecord& record, std::span<float> sums) const;
    void mergeRunning(std::span<const AttentionPart> parts, AttentionRecord& record, std::span<float> sums) const;
    [[nodiscard]] AttentionRow mergeByLogSumExp(std::span<const AttentionPart> parts, std::size_t width) const;

    const AttentionArithmetic& m_arithmetic;
    const Silicon& m_silicon;
    float m_scale;
    float m_base2;
};

}  // namespace isobit
