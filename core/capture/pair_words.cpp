// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/capture/pair_words.h"

#include <cassert>

namespace isobit {
namespace {

// Pieces are read one after the other as words of one type.
std::string mixedTypes(const TensorFile& file, std::size_t tensor, const Selection& part) {
    for (const RowPiece& piece : part.pieces)
        if (file.tensors()[piece.tensor].dtype != file.tensors()[tensor].dtype)
            return fmt::format("its pieces are of two types, {} and {}", nameOf(file.tensors()[tensor].dtype),
                               nameOf(file.tensors()[piece.tensor].dtype));
    return "";
}

}  // namespace

std::string incomparable(const TensorFile& trainer, const TensorFile& sampler, const TensorPair& pair) {
    const TensorInfo& ours = trainer.tensors()[*pair.trainer];
    const TensorInfo& theirs = sampler.tensors()[*pair.sampler];
    if (ours.dtype != theirs.dtype)
        return fmt::format("the trainer's is {}, the sampler's {}", nameOf(ours.dtype), nameOf(theirs.dtype));
    if (std::string mixed = mixedTypes(trainer, *pair.trainer, pair.trainerPart); !mixed.empty()) return mixed;
    if (std::string mixed = mixedTypes(sampler, *pair.sampler, pair.samplerPart); !mixed.empty()) return mixed;
    const Shape shape = selectedShape(trainer, *pair.trainer, pair.trainerPart);
    const Shape otherShape = selectedShape(sampler, *pair.sampler, pair.samplerPart);
    if (shape != otherShape)
        return fmt::format("the trainer's has shape {}, the sampler's {}", textOf(shape), textOf(otherShape));
    return "";
}

Result<PairWords> PairWords::of(const TensorFile& trainer, const TensorFile& sampler, const TensorPair& pair) {
    if (!pair.trainer || !pair.sampler) return failure("{}: {}", pair.name, pair.how);
    if (const std::string why = incomparable(trainer, sampler, pair); !why.empty())
        return failure("{}: {}", pair.name, why);
    PairWords words(trainer, sampler, pair);
    words.m_dtype = trainer.tensors()[*pair.trainer].dtype;
    words.m_shape = selectedShape(trainer, *pair.trainer, pair.trainerPart);
    if (!pair.trainerPart.isWhole() || !pair.samplerPart.isWhole()) return words;
    const auto ours = trainer.view(*pair.trainer);
    if (!ours) return failureOf(ours);
    const auto theirs = sampler.view(*pair.sampler);
    if (!theirs) return failureOf(theirs);
    if (!ours->isContiguous() || !theirs->isContiguous()) return words;
    words.m_trainerBytes = ours->bytes();
    words.m_samplerBytes = theirs->bytes();
    return words;
}

Result<PairWords::Words> PairWords::at(std::int64_t first, std::int64_t count, Buffers& buffers) const {
    assert(first >= 0 && count >= 0 && first + count <= elements());
    const std::size_t width = bytesOf(m_dtype);
    const std::size_t bytes = static_cast<std::size_t>(count) * width;
    if (inPlace()) {
        const std::size_t at = static_cast<std::size_t>(first) * width;
        return Words{m_trainerBytes.subspan(at, bytes), m_samplerBytes.subspan(at, bytes)};
    }
    buffers.trainer.resize(bytes);
    buffers.sampler.resize(bytes);
    if (const auto read = readSelected(*m_trainer, *m_pair.trainer, m_pair.trainerPart, first, buffers.trainer); !read)
        return failureOf(read);
    if (const auto read = readSelected(*m_sampler, *m_pair.sampler, m_pair.samplerPart, first, buffers.sampler); !read)
        return failureOf(read);
    return Words{buffers.trainer, buffers.sampler};
}

Result<void> PairWords::intact() const {
    if (!inPlace()) return {};  // each read has checked it
    if (auto whole = m_trainer->intact(*m_pair.trainer); !whole) return whole;
    return m_sampler->intact(*m_pair.sampler);
}

}  // namespace isobit
