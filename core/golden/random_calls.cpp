// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/golden/random_calls.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>

#include "core/silicon/sm90_tensor_core.h"
#include "core/silicon/tensor_operands.h"

namespace isobit {
namespace {

constexpr std::array<std::string_view, 8> kDrawnOperations{"attention", "bmm",      "gemm", "lm_head",
                                                      "lora_fold", "rms_norm", "rope", "silu_mul"};

// Draws for one call. Every draw moves on, so their order is part of the function.
class Draw {
public:
    explicit Draw(std::uint64_t seed) : m_state(seed) {}
    std::uint64_t bits() { return mixBits(m_state++); }
    // In [low, high], small values as likely as large ones: the number of digits is drawn first.
    std::int64_t size(std::int64_t low, std::int64_t high) {
        const auto span = static_cast<std::uint64_t>(high - low + 1);
        const int digits = static_cast<int>(bits() % static_cast<unsigned>(std::bit_width(span)));
        return low + static_cast<std::int64_t>(bits() % std::min<std::uint64_t>(span, std::uint64_t(2) << digits));
    }
    bool coin() { return bits() % 2 == 0; }
    OperandClass operandClass() {
        return bits() % 4 != 0 ? OperandClass::Ordinary : OperandClass(bits() % kOperandClasses);
    }

private:
    std::uint64_t m_state;
};

std::uint32_t wordOf(DType dtype, OperandClass operandClass, OperandRole role, std::uint64_t random) {
    if (dtype == DType::Bf16) return randomOperand<sm90::TensorBf16>(operandClass, role, random);
    if (dtype == DType::Fp16) return randomOperand<sm90::TensorFp16>(operandClass, role, random);
    const std::uint32_t tf32 = randomOperand<sm90::TensorTf32>(operandClass, role, random);
    return tf32 << 13 | static_cast<std::uint32_t>(mixBits(random) & 0x1FFFu);
}

class CallBuilder {
public:
    CallBuilder(std::string_view operation, std::uint64_t seed) : m_draw(seed) { m_result.call.operation = operation; }
    Draw& draw() { return m_draw; }

    // A matrix whose rows may be wider than what is shown, stored transposed if asked for. `aligned`: as wide as the
    // next multiple of eight elements, which the copy engine wants.
    void matrix(const std::string& name, DType dtype, std::int64_t rows, std::int64_t columns,
                OperandClass operandClass, OperandRole role, bool padded, bool transposed = false,
                bool aligned = false) {
        const std::int64_t lines = transposed ? columns : rows;
        std::int64_t width = (transposed ? rows : columns) + (padded ? m_draw.size(1, 40) : 0);
        if (aligned) width = (width + 7) / 8 * 8;
        Tensor tensor(dtype, {lines, width});
        const std::uint64_t stream = m_draw.bits();
        for (std::int64_t i = 0; i < lines * width; ++i) {
            const std::uint32_t word =
                wordOf(dtype, operandClass, role, mixBits(stream + static_cast<std::uint64_t>(i)));
            if (bytesOf(dtype) == 2)
                tensor.as<std::uint16_t>()[i] = static_cast<std::uint16_t>(word);
            else
                tensor.as<std::uint32_t>()[i] = word;
        }
        const Shape strides = transposed ? Shape{1, width} : Shape{width, 1};
        add(name, std::move(tensor), {rows, columns}, strides);
    }

    // A matrix [rows, groups * n] shown as [rows, groups, n].
    void splitColumns(const std::string& name, std::int64_t groups) {
        TensorView& view = m_result.call.inputs.at(name);
        const std::int64_t each = view.shape[1] / groups;
        view = {view.dtype, {view.shape[0], groups, each}, {view.strides[0], each, 1}, view.data};
    }

    // A matrix of all batches' lines, one batch after the other along `dimension`, shown as a stack.
    void stack(const std::string& name, int dimension, std::int64_t batches) {
        TensorView& view = m_result.call.inputs.at(name);
        const std::int64_t each = view.shape[dimension] / batches;
        const std::int64_t step = each * view.strides[dimension];
        view.shape[dimension] = each;
        view.shape.insert(view.shape.begin(), batches);
        view.strides.insert(view.strides.begin(), step);
        m_result.text += fmt::format("{} in {} batches, ", name, batches);
    }

