// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/capture/token_alignment.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "core/tensors/confinement.h"

namespace isobit {
namespace {

constexpr std::int64_t kTokenLimit = std::int64_t(1) << 24;  // tokens whose positions are read

/// A row of one piece that holds one token.
struct TokenRow {
    std::size_t tensor;
    std::int64_t row;
};

/// The tokens of one side of one tensor.
struct TokenLayout {
    std::map<std::int64_t, TokenRow> byPosition;
    bool captured = true;  // every position was captured; false: at least one step was counted on
    std::int64_t steps = 0;
};

std::int64_t rowsOf(const Shape& shape, const Shape& rowShape) {
    const std::int64_t row = elementsOf(rowShape);
    return row == 0 ? 0 : elementsOf(shape) / row;
}

Shape commonEnd(Shape a, const Shape& b) {
    std::size_t same = 0;
    while (same < a.size() && same < b.size() && a[a.size() - 1 - same] == b[b.size() - 1 - same]) ++same;
    return Shape(a.end() - static_cast<std::ptrdiff_t>(same), a.end());
}

// Sizes [batch, tokens] of a step, where token ids or positions are captured with two dimensions.
Shape batchShapeOf(const SideTokens& tokens, std::optional<std::int64_t> step) {
    for (const char* name : {"token_ids", "positions"})
        if (const SideTensor* tensor = tokens.side.byStandardName(name))
            for (const StepTensor& piece : tensor->pieces) {
                const Shape& shape = tokens.side.file().tensors()[piece.tensor].shape;
                if (piece.step == step && shape.size() == 2) return shape;
            }
    return {};
}

// Leading dimensions that are not of a row, as far as a batch tells: batch and tokens, or the batch alone.
std::size_t leadingOf(const SideTokens& tokens, const StepTensor& piece) {
    const Shape& shape = tokens.side.file().tensors()[piece.tensor].shape;
    if (!tokens.batchRow || shape.size() < 2) return 0;
    const Shape batch = batchShapeOf(tokens, piece.step);
    if (!batch.empty()) return std::equal(batch.begin(), batch.end(), shape.begin()) ? 2 : 1;
    return shape.size() > 2 ? 2 : 1;
}

// The shape of what one token has: what all pieces of both sides end in.
Shape rowShapeOf(const SideTokens& trainer, const SideTensor& ours, const SideTokens& sampler, const SideTensor& theirs) {
    Shape shape = trainer.side.first(ours).shape;
    const auto narrow = [&shape](const SideTokens& tokens, const SideTensor& tensor) {
        for (const StepTensor& piece : tensor.pieces) {
            const Shape& other = tokens.side.file().tensors()[piece.tensor].shape;
            const auto leading = static_cast<std::ptrdiff_t>(leadingOf(tokens, piece));
            shape = commonEnd(shape, Shape(other.begin() + leading, other.end()));
        }
    };
    narrow(trainer, ours);
    narrow(sampler, theirs);
    return shape;
}

// Captured positions of one step, if they are integers; empty otherwise.
std::vector<std::int64_t> positionsOf(const SideTokens& tokens, std::optional<std::int64_t> step) {
    const SideTensor* positions = tokens.side.byStandardName("positions");
    if (positions == nullptr) return {};
    const auto piece = std::lower_bound(positions->pieces.begin(), positions->pieces.end(), step,
                                        [](const StepTensor& one, const auto& wanted) { return one.step < wanted; });
    if (piece == positions->pieces.end() || piece->step != step) return {};
    auto values = readIntegers(tokens.side.file(), piece->tensor, {});
    return values ? std::move(*values) : std::vector<std::int64_t>();
}

// Begins of the sequences in a ragged step: where positions do not go on by one.
std::vector<std::int64_t> sequencesIn(const std::vector<std::int64_t>& positions) {
    std::vector<std::int64_t> begins;
    for (std::size_t i = 0; i < positions.size(); ++i)
        if (i == 0 || positions[i] != positions[i - 1] + 1) begins.push_back(static_cast<std::int64_t>(i));
    return begins;
}

/// Collects the rows of one side step by step.
class LayoutBuilder {
public:
    LayoutBuilder(const SideTokens& tokens, const SideTensor& tensor, const Shape& rowShape)
        : m_tokens(tokens), m_tensor(tensor), m_rowShape(rowShape) {}

