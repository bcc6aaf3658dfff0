// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/base/object_reader.h"
#include "core/contracts/rope_transport.h"

namespace isobit {
namespace {

constexpr std::string_view kTransportFormat = "isobit.rope_transport/1";
constexpr std::size_t kMostModules = 4096;
constexpr std::int64_t kMostCopies = 1024;

/// Reads fields of objects; the first problem is kept, and every later read is harmless.
class TransportReader {
public:
    explicit TransportReader(std::string_view source) : m_source(source) {}

    [[nodiscard]] bool failed() const { return !m_problem.empty(); }
    [[nodiscard]] tl::unexpected<Error> error() const { return tl::unexpected(Error{m_problem}); }
    void fail(std::string_view problem) {
        if (m_problem.empty()) m_problem = fmt::format("{}: {}", m_source, problem);
    }

    bool onlyKeys(const Json& object, std::string_view where, std::initializer_list<std::string_view> known) {
        if (!object.is_object()) return fail(fmt::format("{} is not an object", where)), false;
        for (const auto& [key, value] : object.items())
            if (std::ranges::find(known, key) == known.end())
                fail(fmt::format("{}: key {} is not known", where, shownJson(key)));
        return !failed();
    }

    bool flag(const Json& object, std::string_view where, const char* key, bool otherwise) {
        const auto found = object.find(key);
        if (found == object.end()) return otherwise;
        if (!found->is_boolean())
            return fail(fmt::format("{}: \"{}\" is neither true nor false", where, key)), otherwise;
        return found->get<bool>();
    }

    std::string text(const Json& object, std::string_view where, const char* key, std::string otherwise) {
        const auto found = object.find(key);
        if (found == object.end()) return otherwise;
        if (!found->is_string()) return fail(fmt::format("{}: \"{}\" is not a text", where, key)), otherwise;
        std::string value = found->get<std::string>();
        if (!isPlainText(value)) return fail(fmt::format("{}: \"{}\" holds a control character", where, key)), otherwise;
        return value;
    }

    double number(const Json& object, std::string_view where, const char* key, double otherwise) {
        const auto found = object.find(key);
        if (found == object.end()) return otherwise;
        if (!found->is_number()) return fail(fmt::format("{}: \"{}\" is not a number", where, key)), otherwise;
        return found->get<double>();
    }

    std::int64_t whole(const Json& object, std::string_view where, const char* key, std::int64_t otherwise) {
        const double value = number(object, where, key, static_cast<double>(otherwise));
        if (!(std::fabs(value) <= 1e15) || std::floor(value) != value)
            return fail(fmt::format("{}: \"{}\" is {}, expected a whole number", where, key, value)), otherwise;
        return static_cast<std::int64_t>(value);
    }

    std::vector<double> numbers(const Json& object, std::string_view where, const char* key) {
        const auto found = object.find(key);
        std::vector<double> values;
        if (found == object.end()) return values;
        if (!found->is_array()) return fail(fmt::format("{}: \"{}\" is not a list", where, key)), values;
        for (const Json& value : *found) {
            if (!value.is_number()) return fail(fmt::format("{}: \"{}\" holds {}, expected numbers", where, key, shownJson(value))), values;
            values.push_back(value.get<double>());
        }
        return values;
    }

    template <class Enum>
    Enum choice(const Json& object, std::string_view where, const char* key, Enum otherwise) {
        const std::string name = text(object, where, key, std::string(nameOfChoice(otherwise)));
        if (const auto value = choiceByName<Enum>(name)) return *value;
        std::string known;
        for (const Choice<Enum>& one : choicesOf<Enum>()) known += (known.empty() ? "" : ", ") + std::string(one.name);
        return fail(fmt::format("{}: {} \"{}\" is not known; there are {}", where, key, name, known)), otherwise;
    }

    std::optional<DType> castType(const Json& object, std::string_view where, const char* key) {
        const std::string name = text(object, where, key, "");
        if (name.empty()) return std::nullopt;
        const auto dtype = dtypeByName(name);
        if (dtype == DType::Bf16 || dtype == DType::Fp16 || dtype == DType::Fp32) return dtype;
        return fail(fmt::format("{}: \"{}\" is \"{}\", expected bfloat16, float16 or float32", where, key, name)),
               dtype;
    }

private:
    std::string_view m_source;
    std::string m_problem;
};

std::optional<bool> optionalFlag(TransportReader& reader, const Json& object, const char* key) {
    if (!object.contains(key)) return std::nullopt;
    return reader.flag(object, "the description", key, false);
}

std::optional<double> optionalNumber(TransportReader& reader, const Json& object, const char* key) {
    if (!object.contains(key)) return std::nullopt;
    return reader.number(object, "the table", key, 0);
}

RopeTableRecipe readRecipe(TransportReader& reader, const Json& object) {
    constexpr std::string_view where = "the table";
    RopeTableRecipe recipe;
    if (!reader.onlyKeys(object, where,
                         {"type",
                          "theta",
                          "head_size",
                          "partial_factor",
                          "factor",
                          "max_positions",
                          "original_max_positions",
                          "sequence_length",
                          "beta_fast",
                          "beta_slow",
                          "mscale",
                          "mscale_all_dim",
                          "attention_factor",
                          "low_frequency_factor",
                          "high_frequency_factor",
                          "short_factors",
                          "long_factors",
                          "builder",
                          "layout",
                          "length"}))
        return recipe;
    RopeFrequencyRecipe& f = recipe.frequencies;
    f.type = reader.choice(object, where, "type", f.type);
    f.theta = reader.number(object, where, "theta", f.theta);
    f.headSize = reader.whole(object, where, "head_size", 128);
    f.partialFactor = reader.number(object, where, "partial_factor", f.partialFactor);
    f.factor = reader.number(object, where, "factor", f.factor);
    f.maxPositions = reader.whole(object, where, "max_positions", 0);
    f.originalMaxPositions = reader.whole(object, where, "original_max_positions", 0);
    f.sequenceLength = reader.whole(object, where, "sequence_length", 0);
    f.betaFast = reader.number(object, where, "beta_fast", f.betaFast);
    f.betaSlow = reader.number(object, where, "beta_slow", f.betaSlow);
    f.mscale = optionalNumber(reader, object, "mscale");
    f.mscaleAllDim = optionalNumber(reader, object, "mscale_all_dim");
    f.attentionFactor = optionalNumber(reader, object, "attention_factor");
    f.lowFrequencyFactor = reader.number(object, where, "low_frequency_factor", f.lowFrequencyFactor);
    f.highFrequencyFactor = reader.number(object, where, "high_frequency_factor", f.highFrequencyFactor);
    f.shortFactors = reader.numbers(object, where, "short_factors");
    f.longFactors = reader.numbers(object, where, "long_factors");
    recipe.builder = reader.choice(object, where, "builder", recipe.builder);
    recipe.layout = reader.choice(object, where, "layout", recipe.layout);
    recipe.length = reader.whole(object, where, "length", 4096);
    return recipe;
}

class TreeReader {
public:
    explicit TreeReader(TransportReader& reader) : m_reader(reader) {}