    void vector(const std::string& name, std::int64_t length) {
        Tensor tensor(DType::Bf16, {length});
        for (std::int64_t i = 0; i < length; ++i)
            tensor.as<std::uint16_t>()[i] = static_cast<std::uint16_t>(
                randomOperand<sm90::TensorBf16>(OperandClass::Ordinary, OperandRole::B, m_draw.bits()));
        add(name, std::move(tensor), {length}, {1});
    }

    void ids(const std::string& name, std::int64_t length, std::int64_t modulus) {
        Tensor tensor(DType::I64, {length});
        for (std::int64_t i = 0; i < length; ++i)
            tensor.as<std::int64_t>()[i] =
                static_cast<std::int64_t>(m_draw.bits() % static_cast<std::uint64_t>(modulus));
        add(name, std::move(tensor), {length}, {1});
    }

    // Tokens by heads by elements of a head; no word that is not finite where `finite`.
    void heads(const std::string& name, const Shape& shape, OperandClass operandClass, OperandRole role, bool finite) {
        Tensor tensor(DType::Bf16, shape);
        const std::uint64_t stream = m_draw.bits();
        for (std::int64_t i = 0; i < elementsOf(shape); ++i) {
            auto word = static_cast<std::uint16_t>(
                wordOf(DType::Bf16, operandClass, role, mixBits(stream + static_cast<std::uint64_t>(i))));
            if (finite && (word & 0x7F80u) == 0x7F80u) word &= 0xBFFFu;
            tensor.as<std::uint16_t>()[i] = word;
        }
        add(name, std::move(tensor), shape, contiguousStrides(shape));
    }

    void integers(const std::string& name, const std::vector<std::int64_t>& values, Shape shape) {
        Tensor tensor(DType::I64, shape);
        std::copy(values.begin(), values.end(), tensor.as<std::int64_t>());
        add(name, std::move(tensor), shape, contiguousStrides(shape));
    }

    void parameter(const std::string& name, double value) { m_result.call.parameters[name] = value; }

    RandomCall finish(OperandClass operandClass) {
        m_result.text += fmt::format("words {}", kOperandClassNames[static_cast<int>(operandClass)]);
        for (const auto& [name, value] : m_result.call.parameters) m_result.text += fmt::format(", {} {}", name, value);
        return std::move(m_result);
    }

private:
    void add(const std::string& name, Tensor tensor, Shape shape, Shape strides) {
        m_result.text += fmt::format("{} [{}] strides [{}], ", name, fmt::join(shape, ", "), fmt::join(strides, ", "));
        m_result.call.inputs[name] = {tensor.dtype(), std::move(shape), std::move(strides), tensor.view().data};
        m_result.tensors.push_back({name, std::move(tensor)});
    }

