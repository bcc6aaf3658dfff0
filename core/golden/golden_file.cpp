// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/golden/golden_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "core/base/atomic_file.h"
#include "core/base/json.h"
#include "core/base/object_reader.h"
#include "core/tensors/confinement.h"

namespace isobit {
namespace {

constexpr std::string_view kFormat = "isobit.golden/1";

// The operations of the format. A case of one that no program runs is unsupported; any other name is a wrong file.
constexpr std::array<std::string_view, 10> kOperations{"rms_norm", "qk_norm", "mean",     "log_softmax", "gemm",
                                                       "lm_head",  "rope",    "silu_mul", "lora_fold",   "attention"};

constexpr std::array kStatuses{std::pair{GoldenStatus::Contract, std::string_view("contract")},
                               std::pair{GoldenStatus::Observed, std::string_view("observed")},
                               std::pair{GoldenStatus::Open, std::string_view("open")},
                               std::pair{GoldenStatus::InputsUnknown, std::string_view("inputs unknown")}};

// Elements of one tensor: enough for a head of 262,144 tokens by 8,192, and 4 GiB of bf16 at the most.
constexpr std::int64_t kElementLimit = std::int64_t(1) << 31;

/// Reads fields of one JSON object; the first problem is kept, and every later read is harmless.
class Reader {
public:
    explicit Reader(std::string where) : m_where(std::move(where)) {}

    [[nodiscard]] bool failed() const { return !m_problem.empty(); }
    [[nodiscard]] tl::unexpected<Error> error() const { return tl::unexpected(Error{m_problem}); }
    void fail(std::string_view problem) {
        if (m_problem.empty()) m_problem = fmt::format("{}: {}", m_where, printableSentence(problem));
    }
    void enter(std::string_view place) { m_where += fmt::format(", {}", place); }

    std::string text(const Json& object, const char* key, bool required = true) {
        const auto found = object.find(key);
        if (found == object.end() && !required) return "";
        if (found == object.end() || !found->is_string()) return fail(fmt::format("\"{}\" is not a text", key)), "";
        if (!isPlainText(found->get_ref<const std::string&>()))
            return fail(fmt::format("\"{}\" holds a control character", key)), "";
        return found->get<std::string>();
    }

    // A key that names a tensor.
    std::string name(const std::string& key) {
        if (!isPlainText(key)) fail(fmt::format("the name {} holds a control character", key));
        return key;
    }

    std::int64_t integer(const Json& object, const char* key, std::int64_t low, std::int64_t high) {
        const auto found = object.find(key);
        if (found == object.end() || !found->is_number_integer())
            return fail(fmt::format("\"{}\" is not an integer", key)), low;
        const auto value = found->get<std::int64_t>();
        if (value < low || value > high)
            return fail(fmt::format("\"{}\" is {}, expected {} to {}", key, value, low, high)), low;
        return value;
    }

