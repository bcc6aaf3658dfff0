// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/programs/input_generator.h"

#include <algorithm>

#include "core/base/parallel.h"
#include "core/programs/generator_words.h"

namespace isobit {
namespace {

constexpr std::size_t kElementsPerPiece = 1 << 18;  // half a megabyte of bf16: worth a thread, small beside a tensor
constexpr std::int64_t kMostDrawn = std::int64_t(1) << 36;

Result<void> validate(const GeneratedInput& input) {
    std::int64_t elements = 1;
    for (const std::int64_t size : input.shape)
        if (size < 0 || __builtin_mul_overflow(elements, size, &elements) || elements > kMostDrawn)
            return failure("generator {}: shape {}, expected at most 2^36 elements", input.generator,
                           textOf(input.shape));
    if (input.generator == "index") {
        if (input.modulus < 1) return failure("generator index: modulus {}, expected at least 1", input.modulus);
    } else if (input.exponentLo < 0 || input.exponentHi > 255 || input.exponentLo > input.exponentHi) {
        return failure("generator {}: exponents {}..{}, expected 0 <= lo <= hi <= 255", input.generator,
                       input.exponentLo, input.exponentHi);
    }
    return {};
}

/// Calls make(first, count) for pieces that cover [0, elements); false if stopped before the last.
bool inPieces(std::size_t elements, unsigned threads, const std::stop_token& stop,
              const std::function<void(std::size_t, std::size_t)>& make) {
    const std::size_t pieces = (elements + kElementsPerPiece - 1) / kElementsPerPiece;
    const auto one = [&](std::size_t piece) {
        const std::size_t first = piece * kElementsPerPiece;
        make(first, std::min(kElementsPerPiece, elements - first));
    };
    return parallelFor(pieces, threads, one, stop);
}

void applyEdgeRows(const GeneratedInput& input, std::uint16_t* words) {
    if (input.shape.size() != 2 || input.shape[0] < 2) return;
    const auto columns = static_cast<std::size_t>(input.shape[1]);
    std::fill_n(words, columns, static_cast<std::uint16_t>(0x3F80u | input.seed % 3));
    // The mask keeps the lowest exponent bit, so the exponent is hi or hi | 1: part of the recorded generator.
    std::for_each_n(words + columns, columns, [&](std::uint16_t& word) {
        word = static_cast<std::uint16_t>((word & 0x80FFu) | static_cast<unsigned>(input.exponentHi) << 7);
    });
}

}  // namespace

Result<DType> dtypeOfGenerator(std::string_view generator) {
    if (generator == "bf16" || generator == "bf16_edge_rows") return DType::Bf16;
    if (generator == "fp32") return DType::Fp32;
    if (generator == "index") return DType::I64;
    return failure("unknown input generator {}, known: bf16, bf16_edge_rows, fp32, index", generator);
}

Result<Tensor> generateInput(const GeneratedInput& input, unsigned threads, std::stop_token stop) {
    const Result<DType> dtype = dtypeOfGenerator(input.generator);
    if (!dtype) return failureOf(dtype);
    if (const Result<void> valid = validate(input); !valid) return failureOf(valid);
    Tensor tensor(*dtype, input.shape);
    const auto elements = static_cast<std::size_t>(elementsOf(input.shape));
    const FloatCut cut{static_cast<std::uint32_t>(input.exponentLo),
                       static_cast<std::uint32_t>(input.exponentHi - input.exponentLo + 1)};
    const bool finished = inPieces(elements, threads, stop, [&](std::size_t first, std::size_t count) {
        if (*dtype == DType::Bf16) {
            generateBf16Words(first, count, input.seed, cut, tensor.as<std::uint16_t>() + first);
        } else if (*dtype == DType::Fp32) {
            generateFp32Words(first, count, input.seed, cut, tensor.as<std::uint32_t>() + first);
        } else {
            for (std::size_t i = first; i < first + count; ++i)
                tensor.as<std::int64_t>()[i] = static_cast<std::int64_t>(generatorWord(i, input.seed) %
                                                                         static_cast<std::uint64_t>(input.modulus));
        }
    });
    if (!finished) return failure("generator {}: stopped", input.generator);
    if (input.generator == "bf16_edge_rows") applyEdgeRows(input, tensor.as<std::uint16_t>());
    return tensor;
}

}  // namespace isobit