    Draw m_draw;
    RandomCall m_result;
};

RandomCall drawGemm(CallBuilder& builder, DType operand) {
    Draw& draw = builder.draw();
    const std::int64_t rows = draw.size(1, 300);
    const std::int64_t columns = draw.size(1, 400);
    const std::int64_t depth = draw.size(1, 1200);
    const OperandClass operandClass = draw.operandClass();
    const bool aligned = draw.coin();
    const bool aPadded = draw.coin();
    builder.matrix("a", operand, rows, depth, operandClass, OperandRole::A, aPadded, draw.bits() % 8 == 0, aligned);
    const bool bPadded = draw.coin();
    builder.matrix("b", operand, depth, columns, operandClass, OperandRole::B, bPadded, draw.coin(), aligned);
    if (draw.coin()) builder.vector("bias", columns);
    return builder.finish(operandClass);
}

RandomCall drawBmm(CallBuilder& builder, DType operand) {
    Draw& draw = builder.draw();
    const std::int64_t batches = draw.size(1, 6);
    const std::int64_t rows = draw.size(1, 90);
    const std::int64_t columns = draw.size(1, 120);
    const std::int64_t depth = draw.size(1, 400);
    const OperandClass operandClass = draw.operandClass();
    const bool aligned = draw.coin();
    const bool transposed = draw.coin();
    const bool padded = draw.coin();
    builder.matrix("a", operand, batches * rows, depth, operandClass, OperandRole::A, padded, false, aligned);
    builder.stack("a", 0, batches);
    if (transposed)
        builder.matrix("b", operand, depth, batches * columns, operandClass, OperandRole::B, padded, true, aligned);
    else
        builder.matrix("b", operand, batches * depth, columns, operandClass, OperandRole::B, padded, false, aligned);
    builder.stack("b", transposed ? 1 : 0, batches);
    return builder.finish(operandClass);
}

RandomCall drawHead(CallBuilder& builder) {
    Draw& draw = builder.draw();
    // Past the rows and vocabularies at which a kernel for large tiles shares out its work in another way.
    const std::int64_t rows = draw.size(1, 600);
    const std::int64_t vocabulary = draw.size(1, 20000);
    const std::int64_t depth = draw.size(1, 300);
    const bool aligned = draw.coin();
    const bool padded = draw.coin();
    builder.matrix("h", DType::Bf16, rows, depth, OperandClass::Ordinary, OperandRole::A, padded, false, aligned);
    builder.matrix("W", DType::Bf16, vocabulary, depth, OperandClass::Ordinary, OperandRole::B, padded, false, aligned);
    builder.ids("ids", rows, vocabulary);
    if (draw.coin()) builder.parameter("temperature", 0.1 + 0.01 * static_cast<double>(draw.bits() % 300));
    builder.parameter("keep_logits", draw.coin() ? 1 : 0);
    return builder.finish(OperandClass::Ordinary);
}

RandomCall drawFold(CallBuilder& builder) {
    Draw& draw = builder.draw();
    const std::int64_t rows = draw.size(1, 200);
    const std::int64_t columns = draw.size(1, 300);
    const std::int64_t rank = draw.size(1, 128);
    builder.matrix("W", DType::Bf16, rows, columns, OperandClass::Ordinary, OperandRole::A, false);
    builder.matrix("A", DType::Fp32, rank, columns, OperandClass::Ordinary, OperandRole::A, false);
    builder.matrix("B", DType::Fp32, rows, rank, OperandClass::Ordinary, OperandRole::B, false);
    builder.parameter("scaling", 0.125 * static_cast<double>(1 + draw.bits() % 31));
    return builder.finish(OperandClass::Ordinary);
}

RandomCall drawNorm(CallBuilder& builder) {
    Draw& draw = builder.draw();
    const std::int64_t rows = draw.size(1, 300);
    const std::int64_t columns = draw.size(1, 16384);
    const OperandClass operandClass = draw.operandClass();
    builder.matrix("x", DType::Bf16, rows, columns, operandClass, OperandRole::A, draw.coin());
    if (draw.coin()) builder.matrix("r", DType::Bf16, rows, columns, operandClass, OperandRole::A, draw.coin());
    builder.vector("w", columns);
    builder.parameter("epsilon", 1e-6);
    return builder.finish(operandClass);
}

// x is a packed projection half of the time: its tokens are farther apart than their heads are long.
RandomCall drawRope(CallBuilder& builder, DType operand) {
    Draw& draw = builder.draw();
    const std::int64_t tokens = draw.size(1, 200);
    const std::int64_t heads = draw.size(1, 12);
    const std::int64_t half = draw.size(1, 130);
    const std::int64_t headSize = 2 * half + (draw.coin() ? 0 : draw.size(1, 70));
    const OperandClass operandClass = draw.operandClass();
    builder.matrix("x", operand, tokens, heads * headSize, operandClass, OperandRole::A, draw.coin());
    builder.splitColumns("x", heads);
    builder.matrix("cos", DType::Fp32, tokens, half, OperandClass::Ordinary, OperandRole::B, false);
    builder.matrix("sin", DType::Fp32, tokens, half, operandClass, OperandRole::B, false);
    builder.parameter("pairing", draw.coin() ? 1 : 2);
    return builder.finish(operandClass);
}

// Requests of 1 to 4,097 keys, ragged, their queries the last ones: all, some, or one as in decode.
struct DrawnRequests {
    std::vector<std::int64_t> queries{0};  // cumulative
    std::vector<std::int64_t> keys;        // of each
};

DrawnRequests drawRequests(Draw& draw, std::int64_t heads) {
    DrawnRequests requests;
    const std::int64_t count = draw.size(1, 9);
    const auto form = draw.bits() % 3;
    // The work of the CPU model is bounded: queries times keys times heads.
    std::int64_t left = 6'000'000 / heads;
    for (std::int64_t b = 0; b < count; ++b) {
        const std::int64_t keys = draw.size(1, 4097);
        std::int64_t queries = form == 0 ? keys : form == 1 ? 1 : draw.size(1, keys);
        queries = std::clamp<std::int64_t>(left / keys, 1, queries);
        left -= queries * keys;
        requests.queries.push_back(requests.queries.back() + queries);
        requests.keys.push_back(keys);
    }
    return requests;
}

void addPackedKeys(CallBuilder& builder, const DrawnRequests& requests, std::int64_t kvHeads, std::int64_t headDim,
                   OperandClass operandClass) {
    std::vector<std::int64_t> keys{0};
    for (const std::int64_t count : requests.keys) keys.push_back(keys.back() + count);
    builder.heads("k", {keys.back(), kvHeads, headDim}, operandClass, OperandRole::B, false);
    builder.heads("v", {keys.back(), kvHeads, headDim}, operandClass, OperandRole::B, true);
    builder.integers("cu_seqlens_k", keys, {std::ssize(keys)});
}

// Pages are drawn, so that requests share some of them, as they share prefixes.
void addPagedKeys(CallBuilder& builder, const DrawnRequests& requests, std::int64_t kvHeads, std::int64_t headDim,
                  OperandClass operandClass) {
    Draw& draw = builder.draw();
    const std::int64_t size = draw.coin() ? 1 : draw.size(1, 130);
    const std::int64_t longest = *std::max_element(requests.keys.begin(), requests.keys.end());
    const std::int64_t width = (longest + size - 1) / size;
    const std::int64_t pages = width + draw.size(1, 50);
    std::vector<std::int64_t> table(requests.keys.size() * static_cast<std::size_t>(width));
    for (std::int64_t& page : table) page = static_cast<std::int64_t>(draw.bits() % static_cast<std::uint64_t>(pages));
    builder.heads("k", {pages, size, kvHeads, headDim}, operandClass, OperandRole::B, false);
    builder.heads("v", {pages, size, kvHeads, headDim}, operandClass, OperandRole::B, true);
    builder.integers("page_table", table, {std::ssize(requests.keys), width});
    builder.integers("kv_lens", requests.keys, {std::ssize(requests.keys)});
}

RandomCall drawAttention(CallBuilder& builder) {
    Draw& draw = builder.draw();
    const std::int64_t headDim = std::int64_t(64) << draw.bits() % 3;
    const std::int64_t kvHeads = draw.size(1, 3);
    const std::int64_t heads = kvHeads * draw.size(1, 8);
    const DrawnRequests requests = drawRequests(draw, heads * headDim / 64);
    const OperandClass operandClass = draw.operandClass();
    builder.heads("q", {requests.queries.back(), heads, headDim}, operandClass, OperandRole::A, false);
    builder.integers("cu_seqlens_q", requests.queries, {std::ssize(requests.queries)});
    if (draw.coin())
        addPackedKeys(builder, requests, kvHeads, headDim, operandClass);
    else
        addPagedKeys(builder, requests, kvHeads, headDim, operandClass);
    builder.parameter("page_size", static_cast<double>(draw.coin() ? 1 : draw.size(1, 100)));
    builder.parameter("chunk", static_cast<double>(draw.size(16, 512)));
    if (draw.bits() % 4 == 0) builder.parameter("window_left", static_cast<double>(draw.size(1, 700)));
    if (draw.coin()) builder.parameter("num_splits", static_cast<double>(draw.size(1, 32)));
    if (draw.coin()) builder.parameter("scale", 0.01 + 0.001 * static_cast<double>(draw.bits() % 500));
    return builder.finish(operandClass);
}

RandomCall drawSilu(CallBuilder& builder) {
    Draw& draw = builder.draw();
    const std::int64_t rows = draw.size(1, 200);
    const std::int64_t columns = draw.size(1, 3000);
    const OperandClass operandClass = draw.operandClass();
    builder.matrix("x", DType::Bf16, rows, 2 * columns, operandClass, OperandRole::A, false);
    return builder.finish(operandClass);
}

}  // namespace

std::span<const std::string_view> randomOperations() { return kDrawnOperations; }

Result<RandomCall> drawCall(std::string_view operation, std::uint64_t seed, std::uint64_t index, DType operand) {
    CallBuilder builder(operation, mixBits(mixBits(seed) + index) & ~std::uint64_t(0xFFFF));
    if (operation == "attention") return drawAttention(builder);
    if (operation == "bmm") return drawBmm(builder, operand);
    if (operation == "gemm") return drawGemm(builder, operand);
    if (operation == "lm_head") return drawHead(builder);
    if (operation == "lora_fold") return drawFold(builder);
    if (operation == "rms_norm") return drawNorm(builder);
    if (operation == "rope") return drawRope(builder, operand);
    if (operation == "silu_mul") return drawSilu(builder);
    return failure("no calls can be drawn for operation \"{}\"; for {} they can", operation,
                   fmt::join(kDrawnOperations, ", "));
}

}  // namespace isobit
