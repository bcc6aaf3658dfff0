// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "evidence/knowledge.h"

#include <type_traits>

#include "core/arithmetic/norm_arithmetic.h"
#include "core/contracts/contract.h"

namespace isobit::evidence {
namespace {

template <class T>
std::string textOf(const T& value) {
    if constexpr (std::is_enum_v<T>)
        return std::string(nameOfChoice(value));
    else if constexpr (std::is_same_v<T, bool>)
        return value ? "true" : "false";
    else
        return std::to_string(value);
}

}  // namespace

std::vector<NamedValue> arithmeticFields(const std::string& name) {
    std::vector<NamedValue> fields;
    if (const NamedNorm* norm = findNorm(name))
        visitFields(norm->arithmetic, [&](const char* field, const auto& member) {
            fields.push_back({field, textOf(member)});
        });
    return fields;
}

std::string contractOf(const PlanRecord& plan) {
    for (const Contract& contract : contracts())
        if (contract.operation == plan.operation && contract.arithmetic == plan.sampler.arithmetic.name)
            if (const Contract* newest = findContract(contract.name))
                return fmt::format("{} revision {}", newest->name, newest->revision);
    return "none";
}

}  // namespace isobit::evidence