    Shape shape(const Json& object, const char* key) {
        const auto found = object.find(key);
        if (found == object.end() || !found->is_array() || found->size() > 8)
            return fail(fmt::format("\"{}\" is not a shape", key)), Shape{};
        Shape sizes;
        std::int64_t elements = 1;
        for (const Json& size : *found) {
            if (!size.is_number_integer() || size.get<std::int64_t>() < 1)
                return fail(fmt::format("\"{}\" holds {}, expected sizes of 1 or more", key, size.dump())), Shape{};
            sizes.push_back(size.get<std::int64_t>());
            if (sizes.back() > kElementLimit / elements)
                return fail(fmt::format("\"{}\" has more than {} elements", key, kElementLimit)), Shape{};
            elements *= sizes.back();
        }
        return sizes;
    }

private:
    std::string m_where;
    std::string m_problem;
};

std::optional<double> decimalOrFraction(std::string_view text) {
    const auto number = [](std::string_view part) -> std::optional<double> {
        double value = 0;
        const auto [end, problem] = std::from_chars(part.data(), part.data() + part.size(), value);
        if (problem != std::errc() || end != part.data() + part.size()) return std::nullopt;
        return value;
    };
    const auto slash = text.find('/');
    if (slash == std::string_view::npos) return number(text);
    const auto numerator = number(text.substr(0, slash));
    const auto denominator = number(text.substr(slash + 1));
    if (!numerator || !denominator || *denominator == 0) return std::nullopt;
    return *numerator / *denominator;
}

void readParameters(Reader& reader, const Json& object, GoldenCase& golden) {
    const auto found = object.find("parameters");
    if (found == object.end() || !found->is_object()) return reader.fail("\"parameters\" is not an object");
    for (const auto& [key, value] : found->items()) {
        if (value.is_boolean())
            golden.parameters[key] = value.get<bool>() ? 1 : 0;
        else if (value.is_number())
            golden.parameters[key] = value.get<double>();
        else if (value.is_string() && decimalOrFraction(value.get<std::string>()))
            golden.parameters[key] = *decimalOrFraction(value.get<std::string>());
        else if (value.is_string())
            golden.choices[key] = value.get<std::string>();
        else if (!value.is_null())
            reader.fail(fmt::format("parameter \"{}\" is {}, expected a number, a text or true/false", key, value.dump()));
    }
}

GoldenInput readInput(Reader& reader, const std::string& name, const Json& object) {
    GoldenInput input{.name = name, .generated = {}, .view = {}, .viewOf = {}};
    input.viewOf = reader.text(object, "view_of", false);
    if (!input.viewOf.empty()) {
        input.columns = reader.integer(object, "columns", 1, kElementLimit);
        return input;
    }
    GeneratedInput& generated = input.generated;
    generated.generator = reader.text(object, "generator");
    generated.shape = reader.shape(object, "shape");
    generated.seed = static_cast<std::uint64_t>(reader.integer(object, "seed", 0, INT64_MAX));
    if (const auto dtype = dtypeOfGenerator(generated.generator); !dtype) reader.fail(dtype.error().message);
    if (generated.generator == "index") {
        generated.modulus = reader.integer(object, "modulus", 1, INT64_MAX);
    } else {
        generated.exponentLo = static_cast<int>(reader.integer(object, "exponent_lo", 0, 255));
        generated.exponentHi = static_cast<int>(reader.integer(object, "exponent_hi", generated.exponentLo, 255));
    }
    if (object.contains("view")) {
        input.view = reader.shape(object, "view");
        if (elementsOf(input.view) != elementsOf(generated.shape)) reader.fail("\"view\" has another number of elements");
    }
    return input;
}

void readInputs(Reader& reader, const Json& object, GoldenCase& golden) {
    const auto found = object.find("inputs");
    if (found == object.end() || !found->is_object()) return reader.fail("\"inputs\" is not an object");
    for (const auto& [name, input] : found->items()) golden.inputs.push_back(readInput(reader, reader.name(name), input));
    for (const GoldenInput& input : golden.inputs) {
        if (input.viewOf.empty()) continue;
        const auto base = std::find_if(golden.inputs.begin(), golden.inputs.end(),
                                       [&](const GoldenInput& other) { return other.name == input.viewOf; });
        if (base == golden.inputs.end() || base->generated.shape.size() != 2 ||
            base->generated.shape[1] < input.columns)
            reader.fail(fmt::format("input \"{}\" is not a view of columns of a matrix", input.name));
    }
}

void readOutputs(Reader& reader, const Json& object, GoldenCase& golden) {
    const auto found = object.find("outputs");
    if (found == object.end() || !found->is_object() || found->empty())
        return reader.fail("\"outputs\" is not an object");
    for (const auto& [name, output] : found->items()) {
        GoldenOutput golden_output{.name = reader.name(name), .sha256 = reader.text(output, "sha256"), .shape = {}};
        golden_output.shape = reader.shape(output, "shape");
        const std::string dtype = reader.text(output, "dtype");
        if (const auto known = dtypeByName(dtype))
            golden_output.dtype = *known;
        else
            reader.fail(fmt::format("element type \"{}\" is not known", dtype));
        const auto isHex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
        if (golden_output.sha256.size() != 64 || !std::all_of(golden_output.sha256.begin(), golden_output.sha256.end(), isHex))
            reader.fail(fmt::format("\"sha256\" of output \"{}\" is not 64 lower-case hexadecimal digits", name));
        golden.outputs.push_back(std::move(golden_output));
    }
}

void readIdentity(Reader& reader, const Json& object, GoldenCase& golden) {
    golden.operation = reader.text(object, "operation");
    golden.arithmetic = reader.text(object, "arithmetic");
    golden.note = reader.text(object, "note", false);
    const auto known = [&](const auto& names) { return std::find(names.begin(), names.end(), golden.operation) != names.end(); };
    if (!known(kOperations))
        reader.fail(fmt::format("operation \"{}\" is not known", golden.operation));
    const std::string status = reader.text(object, "status");
    const auto found = std::find_if(kStatuses.begin(), kStatuses.end(), [&](const auto& s) { return s.second == status; });
    if (found == kStatuses.end())
        reader.fail(fmt::format("status \"{}\" is not known", status));
    else
        golden.status = found->first;
}

Result<GoldenCase> readCase(const std::string& path, std::size_t index, const Json& object) {
    Reader reader(path);
    if (!object.is_object()) return failure("{}: case {} is not an object", path, index);
    GoldenCase golden;
    golden.name = reader.text(object, "name");
    reader.enter(golden.name.empty() ? fmt::format("case {}", index) : fmt::format("case {}", golden.name));
    readIdentity(reader, object, golden);
    readParameters(reader, object, golden);
    readInputs(reader, object, golden);
    readOutputs(reader, object, golden);
    if (reader.failed()) return reader.error();
    return golden;
}

}  // namespace

std::string_view nameOf(GoldenStatus status) {
    return std::find_if(kStatuses.begin(), kStatuses.end(), [&](const auto& s) { return s.first == status; })->second;
}

Result<GoldenFile> readGoldenFile(const std::string& path) {
    const auto text = readTextFile(path);
    if (!text) return failureOf(text);
    const auto json = parseJsonStrictly(*text, path);
    if (!json) return failureOf(json);
    if (!json->is_object() || json->value("format", Json()) != std::string(kFormat))
        return failure("{}: \"format\" is not \"{}\"", path, kFormat);
    const auto cases = json->find("cases");
    if (cases == json->end() || !cases->is_array()) return failure("{}: \"cases\" is not a list", path);
    GoldenFile file{path, {}};
    for (const Json& object : *cases) {
        auto golden = readCase(path, file.cases.size(), object);
        if (!golden) return failureOf(golden);
        file.cases.push_back(std::move(*golden));
    }
    return file;
}

}  // namespace isobit
