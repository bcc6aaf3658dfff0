// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json.h"

namespace isobit {

// Request packing as a trainer's server does it. Source: packing.md 1. Stricter where upstream is silent: a length that
// no rule knows is an Error, not a field that is dropped.

inline constexpr std::int64_t kIgnoredLabel = -100;

using Integers = std::vector<std::int64_t>;
using Numbers = std::vector<double>;

/// The teacher's own sequence beside a sample.
struct TeacherSequence {
    Integers ids;
    Integers kept;   ///< indices into `ids`
    Integers cache;  ///< global cache indices
    std::optional<std::int64_t> base;  ///< of the cache indices; without it the smallest is taken
};

/// One sample of a request, before packing.
struct Sample {
    std::string name;
    Integers ids;
    std::optional<Integers> labels;
    std::optional<Integers> targets;  ///< already shifted
    std::optional<Integers> positions;
    std::optional<Numbers> weights;     ///< 0 or 1 a token
    std::optional<Numbers> advantages;  ///< a token
    std::map<std::string, Numbers> context;  ///< teacher fields aligned to the context: they lose their last element
    std::map<std::string, Numbers> fields;   ///< any other list of numbers
    std::map<std::string, std::vector<Numbers>> vectors;  ///< a vector a token
    std::optional<TeacherSequence> teacher;
};

/// Reads {"input_ids", "labels", "target_tokens", "position_ids", "weights", "advantages", "context": {name: list},
/// "teacher": {"ids", "kept", "cache", "base"}, "name"} and further lists of numbers or of vectors. Fields may lie under
/// "model_input" and "loss_inputs"; the same key on top wins. `where` names the place in errors.
[[nodiscard]] Result<Sample> readSample(const Json& object, const std::string& where, std::size_t index);

}  // namespace isobit
