// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0

// Reads the `isobit.graph/1` format; resources/graphs/README.md describes it.
#include <algorithm>
#include <set>

#include "core/base/json.h"
#include "core/base/object_reader.h"
#include "core/capture/operation_graph.h"

namespace isobit {
namespace {

constexpr std::string_view kGraphFormat = "isobit.graph/1";
constexpr std::string_view kLayerPlace = "{layer}";

/// Reads values of one document; every Error names it.
class GraphReader {
public:
    explicit GraphReader(std::string_view name) : m_name(name) {}

    // An unknown key is a typing error that would silently change the walk.
    [[nodiscard]] Result<void> onlyKeys(const Json& object, std::string_view what,
                                        const std::vector<std::string_view>& known) const {
        for (const auto& [key, value] : object.items())
            if (std::find(known.begin(), known.end(), key) == known.end())
                return failure("{}: {} has an unknown key {}", m_name, what, shownJson(key));
        return {};
    }

    [[nodiscard]] Result<std::string> text(const Json& object, const char* key) const {
        if (!object.contains(key) || !object[key].is_string() || object[key].get_ref<const std::string&>().empty() ||
            !isPlainText(object[key].get_ref<const std::string&>()))
            return failure("{}: \"{}\" is not a text in {}", m_name, key, shortened(object));
        return object[key].get<std::string>();
    }

    [[nodiscard]] Result<std::vector<std::string>> texts(const Json& object, const char* key) const {
        std::vector<std::string> list;
        if (!object.contains(key)) return list;
        if (!object[key].is_array()) return failure("{}: \"{}\" is not a list", m_name, key);
        for (const Json& entry : object[key]) {
            if (!entry.is_string() || !isPlainText(entry.get_ref<const std::string&>()))
                return failure("{}: \"{}\" holds {}, expected texts", m_name, key, shortened(entry));
            list.push_back(entry.get<std::string>());
        }
        return list;
    }

    // Entries are a text, or {"name": text, "tensors": [texts]}.
    [[nodiscard]] Result<std::vector<NamedTensors>> namedTensors(const Json& object, const char* key) const {
        std::vector<NamedTensors> list;
        if (!object.contains(key)) return list;
        if (!object[key].is_array()) return failure("{}: \"{}\" is not a list", m_name, key);
        for (const Json& entry : object[key]) {
            if (entry.is_string() && isPlainText(entry.get_ref<const std::string&>())) {
                list.push_back({entry.get<std::string>(), {entry.get<std::string>()}});
                continue;
            }
            if (!entry.is_object())
                return failure("{}: \"{}\" holds {}, expected texts or objects", m_name, key, shortened(entry));
            if (auto known = onlyKeys(entry, fmt::format("an entry of \"{}\"", key), {"name", "tensors"}); !known)
                return failureOf(known);
            auto name = text(entry, "name");
            if (!name) return failureOf(name);
            auto tensors = texts(entry, "tensors");
            if (!tensors) return failureOf(tensors);
            if (tensors->empty()) tensors->push_back(*name);
            list.push_back({std::move(*name), std::move(*tensors)});
        }
        return list;
    }

    [[nodiscard]] Result<OperationNode> node(const Json& entry, const char* key) const {
        if (!entry.is_object()) return failure("{}: \"{}\" holds {}, expected objects", m_name, key, shortened(entry));
        const auto known = onlyKeys(entry, fmt::format("an entry of \"{}\"", key),
                                    {"output", "operation", "inputs", "owns", "aliases", "part_of"});
        if (!known) return failureOf(known);
        auto output = text(entry, "output");
        if (!output) return failureOf(output);
        auto operation = text(entry, "operation");
        if (!operation) return failureOf(operation);
        auto inputs = texts(entry, "inputs");
        if (!inputs) return failureOf(inputs);
        auto owns = namedTensors(entry, "owns");
        if (!owns) return failureOf(owns);
        auto aliases = texts(entry, "aliases");
        if (!aliases) return failureOf(aliases);
        auto partOf = texts(entry, "part_of");
        if (!partOf) return failureOf(partOf);
        return OperationNode{std::move(*output), std::move(*operation), std::move(*inputs),
                             std::move(*owns),   std::move(*aliases),   std::move(*partOf)};
    }

    [[nodiscard]] Result<std::vector<OperationNode>> nodes(const Json& document, const char* key) const {
        std::vector<OperationNode> list;
        if (!document.contains(key) || !document[key].is_array()) return failure("{}: \"{}\" is not a list", m_name, key);
        std::set<std::string> outputs;
        for (const Json& entry : document[key]) {
            auto one = node(entry, key);
            if (!one) return failureOf(one);
            if (!outputs.insert(one->output).second)
                return failure("{}: \"{}\" makes \"{}\" twice", m_name, key, one->output);
            list.push_back(std::move(*one));
        }
        return list;
    }

private:
    static std::string shortened(const Json& value) {
        std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
        if (text.size() > 80) text = text.substr(0, 77) + "...";
        return text;
    }

    std::string_view m_name;
};

}  // namespace

Result<GraphTemplate> parseGraph(std::string_view text, std::string_view name) {
    const auto document = parseJsonStrictly(text, name);
    if (!document) return failureOf(document);
    if (!document->is_object() || document->value("format", Json()) != std::string(kGraphFormat))
        return failure("{}: \"format\" is not \"{}\"", name, kGraphFormat);
    const GraphReader reader(name);
    const auto known = reader.onlyKeys(
        *document, "the graph", {"format", "name", "layer_prefix", "before", "block", "after", "identities"});
    if (!known) return failureOf(known);
    GraphTemplate graph;
    auto prefix = reader.text(*document, "layer_prefix");
    if (!prefix) return failureOf(prefix);
    graph.layerPrefix = std::move(*prefix);
    if (graph.layerPrefix.find(kLayerPlace) == std::string::npos)
        return failure("{}: \"layer_prefix\" is \"{}\", expected {} in it", name, graph.layerPrefix, kLayerPlace);
    graph.name = document->contains("name") ? "" : std::string(name);
    if (document->contains("name")) {
        auto title = reader.text(*document, "name");
        if (!title) return failureOf(title);
        graph.name = std::move(*title);
    }
    for (auto [key, list] : {std::pair{"before", &graph.before}, {"block", &graph.block}, {"after", &graph.after}}) {
        auto read = reader.nodes(*document, key);
        if (!read) return failureOf(read);
        *list = std::move(*read);
    }
    auto identities = reader.namedTensors(*document, "identities");
    if (!identities) return failureOf(identities);
    graph.identities = std::move(*identities);
    return graph;
}

}  // namespace isobit
