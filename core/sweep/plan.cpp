// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/sweep/plan.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <set>

#include "core/base/sha256.h"
#include "core/sweep/json_form.h"

namespace isobit {
namespace {

constexpr std::size_t kMostAxes = 8;
constexpr std::size_t kMostInputs = 16;

std::optional<std::int64_t> positiveInteger(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc() || end != text.data() + text.size() || value < 1) return std::nullopt;
    return value;
}

bool isDecimal(const std::string& text) {
    double value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    return problem == std::errc() && end == text.data() + text.size() && std::isfinite(value);
}

/// An axis name is a key beside "id", "status", ... in a cell's JSON, and a part of its id: a capital letter first.
bool isAxisName(std::string_view name) {
    return !name.empty() && name.size() <= 32 && name[0] >= 'A' && name[0] <= 'Z' &&
           std::all_of(name.begin(), name.end(), [](unsigned char c) { return c < 128 && std::isalnum(c); });
}

/// Names of presets, operations, inputs and outputs: also parts of paths in the run file.
bool isPlainName(std::string_view name) {
    const auto allowed = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-'; };
    return !name.empty() && name.size() <= 64 && name[0] != '-' && std::all_of(name.begin(), name.end(), allowed);
}

/// Inputs go by the names of their operation's specification, some of which are capital letters.
bool isInputName(std::string_view name) {
    std::string lower(name);
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
    return isPlainName(lower);
}

bool isPrintableAscii(std::string_view text) {
    return text.size() <= 256 && std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7F; });
}

Result<void> validateAxes(const Plan& plan) {
    if (plan.axes.empty() || plan.axes.size() > kMostAxes)
        return failure("plan: {} axes, expected 1 to {}", plan.axes.size(), kMostAxes);
    std::int64_t cells = 1;
    std::set<std::string> names;
    for (const Axis& axis : plan.axes) {
        std::string lower = axis.name;
        std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
        if (!isAxisName(axis.name) || !names.insert(lower).second)
            return failure("plan: axis name {:?}, expected a capital letter, then letters or digits, once each", axis.name);
        if (axis.values.empty()) return failure("axis {}: no value", axis.name);
        std::set<std::int64_t> seen;
        for (const std::int64_t value : axis.values) {
            if (value < 1 || value > kMostElements)
                return failure("axis {}: {} is out of range, expected 1 to 2^31", axis.name, value);
            if (!seen.insert(value).second) return failure("axis {}: {} occurs twice", axis.name, value);
        }
        if (__builtin_mul_overflow(cells, static_cast<std::int64_t>(axis.values.size()), &cells) || cells > kMostCells)
            return failure("plan: more than {} cells", kMostCells);
    }
    if (!plan.rowAxis.empty() && axisIndex(plan, plan.rowAxis) < 0)
        return failure("plan: row axis {:?} is not among its axes", plan.rowAxis);
    return {};
}

/// The largest number of elements that a shape can have in the grid, checked against the limit.
Result<void> validateShape(const Plan& plan, const InputSpec& input) {
    if (input.shape.empty() || input.shape.size() > 4)
        return failure("input {}: {} dimensions, expected 1 to 4", input.name, input.shape.size());
    std::int64_t elements = 1;
    for (const std::string& dimension : input.shape) {
        std::int64_t size = 0;
        if (const int axis = axisIndex(plan, dimension); axis >= 0) {
            const auto& values = plan.axes[static_cast<std::size_t>(axis)].values;
            size = *std::max_element(values.begin(), values.end());
        } else if (const auto number = positiveInteger(dimension)) {
            size = *number;
        } else {
            return failure("input {}: dimension {:?} is neither an axis nor a positive number", input.name, dimension);
        }
        if (__builtin_mul_overflow(elements, size, &elements) || elements > kMostElements)
            return failure("input {}: a cell of more than 2^31 elements ({})", input.name, fmt::join(input.shape, " x "));
    }
    return {};
}

Result<void> validateInputs(const Plan& plan) {
    if (plan.inputs.empty() || plan.inputs.size() > kMostInputs)
        return failure("plan: {} inputs, expected 1 to {}", plan.inputs.size(), kMostInputs);
    std::set<std::string> names;
    for (const InputSpec& input : plan.inputs) {
        if (!isInputName(input.name) || !names.insert(input.name).second)
            return failure("plan: input name {:?}, expected letters, digits, - and _, once each", input.name);
        if (const auto dtype = dtypeOfGenerator(input.generator); !dtype) return failureOf(dtype);
        if (input.generator == "index" ? input.modulus < 1
                                       : input.exponentLo < 0 || input.exponentHi > 255 ||
                                             input.exponentLo > input.exponentHi)
            return failure("input {}: generator {} with exponents {}..{} and modulus {}", input.name, input.generator,
                           input.exponentLo, input.exponentHi, input.modulus);
        if (const auto shape = validateShape(plan, input); !shape) return shape;
    }
    return {};
}

