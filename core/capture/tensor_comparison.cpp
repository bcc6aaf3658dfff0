// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/capture/tensor_comparison.h"

#include <algorithm>

namespace isobit {
namespace {

constexpr std::int64_t kPieceElements = 1 << 20;

// The shape that is compared: the tensor's own with the columns that were asked for.
Shape comparedShape(const TensorInfo& tensor, const ColumnRange& columns) {
    Shape shape = tensor.shape;
    if (columns.count != 0 && !shape.empty()) shape.back() = columns.count;
    return shape;
}

// Reads the elements [first, first + count) of the compared shape into `out`.
Result<void> readPiece(const TensorFile& file, std::size_t index, const ColumnRange& columns, std::int64_t first,
                       std::int64_t count, std::vector<std::byte>& out) {
    const TensorInfo& tensor = file.tensors()[index];
    const auto size = static_cast<std::int64_t>(bytesOf(tensor.dtype));
    out.resize(static_cast<std::size_t>(count * size));
    if (columns.count == 0) return file.read(index, first, out);
    const std::int64_t stored = tensor.shape.back();
    for (std::int64_t done = 0; done < count;) {
        const std::int64_t row = (first + done) / columns.count;
        const std::int64_t column = (first + done) % columns.count;
        const std::int64_t run = std::min(count - done, columns.count - column);
        const auto target = std::span(out).subspan(static_cast<std::size_t>(done * size), static_cast<std::size_t>(run * size));
        if (const auto read = file.read(index, row * stored + columns.first + column, target); !read) return read;
        done += run;
    }
    return {};
}

Result<Comparison> compareInPieces(const TensorFile& trainer, const TensorFile& sampler, const TensorPair& pair,
                                   const CompareOptions& options) {
    const TensorInfo& tensor = trainer.tensors()[*pair.trainer];
    const std::int64_t elements = elementsOf(comparedShape(tensor, pair.trainerColumns));
    std::vector<std::byte> ours, theirs;
    Comparison whole;
    whole.dtype = tensor.dtype;
    for (std::int64_t first = 0; first < elements; first += kPieceElements) {
        const std::int64_t count = std::min(kPieceElements, elements - first);
        if (const auto read = readPiece(trainer, *pair.trainer, pair.trainerColumns, first, count, ours); !read)
            return failureOf(read);
        if (const auto read = readPiece(sampler, *pair.sampler, pair.samplerColumns, first, count, theirs); !read)
            return failureOf(read);
        CompareOptions piece = options;
        piece.firstIndex = static_cast<std::uint64_t>(first);
        whole = mergeComparisons(std::move(whole), compareWords(tensor.dtype, ours, theirs, piece), options.listLimit);
        if (options.stop.stop_requested()) whole.complete = false;
        if (!whole.complete) break;
    }
    return whole;
}

}  // namespace

std::string incomparable(const TensorFile& trainer, const TensorFile& sampler, const TensorPair& pair) {
    const TensorInfo& ours = trainer.tensors()[*pair.trainer];
    const TensorInfo& theirs = sampler.tensors()[*pair.sampler];
    if (ours.dtype != theirs.dtype)
        return fmt::format("the trainer's is {}, the sampler's {}", nameOf(ours.dtype), nameOf(theirs.dtype));
    const Shape shape = comparedShape(ours, pair.trainerColumns);
    const Shape otherShape = comparedShape(theirs, pair.samplerColumns);
    if (shape != otherShape)
        return fmt::format("the trainer's has shape {}, the sampler's {}", textOf(shape), textOf(otherShape));
    return "";
}

Result<Comparison> comparePair(const TensorFile& trainer, const TensorFile& sampler, const TensorPair& pair,
                               const CompareOptions& options) {
    const bool whole = pair.trainerColumns.count == 0 && pair.samplerColumns.count == 0;
    const auto ours = trainer.view(*pair.trainer);
    if (!ours) return failureOf(ours);
    const auto theirs = sampler.view(*pair.sampler);
    if (!theirs) return failureOf(theirs);
    if (!whole || !ours->isContiguous() || !theirs->isContiguous())
        return compareInPieces(trainer, sampler, pair, options);
    Comparison comparison = compareWords(ours->dtype, ours->bytes(), theirs->bytes(), options);
    if (const auto intact = trainer.intact(*pair.trainer); !intact) return failureOf(intact);
    if (const auto intact = sampler.intact(*pair.sampler); !intact) return failureOf(intact);
    return comparison;
}

}  // namespace isobit
