// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/contracts/contract.h"

namespace isobit {

/// The input of that name of a described call, or nullptr.
[[nodiscard]] inline const TensorDescription* findInput(const CallDescription& call, const char* name) {
    const auto found = call.inputs.find(name);
    return found == call.inputs.end() ? nullptr : &found->second;
}

}  // namespace isobit
