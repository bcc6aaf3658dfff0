// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "evidence/manifest.h"

namespace isobit::evidence {

/// Every field of a named arithmetic with the name of its value; empty for a name that core/arithmetic does not list.
[[nodiscard]] std::vector<NamedValue> arithmeticFields(const std::string& name);

/// "norm.v2 revision 2" for a plan whose sampler claims a contract's arithmetic; "none" if no contract has it.
[[nodiscard]] std::string contractOf(const PlanRecord& plan);

}  // namespace isobit::evidence
