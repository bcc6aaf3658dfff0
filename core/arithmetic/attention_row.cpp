// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/arithmetic/attention_row.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/arithmetic/attention_evaluate.h"
#include "core/arithmetic/output_cast.h"

namespace isobit {
namespace {

constexpr float kLowest = -std::numeric_limits<float>::infinity();

// max.f32: a NaN operand is ignored.
float maxIgnoringNan(float a, float b) { return std::isnan(a) ? b : std::isnan(b) ? a : std::max(a, b); }

// The word that the device stores for a NaN.
float canonical(float value) { return std::isnan(value) ? std::bit_cast<float>(0x7FFFFFFFu) : value; }

float roundedBf16(float value) { return bf16Value(storedBf16(value)); }

}  // namespace

AttentionSoftmax::AttentionSoftmax(const AttentionArithmetic& arithmetic, const Silicon& silicon, float scale)
    : m_arithmetic(arithmetic), m_silicon(silicon), m_scale(scale), m_base2(scaleInBaseTwo(scale)) {}

float AttentionSoftmax::addBlock(std::span<float> scores, std::int64_t begin, std::int64_t end,
                                 AttentionRecord& record) const {
    float largest = kLowest;
    for (std::int64_t j = 0; j < std::ssize(scores); ++j) {
        scores[j] = j < begin || j >= end ? kLowest : scaled(scores[j]);
        largest = maxIgnoringNan(largest, scores[j]);
    }
    const float before = record.reference;
    const float grown = maxIgnoringNan(before, largest);
    if (!staysBy(before, grown)) record.reference = grown;
    // Exponents are never taken from -inf, which would give NaN: a row that has seen no key yet has probabilities of 0.
    const float reference = record.reference == kLowest ? 0.0f : record.reference;
    const float correction = power(before - reference);
    const float offset = -(reference * m_base2);
    for (float& value : scores)
        value = inExponent() ? ex2(std::fma(value, m_base2, offset)) : natural(value - reference);
    addSum(scores, correction, record);
    return correction;
}

void AttentionSoftmax::finish(AttentionRecord& record) const {
    const float(&l)[4] = record.lanes;
    record.sum = m_arithmetic.sumOrder == SumOrder::Ascending ? l[0] : (l[0] + l[1]) + (l[2] + l[3]);
}

float AttentionSoftmax::normalised(float value, float sum) const {
    switch (m_arithmetic.normalise) {
        case Normalisation::IeeeReciprocal:
            return value * (1.0f / sum);
        case Normalisation::ApproxReciprocal:
            return value * m_silicon.rcp(sum, Subnormals::Flush);
        case Normalisation::Division:
            return value / sum;
    }
    return value;
}

float AttentionSoftmax::scaled(float score) const {
    if (m_arithmetic.scale == ScalePlace::Scores) return score * m_scale;
    if (m_arithmetic.scale == ScalePlace::RoundedScores) return roundedBf16(roundedBf16(score) * m_scale);
    return score;
}

bool AttentionSoftmax::staysBy(float before, float grown) const {
    if (m_arithmetic.rescaleThreshold == 0.0f || before == kLowest) return false;
    const float growth = (grown - before) * (inExponent() ? m_base2 : std::bit_cast<float>(0x3FB8AA3Bu));
    return growth <= m_arithmetic.rescaleThreshold;
}

float AttentionSoftmax::ex2(float x) const {
    return m_silicon.ex2(x, m_arithmetic.exp == SoftmaxExp::Ex2Flushed ? Subnormals::Flush : Subnormals::Keep);
}

float AttentionSoftmax::power(float difference) const {
    return inExponent() ? ex2(difference * m_base2) : natural(difference);
}

float AttentionSoftmax::natural(float x) const {
    if (m_arithmetic.exp == SoftmaxExp::CudaExpf) return m_silicon.expf(x);
    return ex2(x * std::bit_cast<float>(0x3FB8AA3Bu));
}

float AttentionSoftmax::summand(float p) const {
    return m_arithmetic.rowSum == RowSum::Rounded ? roundedBf16(p) : p;
}

float AttentionSoftmax::laneSum(std::span<const float> p, std::int64_t lane) const {
    float sum = 0.0f;
    for (std::int64_t first = 0; first < std::ssize(p); first += m_arithmetic.sumGroup) {
        const std::int64_t end = std::min(first + m_arithmetic.sumGroup, std::ssize(p));
        float group = 0.0f;
        for (std::int64_t j = first + lane * 2; j < end; j += 8) {
            group = group + summand(p[j]);
            if (j + 1 < end) group = group + summand(p[j + 1]);
        }
        sum = sum + group;
    }
    return sum;
}

void AttentionSoftmax::addSum(std::span<const float> p, float correction, AttentionRecord& record) const {
    if (m_arithmetic.sumOrder == SumOrder::QuadGroups) {
        for (std::int64_t lane = 0; lane < 4; ++lane)
            record.lanes[lane] = std::fma(record.lanes[lane], correction, laneSum(p, lane));
        return;
    }
    float sum = 0.0f;
    for (const float one : p) sum = sum + summand(one);
    record.lanes[0] = std::fma(record.lanes[0], correction, sum);
}

float AttentionSoftmax::logSumExp(const AttentionRecord& record) const {
    if (record.sum == 0.0f) return kLowest;
    const float reference = inExponent() ? record.reference * m_scale : record.reference;
    return canonical(reference + logOf(m_arithmetic.log, m_silicon, record.sum));
}

void AttentionSoftmax::mergeByMaximum(std::span<const AttentionPart> parts, AttentionRecord& record,
                                      std::span<float> sums) const {
    for (const AttentionPart& part : parts)
        record.reference = maxIgnoringNan(record.reference, part.record.reference);
    for (const AttentionPart& part : parts) {
        const float weight = power(part.record.reference - record.reference);
        record.sum = std::fma(weight, part.record.sum, record.sum);
        for (std::size_t n = 0; n < sums.size(); ++n) sums[n] = std::fma(weight, part.sums[n], sums[n]);
    }
}

void AttentionSoftmax::mergeRunning(std::span<const AttentionPart> parts, AttentionRecord& record,
                                    std::span<float> sums) const {
    record = parts[0].record;
    std::copy(parts[0].sums.begin(), parts[0].sums.end(), sums.begin());
    for (const AttentionPart& part : parts.subspan(1)) {
        const float reference = maxIgnoringNan(record.reference, part.record.reference);
        const float own = power(record.reference - reference);
        const float other = power(part.record.reference - reference);
        record.reference = reference;
        record.sum = std::fma(other, part.record.sum, own * record.sum);
        for (std::size_t n = 0; n < sums.size(); ++n) sums[n] = std::fma(other, part.sums[n], own * sums[n]);
    }
}

AttentionRow AttentionSoftmax::mergeByLogSumExp(std::span<const AttentionPart> parts, std::size_t width) const {
    AttentionRow row{std::vector<float>(width, 0.0f), kLowest, false};
    float largest = kLowest;
    for (const AttentionPart& part : parts) largest = maxIgnoringNan(largest, logSumExp(part.record));
    float total = 0.0f;
    for (const AttentionPart& part : parts) total = total + natural(logSumExp(part.record) - largest);
    row.lse = canonical(largest + logOf(m_arithmetic.log, m_silicon, total));
    for (const AttentionPart& part : parts) {
        const float weight = natural(logSumExp(part.record) - row.lse);
        for (std::size_t n = 0; n < width; ++n)
            row.values[n] = std::fma(weight, normalised(part.sums[n], part.record.sum), row.values[n]);
    }
    return row;
}

AttentionRow AttentionSoftmax::merge(std::span<const AttentionPart> all, std::size_t width) const {
    std::vector<AttentionPart> parts;
    std::copy_if(all.begin(), all.end(), std::back_inserter(parts),
                 [](const AttentionPart& part) { return part.record.sum != 0.0f; });
    if (parts.empty()) return {std::vector<float>(width, 0.0f), kLowest, true};
    if (m_arithmetic.merge == SplitMerge::LogSumExp && parts.size() > 1) return mergeByLogSumExp(parts, width);
    AttentionRecord record;
    AttentionRow row{std::vector<float>(width, 0.0f), kLowest, false};
    if (parts.size() == 1 || m_arithmetic.merge == SplitMerge::RunningState)
        mergeRunning(parts, record, row.values);
    else
        mergeByMaximum(parts, record, row.values);
    row.lse = logSumExp(record);
    if (m_arithmetic.normalisePlace == NormalisePlace::AfterValues)
        for (float& value : row.values) value = normalised(value, record.sum);
    return row;
}

}  // namespace isobit
