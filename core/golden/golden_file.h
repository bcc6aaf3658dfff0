// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/numeric/dtype.h"
#include "core/programs/input_generator.h"
#include "core/tensors/tensor.h"

namespace isobit {

/// What is known of a golden case, and so what a difference means.
enum class GoldenStatus {
    Contract,       ///< written-out arithmetic: must match
    Observed,       ///< order read off a compiler's output: must match
    Open,           ///< the program's order is not known
    InputsUnknown,  ///< the record does not say what went in: never run
};

/// One input of a case: made by the integer generator, or the first `columns` columns of another input.
struct GoldenInput {
    std::string name;
    GeneratedInput generated;  ///< generator empty for a view
    Shape view;                ///< the same elements under another shape; empty: as generated
    std::string viewOf;
    std::int64_t columns = 0;
};

struct GoldenOutput {
    std::string name;
    std::string sha256;  ///< of the contiguous little-endian bytes
    Shape shape;
    DType dtype = DType::Bf16;
};

struct GoldenCase {
    std::string name;
    std::string operation;   ///< "rms_norm"
    std::string arithmetic;  ///< "norm.v2"; with zero_centered true that value's zero-centered form
    GoldenStatus status = GoldenStatus::Open;
    std::map<std::string, double> parameters;       ///< decimal or p/q text, evaluated in double
    std::map<std::string, std::string> choices;     ///< parameters that are words
    std::vector<GoldenInput> inputs;
    std::vector<GoldenOutput> outputs;
    std::string note;
};

struct GoldenFile {
    std::string path;
    std::vector<GoldenCase> cases;
};

[[nodiscard]] std::string_view nameOf(GoldenStatus status);

/// Reads an `isobit.golden/1` file strictly: an unknown format, operation, generator, status or element type, a missing
/// field, a size that does not fit in memory, or a view of nothing is one sentence that names the case.
[[nodiscard]] Result<GoldenFile> readGoldenFile(const std::string& path);

}  // namespace isobit