    Result<TokenLayout> build() {
        for (const StepTensor& piece : m_tensor.pieces)
            if (auto added = addStep(piece); !added) return failureOf(added);
        m_layout.steps = static_cast<std::int64_t>(m_tensor.pieces.size());
        return std::move(m_layout);
    }

private:
    [[nodiscard]] const TensorInfo& infoOf(const StepTensor& piece) const {
        return m_tokens.side.file().tensors()[piece.tensor];
    }

    Result<void> addStep(const StepTensor& piece) {
        const Shape& shape = infoOf(piece).shape;
        const std::int64_t rows = rowsOf(shape, m_rowShape);
        if (rows > kTokenLimit) return failure("{} holds {} rows of tokens", printable(infoOf(piece).name), rows);
        std::vector<std::int64_t> positions = positionsOf(m_tokens, piece.step);
        const bool ragged = static_cast<std::int64_t>(positions.size()) == rows && shape.size() == m_rowShape.size() + 1;
        if (ragged) return addRagged(piece, positions);
        return addBatched(piece, shape, rows, positions);
    }

    // Rows of several sequences one after the other, told apart by their positions.
    Result<void> addRagged(const StepTensor& piece, const std::vector<std::int64_t>& positions) {
        std::vector<std::int64_t> begins = sequencesIn(positions);
        const auto rows = static_cast<std::int64_t>(positions.size());
        if (m_sequences && *m_sequences == rows) {  // a decode step: one row a sequence, whatever the positions
            begins.resize(positions.size());
            for (std::size_t i = 0; i < begins.size(); ++i) begins[i] = static_cast<std::int64_t>(i);
        }
        const auto count = static_cast<std::int64_t>(begins.size());
        if (!m_sequences) m_sequences = count;
        if (count > 1 && !m_tokens.batchRow)
            return failure("{} holds {} sequences; --row selects one", printable(infoOf(piece).name), count);
        const std::int64_t wanted = m_tokens.batchRow.value_or(0);
        if (wanted >= count) return outside(piece, wanted, count);
        const std::int64_t begin = begins[static_cast<std::size_t>(wanted)];
        const std::int64_t end = wanted + 1 < count ? begins[static_cast<std::size_t>(wanted + 1)] : rows;
        for (std::int64_t row = begin; row < end; ++row)
            if (auto added = add(piece, row, positions[static_cast<std::size_t>(row)]); !added) return added;
        return {};
    }

    // All rows of one sequence, or those of one row of a batch.
    Result<void> addBatched(const StepTensor& piece, const Shape& shape, std::int64_t rows,
                            std::vector<std::int64_t>& positions) {
        const std::size_t leading = shape.size() - m_rowShape.size();
        const std::int64_t batch = m_tokens.batchRow || leading > 1 ? (shape.empty() ? 1 : shape.front()) : 1;
        if (batch > 1 && !m_tokens.batchRow)
            return failure("{} holds {} rows of a batch; --row selects one", printable(infoOf(piece).name), batch);
        const std::int64_t wanted = m_tokens.batchRow.value_or(0);
        if (wanted >= batch) return outside(piece, wanted, batch);
        const std::int64_t length = batch == 0 ? 0 : rows / batch;
        if (static_cast<std::int64_t>(positions.size()) == rows && batch > 1)
            positions = {positions.begin() + wanted * length, positions.begin() + (wanted + 1) * length};
        const bool captured = static_cast<std::int64_t>(positions.size()) == length && length > 0;
        m_layout.captured = m_layout.captured && captured;
        for (std::int64_t i = 0; i < length; ++i) {
            const std::int64_t position = captured ? positions[static_cast<std::size_t>(i)] : m_next;
            if (auto added = add(piece, wanted * length + i, position); !added) return added;
        }
        return {};
    }