Result<void> validateTexts(const Plan& plan) {
    if (!isPlainName(plan.preset)) return failure("plan: preset name {:?} is not a plain name", plan.preset);
    if (!isPlainName(plan.operation)) return failure("plan: operation {:?} is not a plain name", plan.operation);
    const auto& [pairing, trainer, sampler] = plan.pairing;
    for (const std::string& text : {pairing, trainer.name, trainer.arithmetic, trainer.engine, sampler.name,
                                    sampler.arithmetic, sampler.engine, plan.silicon, plan.siliconSha256})
        if (!isPrintableAscii(text)) return failure("plan: a name with other than 256 printable ASCII characters");
    if (trainer.version < 0 || sampler.version < 0) return failure("plan: a negative program version");
    for (const auto& [name, value] : plan.parameters)
        if (!isPlainName(name) || value.size() > 64 || (!isDecimal(value) && axisIndex(plan, value) < 0))
            return failure("parameter {:?}: {:?} is neither a decimal number nor an axis", name, value);
    return {};
}

}  // namespace

Result<void> validatePlan(const Plan& plan) {
    if (auto valid = validateTexts(plan); !valid) return valid;
    if (auto valid = validateAxes(plan); !valid) return valid;
    return validateInputs(plan);
}

std::int64_t cellCount(const Plan& plan) {
    std::int64_t cells = 1;
    for (const Axis& axis : plan.axes) cells *= static_cast<std::int64_t>(axis.values.size());
    return cells;
}

std::vector<std::int64_t> coordinatesOf(const Plan& plan, std::int64_t index) {
    std::vector<std::int64_t> coordinates(plan.axes.size());
    for (std::size_t i = plan.axes.size(); i-- > 0;) {
        const auto count = static_cast<std::int64_t>(plan.axes[i].values.size());
        coordinates[i] = plan.axes[i].values[static_cast<std::size_t>(index % count)];
        index /= count;
    }
    return coordinates;
}

std::string cellId(const Plan& plan, const std::vector<std::int64_t>& coordinates) {
    std::string id;
    for (std::size_t i = 0; i < plan.axes.size(); ++i) {
        if (i > 0) id += '_';
        for (const unsigned char c : plan.axes[i].name) id += static_cast<char>(std::tolower(c));
        id += std::to_string(coordinates[i]);
    }
    return id;
}

Result<void> selectCell(Plan& plan, std::string_view id) {
    for (std::int64_t index = 0; index < cellCount(plan); ++index) {
        const std::vector<std::int64_t> coordinates = coordinatesOf(plan, index);
        if (cellId(plan, coordinates) != id) continue;
        for (std::size_t i = 0; i < plan.axes.size(); ++i) plan.axes[i].values = {coordinates[i]};
        plan.seedBase += plan.seedStep * static_cast<std::uint64_t>(index);
        return {};
    }
    return failure("cell {:?}: is none of the {} cells of {}, {} to {}", id, cellCount(plan), plan.preset,
                   cellId(plan, coordinatesOf(plan, 0)), cellId(plan, coordinatesOf(plan, cellCount(plan) - 1)));
}

std::vector<GeneratedInput> inputsOf(const Plan& plan, const std::vector<std::int64_t>& coordinates,
                                     std::int64_t seedIndex) {
    std::vector<GeneratedInput> inputs;
    for (const InputSpec& spec : plan.inputs) {
        Shape shape;
        for (const std::string& dimension : spec.shape) {
            const int axis = axisIndex(plan, dimension);
            shape.push_back(axis >= 0 ? coordinates[static_cast<std::size_t>(axis)] : *positiveInteger(dimension));
        }
        const std::uint64_t seed = plan.seedBase + plan.seedStep * static_cast<std::uint64_t>(seedIndex) + spec.seedOffset;
        inputs.push_back({spec.generator, shape, seed, spec.exponentLo, spec.exponentHi, spec.modulus});
    }
    return inputs;
}

std::int64_t elementsOf(const Plan& plan, const std::vector<std::int64_t>& coordinates) {
    std::int64_t elements = 0;
    for (const GeneratedInput& input : inputsOf(plan, coordinates, 0)) elements += elementsOf(input.shape);
    return elements;
}

int axisIndex(const Plan& plan, std::string_view axis) {
    for (std::size_t i = 0; i < plan.axes.size(); ++i)
        if (plan.axes[i].name == axis) return static_cast<int>(i);
    return -1;
}

Result<void> overrideAxis(Plan& plan, std::string_view text) {
    const std::size_t equals = text.find('=');
    const int index = axisIndex(plan, text.substr(0, equals));
    if (equals == std::string_view::npos || index < 0) {
        std::vector<std::string> names;
        for (const Axis& axis : plan.axes) names.push_back(axis.name);
        return failure("axis {:?}: expected NAME=VALUE,VALUE... with a name among {}", text, fmt::join(names, ", "));
    }
    std::vector<std::int64_t> values;
    std::string_view rest = text.substr(equals + 1);
    while (true) {
        const std::size_t comma = rest.find(',');
        const auto value = positiveInteger(rest.substr(0, comma));
        if (!value) return failure("axis {:?}: {:?} is not a positive integer", text, rest.substr(0, comma));
        values.push_back(*value);
        if (comma == std::string_view::npos) break;
        rest.remove_prefix(comma + 1);
    }
    plan.axes[static_cast<std::size_t>(index)].values = std::move(values);
    return {};
}

std::map<std::string, double> parametersOf(const Plan& plan, const std::vector<std::int64_t>& coordinates) {
    std::map<std::string, double> values;
    for (const auto& [name, text] : plan.parameters) {
        const int axis = axisIndex(plan, text);
        values[name] =
            axis >= 0 ? static_cast<double>(coordinates[static_cast<std::size_t>(axis)]) : std::stod(text);
    }
    return values;
}

std::string digestOf(const Plan& plan) { return sha256Hex(canonicalText(plan)); }

}  // namespace isobit
