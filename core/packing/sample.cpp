// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/packing/sample.h"

#include <algorithm>

#include "core/base/object_reader.h"

namespace isobit {
namespace {

// The nested objects first, so that a key on top replaces theirs.
Json flattened(const Json& object) {
    Json flat = Json::object();
    for (const char* part : {"model_input", "loss_inputs"})
        if (object.contains(part))
            for (const auto& [key, value] : object[part].items()) flat[key] = value;
    for (const auto& [key, value] : object.items())
        if (key != "model_input" && key != "loss_inputs") flat[key] = value;
    return flat;
}

std::optional<Integers> optionalWholes(ObjectReader& in, const char* key, std::int64_t least = 0) {
    if (!in.has(key)) {
        (void)in.any(key);
        return std::nullopt;
    }
    return in.wholes(key, least);
}

std::optional<Numbers> optionalNumbers(ObjectReader& in, const char* key) {
    if (!in.has(key)) {
        (void)in.any(key);
        return std::nullopt;
    }
    return in.numbers(key);
}

bool isVectors(const Json& value) {
    return value.is_array() && !value.empty() &&
           std::all_of(value.begin(), value.end(), [](const Json& one) { return one.is_array(); });
}

// What no other field is: a list of numbers, or of vectors.
void readFurther(ObjectReader& in, const Json& flat, Sample& sample) {
    static constexpr std::array<std::string_view, 9> known{
        "name", "input_ids", "labels", "target_tokens", "position_ids", "weights", "advantages", "context", "teacher"};
    for (const auto& [key, value] : flat.items()) {
        if (std::ranges::find(known, key) != known.end()) continue;
        if (!isVectors(value)) {
            sample.fields[key] = in.numbers(key.c_str());
            continue;
        }
        (void)in.any(key.c_str());
        for (const Json& vector : value) {
            const Json wrapped{{"v", vector}};
            ObjectReader one(wrapped, "");
            sample.vectors[key].push_back(one.numbers("v"));
            if (!one.good()) in.refuse(key.c_str(), "holds a vector that is no list of numbers");
        }
    }
}

}  // namespace

Result<Sample> readSample(const Json& object, const std::string& where, std::size_t index) {
    const std::string name = fmt::format("{}: samples[{}]", where, index);
    if (!object.is_object()) return failure("{} is {}, expected an object", name, shownJson(object));
    for (const char* part : {"model_input", "loss_inputs"})
        if (object.contains(part) && !object[part].is_object())
            return failure("{}: {} is {}, expected an object", name, part, shownJson(object[part]));
    const Json flat = flattened(object);
    ObjectReader in(flat, name);
    Sample sample;
    sample.name = in.text("name", fmt::format("sample {}", index));
    sample.ids = in.wholes("input_ids");
    sample.labels = optionalWholes(in, "labels", kIgnoredLabel);
    sample.targets = optionalWholes(in, "target_tokens", kIgnoredLabel);
    sample.positions = optionalWholes(in, "position_ids");
    sample.weights = optionalNumbers(in, "weights");
    sample.advantages = optionalNumbers(in, "advantages");
    in.object("context", [&](ObjectReader& context) {
        for (const auto& [key, value] : flat["context"].items()) sample.context[key] = context.numbers(key.c_str());
    });
    in.object("teacher", [&](ObjectReader& one) {
        sample.teacher = TeacherSequence{one.wholes("ids"), one.wholes("kept"), one.wholes("cache"), {}};
        if (one.has("base")) sample.teacher->base = one.whole("base");
        for (const std::int64_t kept : sample.teacher->kept)
            if (kept >= static_cast<std::int64_t>(sample.teacher->ids.size()))
                one.refuse("kept",
                           fmt::format("index {} lies outside {} teacher ids", kept, sample.teacher->ids.size()));
    });
    readFurther(in, flat, sample);
    if (const auto done = in.finish(); !done) return failureOf(done);
    return sample;
}

}  // namespace isobit
