// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/programs/rope_inputs.h"

#include <cmath>
#include <cstring>
#include <utility>

#include "core/arithmetic/rope_table.h"
#include "core/contracts/rope_envelope.h"
#include "core/programs/call_inputs.h"

namespace isobit {
namespace {

constexpr std::int64_t kMostPosition = std::int64_t(1) << 24;

// rope.md 6: the first action of a Class-B apply.
Result<void> checkTableTypes(const OperationCall& call) {
    const auto cosine = call.inputs.find("cos");
    const auto sine = call.inputs.find("sin");
    if (cosine == call.inputs.end() || sine == call.inputs.end()) return {};
    return checkClassBTypes(cosine->second.dtype, sine->second.dtype);
}

Result<RopePairing> readPairing(const OperationCall& call, RopePairing otherwise) {
    if (const auto number = call.parameters.find("pairing"); number != call.parameters.end()) {
        if (number->second == 1) return RopePairing::HalfSplit;
        if (number->second == 2) return RopePairing::Interleaved;
        return failure("rope: pairing {} is neither 1 (half-split) nor 2 (interleaved)", number->second);
    }
    const auto found = call.choices.find("pairing");
    if (found == call.choices.end()) return otherwise;
    if (const auto pairing = choiceByName<RopePairing>(found->second)) return *pairing;
    return failure("rope: pairing \"{}\" is neither half_split nor interleaved", found->second);
}

Result<std::int64_t> readWhole(const OperationCall& call, const char* name) {
    const auto found = call.parameters.find(name);
    if (found == call.parameters.end()) return 0;
    if (!(found->second >= 0 && found->second <= static_cast<double>(kMostPosition)) ||
        std::floor(found->second) != found->second)
        return failure("rope: {} is {}, expected a whole number from 0 to {}", name, found->second, kMostPosition);
    return static_cast<std::int64_t>(found->second);
}

// A doubled table's rows repeat their first half; only that is kept.
Result<void> halve(const char* name, WidenedMatrix& table) {
    if (table.columns % 2 != 0)
        return failure("rope: input \"{}\" is doubled, but its rows have {} words", name, table.columns);
    const auto width = static_cast<std::size_t>(table.columns);
    const std::size_t half = width / 2;
    const std::size_t rows = width == 0 ? 0 : table.values.size() / width;
    for (std::size_t row = 0; row < rows; ++row) {
        const float* const from = table.values.data() + row * width;
        if (std::memcmp(from, from + half, half * sizeof(float)) != 0)
            return failure("rope: input \"{}\" is doubled, but the halves of row {} differ", name, row);
        std::memmove(table.values.data() + row * half, from, half * sizeof(float));
    }
    table.values.resize(rows * half);
    table.columns = static_cast<std::int64_t>(half);
    return {};
}

Result<WidenedMatrix> readTable(const OperationCall& call, const char* name, std::int64_t tokens, bool doubled) {
    auto table = requireWidenedMatrix(call, name, tokens, -1);
    if (!table || !doubled) return table;
    if (const auto halved = halve(name, *table); !halved) return failureOf(halved);
    return table;
}

Result<void> readGivenTables(const OperationCall& call, RopeInputs& inputs) {
    const auto layout = call.choices.find("layout");
    const bool doubled = layout != call.choices.end() && layout->second == "doubled";
    if (layout != call.choices.end() && !doubled && layout->second != "halved")
        return failure("rope: layout \"{}\" is neither halved nor doubled", layout->second);
    auto cosine = readTable(call, "cos", inputs.tokens(), doubled);
    if (!cosine) return failureOf(cosine);
    auto sine = readTable(call, "sin", inputs.tokens(), doubled);
    if (!sine) return failureOf(sine);
    if (cosine->columns != sine->columns)
        return failure("rope: \"cos\" has {} frequencies and \"sin\" {}", cosine->columns, sine->columns);
    inputs.rotarySize = 2 * cosine->columns;
    inputs.cosine = std::move(cosine->values);
    inputs.sine = std::move(sine->values);
    return {};
}

Result<void> makeTables(const OperationCall& call, RopeInputs& inputs) {
    const auto frequencies = requireInput(call, "inv_freq", DType::Fp32, 1);
    if (!frequencies) return failureOf(frequencies);
    const auto positions = requireInput(call, "positions", DType::I64, 1);
    if (!positions) return failureOf(positions);
    if (positions->shape[0] != inputs.tokens())
        return failure("rope: {} positions for {} tokens", positions->shape[0], inputs.tokens());
    const auto offset = readWhole(call, "position");
    if (!offset) return failureOf(offset);
    const auto half = static_cast<std::size_t>(frequencies->shape[0]);
    inputs.cosine.resize(static_cast<std::size_t>(inputs.tokens()) * half);
    inputs.sine.resize(inputs.cosine.size());
    for (std::int64_t token = 0; token < inputs.tokens(); ++token) {
        const std::int64_t position = positions->as<std::int64_t>()[token];
        if (position < 0 || position > kMostPosition)
            return failure("rope: position {} of token {}, expected 0 to {}", position, token, kMostPosition);
        const std::size_t row = static_cast<std::size_t>(token) * half;
        fillRopeRow(TableBuilder::Device, {frequencies->as<float>(), half}, 1.0f,
                    static_cast<float>(position + *offset), inputs.cosine.data() + row, inputs.sine.data() + row);
    }
    inputs.rotarySize = static_cast<std::int64_t>(2 * half);
    return {};
}

}  // namespace

DType dtypeOf(RopeElement element) {
    if (element == RopeElement::Bf16) return DType::Bf16;
    return element == RopeElement::Fp16 ? DType::Fp16 : DType::Fp32;
}

DType outputTypeOf(const RopeArithmetic& arithmetic) {
    return arithmetic.output == RopeOutput::Fp32 ? DType::Fp32 : dtypeOf(arithmetic.element);
}

Result<RopeInputs> requireRopeInputs(const OperationCall& call, const RopeArithmetic& arithmetic) {
    if (isRopeClassB(arithmetic))
        if (const auto certified = checkTableTypes(call); !certified) return failureOf(certified);
    RopeInputs inputs;
    inputs.arithmetic = arithmetic;
    const auto pairing = readPairing(call, arithmetic.pairing);
    if (!pairing) return failureOf(pairing);
    inputs.arithmetic.pairing = *pairing;
    const auto layer = readWhole(call, "layer");
    if (!layer) return failureOf(layer);
    inputs.layer = *layer;
    const auto x = requireInput(call, "x", dtypeOf(arithmetic.element), 3);
    if (!x) return failureOf(x);
    inputs.x = *x;
    const auto tables = call.inputs.contains("inv_freq") ? makeTables(call, inputs) : readGivenTables(call, inputs);
    if (!tables) return failureOf(tables);
    if (inputs.rotarySize < 2 || inputs.rotarySize > inputs.headSize())
        return failure("rope: the table rotates {} elements of a head of {}", inputs.rotarySize, inputs.headSize());
    return inputs;
}

}  // namespace isobit
