// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/programs/program.h"

#include <algorithm>
#include <cstring>

namespace isobit {
namespace {

TensorView rowOf(const TensorView& tensor, std::int64_t row) {
    TensorView one = tensor;
    one.shape[0] = 1;
    one.data += row * tensor.strides[0] * static_cast<std::int64_t>(bytesOf(tensor.dtype));
    return one;
}

// Outputs of all rows, from those of row 0 as the pattern.
std::vector<NamedTensor> allocateFor(const std::vector<NamedTensor>& oneRow, std::int64_t rows) {
    std::vector<NamedTensor> all;
    for (const NamedTensor& output : oneRow) {
        Shape shape = output.tensor.shape();
        shape[0] = rows;
        all.push_back({output.name, Tensor(output.tensor.dtype(), shape)});
    }
    return all;
}

}  // namespace

Result<std::vector<NamedTensor>> Program::runRowsAlone(const OperationCall& call, const RunOptions& options) const {
    const auto names = batchInputs();
    const auto first = call.inputs.find(std::string(names.front()));
    if (first == call.inputs.end() || first->second.shape.empty())
        return failure("{}: input \"{}\" is missing", name(), names.front());
    const std::int64_t rows = first->second.shape[0];
    std::vector<NamedTensor> all;
    for (std::int64_t row = 0; row < rows; ++row) {
        OperationCall alone = call;
        for (auto& [inputName, tensor] : alone.inputs)
            if (std::find(names.begin(), names.end(), inputName) != names.end()) tensor = rowOf(tensor, row);
        auto outputs = run(alone, options);
        if (!outputs) return outputs;
        if (row == 0) all = allocateFor(*outputs, rows);
        for (std::size_t i = 0; i < all.size(); ++i) {
            const auto source = std::as_const((*outputs)[i].tensor).bytes();
            std::memcpy(all[i].tensor.bytes().data() + row * source.size(), source.data(), source.size());
        }
    }
    return all;
}

const Program* findProgram(const ProgramList& programs, std::string_view name) {
    for (const auto& program : programs)
        if (program->name() == name) return program.get();
    return nullptr;
}

}  // namespace isobit