    Result<void> add(const StepTensor& piece, std::int64_t row, std::int64_t position) {
        if (!m_layout.byPosition.emplace(position, TokenRow{piece.tensor, row}).second)
            return failure("{} holds position {} twice", printable(m_tensor.name), position);
        m_next = position + 1;
        return {};
    }

    tl::unexpected<Error> outside(const StepTensor& piece, std::int64_t wanted, std::int64_t count) const {
        return failure("{} holds {} rows of a batch, so there is no row {}", printable(infoOf(piece).name), count, wanted);
    }

    const SideTokens& m_tokens;
    const SideTensor& m_tensor;
    const Shape& m_rowShape;
    TokenLayout m_layout;
    std::optional<std::int64_t> m_sequences;  // in the first ragged step
    std::int64_t m_next = 0;                  // position that follows
};

void appendRow(Selection& selection, const TokenRow& row) {
    if (!selection.pieces.empty()) {
        RowPiece& last = selection.pieces.back();
        if (last.tensor == row.tensor && last.first + last.count == row.row) {
            ++last.count;
            return;
        }
    }
    selection.pieces.push_back({row.tensor, row.row, 1});
}

std::string labelOf(const TokenLayout& ours, const TokenLayout& theirs, std::int64_t common, std::int64_t firstPosition) {
    std::string text = fmt::format("{} tokens from position {}", common, firstPosition);
    if (ours.steps > 1) text += fmt::format(", {} steps of the trainer", ours.steps);
    if (theirs.steps > 1) text += fmt::format(", {} steps of the sampler", theirs.steps);
    text += ours.captured && theirs.captured ? "; positions captured"
            : ours.captured || theirs.captured
                ? "; positions captured on one side, inferred from the order of steps on the other"
                : "; positions inferred from the order of steps";
    const auto left = [common](const TokenLayout& layout) { return static_cast<std::int64_t>(layout.byPosition.size()) - common; };
    if (left(ours) > 0) text += fmt::format("; {} tokens of the trainer alone left out", left(ours));
    if (left(theirs) > 0) text += fmt::format("; {} tokens of the sampler alone left out", left(theirs));
    return text;
}

Shape withoutLeadingOnes(Shape shape) {
    while (!shape.empty() && shape.front() == 1) shape.erase(shape.begin());
    return shape;
}

// Weights and tables have no tokens, whatever their sizes.
bool hasTokens(const SideTensor& tensor) {
    for (const std::string_view end : {".weight", ".bias", "inv_freq", "_cache", "table"})
        if (tensor.name.ends_with(end)) return false;
    return true;
}

// The batch row where the tensor has a batch: one of its own sizes, or rows that the step's positions are of.
std::optional<std::int64_t> batchRowOf(const SideTokens& tokens, const SideTensor& tensor) {
    if (!tokens.batchRow || !hasTokens(tensor)) return std::nullopt;
    const StepTensor& piece = tensor.pieces.front();
    const Shape& shape = tokens.side.file().tensors()[piece.tensor].shape;
    if (shape.empty()) return std::nullopt;
    const Shape batch = batchShapeOf(tokens, piece.step);
    if (!batch.empty()) return shape.front() == batch.front() ? tokens.batchRow : std::nullopt;
    const auto positions = static_cast<std::int64_t>(positionsOf(tokens, piece.step).size());
    return shape.size() > 1 || positions == shape.front() ? tokens.batchRow : std::nullopt;
}

bool positionsFit(const SideTokens& tokens, const SideTensor& tensor) {
    const StepTensor& piece = tensor.pieces.front();
    const Shape& shape = tokens.side.file().tensors()[piece.tensor].shape;
    return !shape.empty() && static_cast<std::int64_t>(positionsOf(tokens, piece.step).size()) == shape.front();
}

bool equalButForLeadingOnes(const Shape& a, const Shape& b) {
    return a != b && withoutLeadingOnes(a) == withoutLeadingOnes(b);
}

bool isSinglePass(const SideTensor& tensor) { return tensor.pieces.size() == 1; }

}  // namespace

bool needsAlignment(const SideTokens& trainer, const SideTensor& ours, const SideTokens& sampler,
                    const SideTensor& theirs) {
    if (!isSinglePass(ours) || !isSinglePass(theirs)) return true;
    if (batchRowOf(trainer, ours) || batchRowOf(sampler, theirs)) return true;
    const Shape& shape = trainer.side.first(ours).shape;
    const Shape& other = sampler.side.first(theirs).shape;
    if (equalButForLeadingOnes(shape, other)) return true;
    return shape != other && shape.size() == other.size() && !shape.empty() &&
           std::equal(shape.begin() + 1, shape.end(), other.begin() + 1) && positionsFit(trainer, ours) &&
           positionsFit(sampler, theirs);
}

Result<Alignment> alignTokens(const SideTokens& trainerSide, const SideTensor& ours, const SideTokens& samplerSide,
                              const SideTensor& theirs) {
    const SideTokens trainer{trainerSide.side, batchRowOf(trainerSide, ours)};
    const SideTokens sampler{samplerSide.side, batchRowOf(samplerSide, theirs)};
    const Shape& shape = trainer.side.first(ours).shape;
    if (isSinglePass(ours) && isSinglePass(theirs) && !trainer.batchRow && !sampler.batchRow &&
        equalButForLeadingOnes(shape, sampler.side.first(theirs).shape)) {
        const Shape row = withoutLeadingOnes(shape);
        return Alignment{{{{ours.pieces.front().tensor, 0, 1}}, row, {}}, {{{theirs.pieces.front().tensor, 0, 1}}, row, {}},
                         "leading dimensions of 1 put aside"};
    }
    const Shape rowShape = rowShapeOf(trainer, ours, sampler, theirs);
    const auto trainerRows = LayoutBuilder(trainer, ours, rowShape).build();
    if (!trainerRows) return failure("the trainer's {}", trainerRows.error().message);
    const auto samplerRows = LayoutBuilder(sampler, theirs, rowShape).build();
    if (!samplerRows) return failure("the sampler's {}", samplerRows.error().message);
    Alignment alignment{{{}, rowShape, {}}, {{}, rowShape, {}}, ""};
    std::int64_t common = 0;
    std::optional<std::int64_t> firstPosition;
    for (const auto& [position, row] : trainerRows->byPosition) {
        const auto other = samplerRows->byPosition.find(position);
        if (other == samplerRows->byPosition.end()) continue;
        appendRow(alignment.trainer, row);
        appendRow(alignment.sampler, other->second);
        if (!firstPosition) firstPosition = position;
        ++common;
    }
    if (common == 0) return failure("the two sides have no token position in common");
    for (const auto& [side, row] : {std::pair("trainer", trainer.batchRow), {"sampler", sampler.batchRow}})
        if (row) alignment.how += fmt::format("row {} of the {}'s batch; ", *row, side);
    alignment.how += labelOf(*trainerRows, *samplerRows, common, *firstPosition);
    return alignment;
}

Result<std::vector<std::int64_t>> readIntegers(const TensorFile& file, std::size_t tensor, const Selection& selection) {
    const TensorInfo& info = file.tensors()[tensor];
    if (info.dtype < DType::I8 || info.dtype > DType::U64)
        return failure("{}: {} is {}, expected integers", printable(file.path()), printable(info.name), nameOf(info.dtype));
    const std::int64_t elements = elementsOf(selectedShape(file, tensor, selection));
    if (elements > kTokenLimit) return failure("{}: {} holds {} integers", printable(file.path()), printable(info.name), elements);
    const std::size_t width = bytesOf(info.dtype);
    std::vector<std::byte> bytes(static_cast<std::size_t>(elements) * width);
    if (const auto read = readSelected(file, tensor, selection, 0, bytes); !read) return failureOf(read);
    std::vector<std::int64_t> values(static_cast<std::size_t>(elements));
    const bool isSigned = info.dtype <= DType::I64;
    for (std::size_t i = 0; i < values.size(); ++i) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + i * width, width);
        const auto shift = static_cast<int>(64 - 8 * width);
        values[i] = isSigned ? static_cast<std::int64_t>(word << shift) >> shift : static_cast<std::int64_t>(word);
    }
    return values;
}

}  // namespace isobit
