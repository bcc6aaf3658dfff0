// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/numeric/dtype.h"

namespace isobit {

/// What an envelope looks at of one tensor: never its elements.
struct TensorDescription {
    DType dtype = DType::Bf16;
    std::vector<std::int64_t> shape;
    std::vector<std::int64_t> strides;  ///< in elements; empty: contiguous
    bool onGpu = true;

    [[nodiscard]] std::int64_t lastStride() const { return strides.empty() ? 1 : strides.back(); }
};

/// A call as a contract sees it before anything runs.
struct CallDescription {
    std::map<std::string, TensorDescription> inputs;  ///< "x", "w", "r", "out"
    std::map<std::string, double> parameters;         ///< "head_dim"
    bool zeroCentered = false;
};

/// An arithmetic plus the envelope in which it may be called. Admission fails closed: what the contract does not say is
/// refused, with one sentence that says what was found and what was expected.
struct Contract {
    std::string_view name;        ///< "norm.v2"
    int revision = 1;             ///< a later revision may admit more; it never changes a bit that an earlier one gave
    std::string_view operation;   ///< "rms_norm"
    std::string_view arithmetic;  ///< name of the arithmetic value; its zero-centered form where the call asks for it
    std::string_view envelope;    ///< the envelope in one sentence, for people
    Result<void> (*admit)(const CallDescription& call);
};

/// Every contract, in the order in which they are listed. Adding one is one line in registry.cpp.
[[nodiscard]] const std::vector<Contract>& contracts();
/// The contract of that name and revision (0: the newest), or nullptr.
[[nodiscard]] const Contract* findContract(std::string_view name, int revision = 0);

}  // namespace isobit
