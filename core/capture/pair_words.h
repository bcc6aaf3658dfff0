// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/capture/pairing.h"

namespace isobit {

/// Empty if the two tensors of a pair can be compared word by word; else one sentence (type, shape, columns).
[[nodiscard]] std::string incomparable(const TensorFile& trainer, const TensorFile& sampler, const TensorPair& pair);

/// The words of a pair of tensors as two arrays of one type and one shape, wherever they lie: mapped contiguous tensors
/// in place, all others read piece by piece into buffers of the caller's. Never a copy of a whole tensor. Cheap to copy;
/// safe to use from several threads, each with its own buffers. Both files outlive it.
class PairWords {
public:
    /// An Error when the pair has one side only, or cannot be compared, or a file cannot be read.
    [[nodiscard]] static Result<PairWords> of(const TensorFile& trainer, const TensorFile& sampler,
                                              const TensorPair& pair);

    [[nodiscard]] DType dtype() const { return m_dtype; }
    /// Shape of what is compared, the same for both sides; indices below are in its row-major order.
    [[nodiscard]] const Shape& shape() const { return m_shape; }
    [[nodiscard]] std::int64_t elements() const { return elementsOf(m_shape); }
    /// True if at() copies nothing, however many elements are asked for.
    [[nodiscard]] bool inPlace() const { return !m_trainerBytes.empty() || !m_samplerBytes.empty(); }

    struct Words {
        std::span<const std::byte> trainer;
        std::span<const std::byte> sampler;
    };
    struct Buffers {
        std::vector<std::byte> trainer;
        std::vector<std::byte> sampler;
    };
    /// Words [first, first + count) of both sides, at any alignment, valid until the buffers are used again. The range
    /// lies inside the tensor: a precondition. What was computed from them counts only when intact() holds afterwards.
    [[nodiscard]] Result<Words> at(std::int64_t first, std::int64_t count, Buffers& buffers) const;
    /// An Error when a file changed under the words.
    [[nodiscard]] Result<void> intact() const;

private:
    PairWords(const TensorFile& trainer, const TensorFile& sampler, TensorPair pair)
        : m_trainer(&trainer), m_sampler(&sampler), m_pair(std::move(pair)) {}

    const TensorFile* m_trainer;
    const TensorFile* m_sampler;
    TensorPair m_pair;
    DType m_dtype = DType::U8;
    Shape m_shape;
    std::span<const std::byte> m_trainerBytes;  // empty: not in place
    std::span<const std::byte> m_samplerBytes;
};

}  // namespace isobit
