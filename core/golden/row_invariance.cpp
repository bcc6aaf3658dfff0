// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/golden/row_invariance.h"

#include <algorithm>
#include <cstring>

#include "core/programs/input_generator.h"

namespace isobit {
namespace {

constexpr std::int64_t kMostWeights = std::int64_t(1) << 31;

// The operands of one weight. "a" has the largest batch's rows, and its first row once more behind them.
struct Operands {
    Tensor a;
    Tensor b;
};

DType typeFor(const Program& program) {
    if (program.arithmetic().starts_with("gemm.fp16")) return DType::Fp16;
    return program.arithmetic().starts_with("gemm.fp32") ? DType::Fp32 : DType::Bf16;
}

constexpr int kExponentLo = 118;  // values near one, as normal-range goldens have
constexpr int kExponentHi = 128;

// A bf16 word of those exponents as an fp16 word of nearly the same value.
std::uint16_t halfOf(std::uint16_t word) {
    const int exponent = (word >> 7 & 0xFF) - 127 + 15;
    return static_cast<std::uint16_t>((word & 0x8000) | exponent << 10 | (word & 0x7F) << 3);
}

Result<Tensor> generateMatrix(DType type, Shape shape, std::uint64_t seed, unsigned threads) {
    auto words = generateInput({.generator = type == DType::Fp32 ? "fp32" : "bf16",
                                .shape = shape,
                                .seed = seed,
                                .exponentLo = kExponentLo,
                                .exponentHi = kExponentHi},
                               threads);
    if (!words || type != DType::Fp16) return words;
    Tensor halves(type, std::move(shape));
    const auto* const from = words->as<std::uint16_t>();
    std::transform(from, from + halves.bytes().size() / 2, halves.as<std::uint16_t>(), halfOf);
    return halves;
}

Result<Operands> generate(DType type, std::int64_t rows, const RowWeight& weight, const RowInvarianceOptions& options) {
    if (weight.depth < 1 || weight.columns < 1 || weight.depth > kMostWeights / std::max(rows + 1, weight.columns))
        return failure("N {}, K {}: expected sizes of 1 or more, and operands of at most {} elements", weight.columns,
                       weight.depth, kMostWeights);
    auto a = generateMatrix(type, {rows + 1, weight.depth}, options.seed, options.threads);
    if (!a) return failureOf(a);
    const auto bytes = a->bytes();
    const std::size_t row = bytes.size() / static_cast<std::size_t>(rows + 1);
    std::copy_n(bytes.begin(), row, bytes.end() - static_cast<std::ptrdiff_t>(row));
    auto b = generateMatrix(type, {weight.depth, weight.columns}, options.seed + 1, options.threads);
    if (!b) return failureOf(b);
    return Operands{std::move(*a), std::move(*b)};
}

class Rows {
public:
    Rows(const Program& program, const Operands& operands, const RowInvarianceOptions& options, RowInvariance& result)
        : m_program(program), m_operands(operands), m_options(options), m_result(result) {}

    // Rows [first, first + count) of "a".
    Result<Tensor> run(std::int64_t first, std::int64_t count) const {
        OperationCall call{.operation = "gemm", .inputs = {}, .parameters = {}};
        TensorView a = m_operands.a.view();
        a.data += first * a.strides[0] * static_cast<std::int64_t>(bytesOf(a.dtype));
        a.shape[0] = count;
        call.inputs["a"] = a;
        call.inputs["b"] = m_operands.b.view();
        auto outputs = m_program.run(call, {m_options.threads, m_options.stop});
        if (!outputs) return failureOf(outputs);
        return std::move(outputs->front().tensor);
    }

    // Compares rows [first, first + count), as a batch, with those of the largest one; its row `rows` stands for row 0.
    void compare(const Tensor& all, std::int64_t first, std::int64_t count, const std::string& batch) {
        ++m_result.batches;
        const auto own = run(first, count);
        if (!own) return problem(batch, own.error().message), void(++m_result.failures);
        const std::size_t word = bytesOf(all.dtype());
        const std::size_t row = all.bytes().size() / static_cast<std::size_t>(all.shape()[0]);
        std::uint64_t differing = 0;
        for (std::int64_t i = 0; i < count; ++i) {
            const std::int64_t of = (first + i) % all.shape()[0];
            const std::byte* const left = std::as_const(*own).bytes().data() + static_cast<std::size_t>(i) * row;
            const std::byte* const right = all.bytes().data() + static_cast<std::size_t>(of) * row;
            if (std::memcmp(left, right, row) == 0) continue;
            for (std::size_t at = 0; at < row; at += word)
                differing += std::memcmp(left + at, right + at, word) != 0 ? 1 : 0;
        }
        m_result.words += static_cast<std::uint64_t>(count) * (row / word);
        m_result.differing += differing;
        if (differing != 0) problem(batch, fmt::format("{} words differ from those of the largest batch", differing));
    }

    void problem(const std::string& batch, std::string_view text) {
        if (m_result.firstProblem.empty()) m_result.firstProblem = fmt::format("{}: {}", batch, text);
    }

private:
    const Program& m_program;
    const Operands& m_operands;
    const RowInvarianceOptions& m_options;
    RowInvariance& m_result;
};

Result<void> measureWeight(const Program& program, const RowWeight& weight, const RowInvarianceOptions& options,
                           RowInvariance& result) {
    const std::int64_t most = *std::ranges::max_element(options.rows);
    const auto operands = generate(typeFor(program), most, weight, options);
    if (!operands) return failureOf(operands);
    Rows rows(program, *operands, options, result);
    const auto all = rows.run(0, most);
    if (!all) {
        rows.problem(fmt::format("M {}, N {}, K {}", most, weight.columns, weight.depth), all.error().message);
        ++result.failures;
        result.unlike = options.rows;
        return {};
    }
    for (const std::int64_t count : options.rows) {
        if (options.stop.stop_requested()) return {};
        const std::uint64_t problems = result.differing + result.failures;
        const std::string batch = fmt::format("M {}, N {}, K {}", count, weight.columns, weight.depth);
        rows.compare(*all, 0, count, batch);
        rows.compare(*all, most + 1 - count, count, batch + ", row 0 as the last");
        if (result.differing + result.failures != problems &&
            std::ranges::find(result.unlike, count) == result.unlike.end())
            result.unlike.push_back(count);
    }
    return {};
}

}  // namespace

Result<std::vector<RowInvariance>> measureRowInvariance(const ProgramList& programs,
                                                        const RowInvarianceOptions& options) {
    if (options.rows.empty() || *std::ranges::min_element(options.rows) < 1)
        return failure("numbers of rows must be 1 or more");
    std::vector<RowInvariance> results;
    for (const auto& program : programs) {
        if (program->operation() != "gemm" || !std::regex_search(std::string(program->name()), options.filter))
            continue;
        if (options.stop.stop_requested()) break;
        RowInvariance result{.program = std::string(program->name())};
        for (const RowWeight& weight : options.weights)
            if (auto measured = measureWeight(*program, weight, options, result); !measured) return failureOf(measured);
        std::ranges::copy_if(options.rows, std::back_inserter(result.alike), [&](std::int64_t count) {
            return std::ranges::find(result.unlike, count) == result.unlike.end();
        });
        results.push_back(std::move(result));
        if (options.progress) options.progress(results.back());
    }
    if (results.empty() && !options.stop.stop_requested()) return failure("no program runs operation \"gemm\"");
    return results;
}

}  // namespace isobit
