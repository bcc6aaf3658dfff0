// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/arithmetic/norm_evaluate.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "core/arithmetic/row_kernels.h"
#include "core/base/parallel.h"

namespace isobit {
namespace {

constexpr std::int64_t kElementsPerTask = 1 << 17;  // about a tenth of a millisecond: quick to stop, cheap to hand out

float meanSquarePlusEpsilon(MeanForm form, const Silicon& silicon, float total, std::int64_t hiddenSize, float epsilon) {
    const auto length = static_cast<float>(hiddenSize);
    switch (form) {
        case MeanForm::FmaReciprocal: return std::fma(total, silicon.rcp(length, Subnormals::Flush), epsilon);
        case MeanForm::FmaRoundedReciprocal: return std::fma(total, 1.0f / length, epsilon);
        case MeanForm::ReciprocalThenAdd: return total * silicon.rcp(length, Subnormals::Flush) + epsilon;
        case MeanForm::RoundedReciprocalThenAdd: return total * (1.0f / length) + epsilon;
        case MeanForm::DivideThenAdd: return total / length + epsilon;
    }
    return 0.0f;
}

float inverseRootOf(InverseRoot form, const Silicon& silicon, float q) {
    switch (form) {
        case InverseRoot::Rsqrt: return silicon.rsqrt(q, Subnormals::Flush);
        case InverseRoot::ReciprocalOfRoot:
            return silicon.rcp(silicon.sqrt(q, Subnormals::Flush), Subnormals::Flush);
        case InverseRoot::IeeeDivideRoot: return 1.0f / std::sqrt(q);
    }
    return 0.0f;
}

// Working memory of one task, kept from row to row.
struct Buffers {
    std::vector<float> row;      // s
    std::vector<float> applied;  // inv * g, where the order asks for it
    std::vector<float> scratch;  // reduction
    std::vector<std::uint16_t> words;
};

class RowEvaluator {
public:
    RowEvaluator(const NormArithmetic& arithmetic, const Silicon& silicon, const NormCall& call, const float* applied)
        : m_arithmetic(arithmetic), m_silicon(silicon), m_call(call), m_applied(applied) {
        m_buffers.row.resize(size());
        m_buffers.applied.resize(size());
        m_buffers.words.resize(size());
    }

    void evaluate(std::int64_t row) {
        load(row);
        const std::int64_t launch = m_call.rowsInLaunch != 0 ? m_call.rowsInLaunch : m_call.rows;
        const float total = reduceRow(m_arithmetic.reduction, Summand::Square, m_buffers.row, launch, m_buffers.scratch);
        const float q =
            meanSquarePlusEpsilon(m_arithmetic.meanForm, m_silicon, total, m_call.hiddenSize, m_call.epsilon);
        store(inverseRootOf(m_arithmetic.inverseRoot, m_silicon, q), m_call.out + m_call.outLayout.offsetOf(row));
    }

private:
    [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(m_call.hiddenSize); }

    // Fills the row buffer with s, and writes residual_out.
    void load(std::int64_t row) {
        const std::uint16_t* x = m_call.x + m_call.xLayout.offsetOf(row);
        float* s = m_buffers.row.data();
        if (m_call.residual == nullptr) return rows::widenBf16(x, s, size());
        rows::addBf16(x, m_call.residual + m_call.residualLayout.offsetOf(row), s, size());
        std::uint16_t* stored =
            m_call.residualOut != nullptr ? m_call.residualOut + row * m_call.hiddenSize : m_buffers.words.data();
        rows::castBf16(s, m_arithmetic.residualCast == OutputCast::TowardZero, stored, size());
        if (m_arithmetic.residualRow == ResidualRow::Rounded) rows::widenBf16(stored, s, size());
    }

    void store(float inv, std::uint16_t* out) {
        const bool truncate = m_arithmetic.outputCast == OutputCast::TowardZero;
        float* s = m_buffers.row.data();
        if (m_arithmetic.scaleOrder == ScaleOrder::WeightFirst) {
            rows::scale(m_applied, inv, m_buffers.applied.data(), size());
            rows::multiply(s, m_buffers.applied.data(), s, size());
            rows::castBf16(s, truncate, out, size());
        } else if (m_arithmetic.normalizedRow == NormalizedRow::Bf16) {
            rows::scale(s, inv, s, size());
            rows::castBf16(s, truncate, m_buffers.words.data(), size());
            rows::widenBf16(m_buffers.words.data(), s, size());
            rows::multiply(s, m_applied, s, size());
            rows::castBf16(s, truncate, out, size());
        } else {
            rows::scaleAndCast(s, inv, m_applied, truncate, out, size());
        }
    }

    const NormArithmetic& m_arithmetic;
    const Silicon& m_silicon;
    const NormCall& m_call;
    const float* m_applied;
    Buffers m_buffers;
};

std::vector<float> appliedWeight(const NormArithmetic& arithmetic, const NormCall& call) {
    std::vector<float> applied(call.weight, call.weight + call.hiddenSize);
    if (arithmetic.zeroCentered)
        for (float& weight : applied) weight = 1.0f + weight;
    return applied;
}

}  // namespace

std::string problemOf(const NormArithmetic& arithmetic) {
    const Reduction& reduction = arithmetic.reduction;
    if (arithmetic.scaleOrder == ScaleOrder::WeightFirst && arithmetic.normalizedRow == NormalizedRow::Bf16)
        return "a row rounded to bf16 before the weight needs scale_order row_first";
    if (reduction.order == ReductionOrder::AdjacentPairs) {
        if (reduction.chunk < 0 || (reduction.chunk != 0 && !std::has_single_bit(std::uint64_t(reduction.chunk))))
            return "reduction.chunk of adjacent pairs must be a power of two, or 0 for the whole row";
        return "";
    }
    if (reduction.chunk < 0) return "reduction.chunk must not be negative";
    for (const int threads : {reduction.threads, reduction.rowsEdge != 0 ? reduction.threadsFromEdge : 32})
        if (threads < 32 || threads > 1024 || !std::has_single_bit(unsigned(threads)))
            return "reduction.threads must be a power of two from 32 to 1024";
    if (reduction.vectorWidth < 1 || reduction.vectorWidthRagged < 1) return "reduction.vector_width must be 1 or more";
    const bool plain = reduction.vectorWidth == 1 && reduction.vectorWidthRagged == 1 &&
                       reduction.partialSums == PartialSums::Fp32;
    if (reduction.accumulators < 1 || reduction.accumulators > 16 || (reduction.accumulators > 1 && !plain))
        return "reduction.accumulators must be 1 to 16, and more than 1 only with vector_width 1 and fp32 partial sums";
    return "";
}

bool evaluateNorm(const NormArithmetic& arithmetic, const Silicon& silicon, const NormCall& call, unsigned threads,
                  std::stop_token stop) {
    const std::vector<float> applied = appliedWeight(arithmetic, call);
    const std::int64_t rowsPerTask = std::max<std::int64_t>(1, kElementsPerTask / std::max<std::int64_t>(1, call.hiddenSize));
    const std::int64_t tasks = (call.rows + rowsPerTask - 1) / rowsPerTask;
    return parallelFor(
        static_cast<std::size_t>(tasks), threads,
        [&](std::size_t task) {
            RowEvaluator evaluator(arithmetic, silicon, call, applied.data());
            const std::int64_t begin = static_cast<std::int64_t>(task) * rowsPerTask;
            const std::int64_t end = std::min(call.rows, begin + rowsPerTask);
            for (std::int64_t row = begin; row < end; ++row) evaluator.evaluate(row);
        },
        stop);
}

}  // namespace isobit