    // One object may stand for several modules.
    void read(const Json& object, const std::string& parent, std::vector<WrappedModule>& into) {
        const std::string where = fmt::format("{}module {}", parent.empty() ? "" : parent + ": ", into.size());
        if (!m_reader.onlyKeys(
                object, where,
                {"name", "count", "param_dtype", "cast_forward_inputs", "class_b_exempt", "rope", "modules"}))
            return;
        const std::string name = m_reader.text(object, where, "name", "");
        if (name.empty()) return m_reader.fail(where + ": \"name\" is missing");
        const std::int64_t count = m_reader.whole(object, where, "count", 1);
        if (count < 1 || count > kMostCopies)
            return m_reader.fail(fmt::format("{}: \"count\" is {}, expected 1 to {}", where, count, kMostCopies));
        const std::string path = parent.empty() ? name : parent + "." + name;
        for (std::int64_t i = 0; i < count && !m_reader.failed(); ++i)
            into.push_back(readOne(object, object.contains("count") ? fmt::format("{}.{}", path, i) : path));
    }

private:
    WrappedModule readOne(const Json& object, const std::string& path) {
        if (++m_modules > kMostModules) m_reader.fail(fmt::format("more than {} modules", kMostModules));
        WrappedModule module;
        module.path = path;
        module.parameters = m_reader.castType(object, path, "param_dtype");
        module.castsForwardInputs = m_reader.flag(object, path, "cast_forward_inputs", true);
        module.exemptForClassB = m_reader.flag(object, path, "class_b_exempt", false);
        module.appliesRope = m_reader.flag(object, path, "rope", false);
        const auto modules = object.find("modules");
        if (modules == object.end() || m_reader.failed()) return module;
        if (!modules->is_array()) {
            m_reader.fail(path + ": \"modules\" is not a list");
            return module;
        }
        for (const Json& child : *modules) {
            if (m_reader.failed()) break;
            read(child, path, module.modules);
        }
        return module;
    }

    TransportReader& m_reader;
    std::size_t m_modules = 0;
};

bool hasApply(const WrappedModule& module) {
    return module.appliesRope || std::ranges::any_of(module.modules, hasApply);
}

}  // namespace

Result<TransportDescription> readTransport(const Json& document, std::string_view source) {
    TransportReader reader(source);
    if (!document.is_object() || document.value("format", Json()) != std::string(kTransportFormat))
        return failure("{}: \"format\" is not \"{}\"", source, kTransportFormat);
    TransportDescription description;
    reader.onlyKeys(document, "the description",
                    {"format", "family", "native", "class_b", "table", "model_cast", "frequencies_are_immune", "root"});
    const std::string family = reader.text(document, "the description", "family", "generic");
    if (family == "dense" || family == "sparse")
        description.build.family = family == "dense" ? RopeFamily::DenseExact : RopeFamily::SparseExact;
    else if (family != "generic")
        reader.fail(fmt::format("family \"{}\" is not known; there are generic, dense, sparse", family));
    description.build.native = optionalFlag(reader, document, "native");
    description.build.classB = optionalFlag(reader, document, "class_b");
    description.modelCast = reader.castType(document, "the description", "model_cast");
    description.frequenciesAreImmune = reader.flag(document, "the description", "frequencies_are_immune", true);
    const Json table = document.value("table", Json::object());
    description.table = readRecipe(reader, table);
    if (!reader.failed() && table.find("builder") == table.end())
        description.table.builder = builderOf(description.build.family);
    if (!document.contains("root")) reader.fail("\"root\" is missing");
    if (reader.failed()) return reader.error();
    std::vector<WrappedModule> roots;
    TreeReader(reader).read(document["root"], "", roots);
    if (!reader.failed() && roots.size() != 1) reader.fail("\"root\" has a \"count\", but there is one root");
    if (!reader.failed() && !hasApply(roots[0])) reader.fail("no module has \"rope\": true: nothing applies the table");
    if (reader.failed()) return reader.error();
    description.root = std::move(roots[0]);
    return description;
}

}  // namespace isobit
