// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/capture/names.h"

#include <algorithm>
#include <array>
#include <vector>

namespace isobit {
namespace {

constexpr std::array<std::string_view, 8> kWrappers{"model",         "module",      "_orig_mod",     "_fsdp_wrapped_module",
                                                    "transformer",   "base_model",  "language_model", "_checkpoint_wrapped_module"};
constexpr std::array<std::string_view, 5> kLayerWords{"layers", "layer", "h", "blocks", "block"};

bool isDigits(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string_view withoutZeros(std::string_view digits) {
    const auto first = digits.find_first_not_of('0');
    return first == std::string_view::npos ? digits.substr(digits.size() - 1) : digits.substr(first);
}

template <class List>
bool contains(const List& list, std::string_view word) {
    return std::find(list.begin(), list.end(), word) != list.end();
}

std::vector<std::string_view> partsOf(std::string_view name) {
    std::vector<std::string_view> parts;
    for (std::size_t at; (at = name.find('.')) != std::string_view::npos; name.remove_prefix(at + 1))
        parts.push_back(name.substr(0, at));
    parts.push_back(name);
    return parts;
}

// "layer_03", "layers3": the word and the number in one part.
std::optional<std::string_view> layerNumberIn(std::string_view part) {
    const auto digits = part.find_first_of("0123456789");
    if (digits == std::string_view::npos || !isDigits(part.substr(digits))) return std::nullopt;
    std::string_view word = part.substr(0, digits);
    if (word.ends_with('_')) word.remove_suffix(1);
    if (!contains(kLayerWords, word)) return std::nullopt;
    return part.substr(digits);
}

void appendPart(std::string& name, std::string_view part) {
    if (!name.empty()) name += '.';
    name += part;
}

}  // namespace

std::string canonicalName(std::string_view name) {
    constexpr std::string_view kOutput = ".output";
    if (name.ends_with(kOutput) && name.size() > kOutput.size()) name.remove_suffix(kOutput.size());
    std::string canonical;
    const auto parts = partsOf(name);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const bool last = i + 1 == parts.size();
        if (!last && contains(kWrappers, parts[i])) continue;
        if (!last && contains(kLayerWords, parts[i]) && isDigits(parts[i + 1])) {
            appendPart(canonical, "layers");
        } else if (const auto number = layerNumberIn(parts[i])) {
            appendPart(canonical, "layers");
            appendPart(canonical, withoutZeros(*number));
        } else {
            appendPart(canonical, isDigits(parts[i]) ? withoutZeros(parts[i]) : parts[i]);
        }
    }
    return canonical;
}

NameBook::NameBook(const GraphTemplate& graph) {
    const std::string prefix = canonicalName(graph.prefixOf("0") + "x");
    const auto mark = prefix.rfind(".0.");
    m_head = mark == std::string::npos ? "layers." : prefix.substr(0, mark + 1);
    m_tail = mark == std::string::npos ? "." : prefix.substr(mark + 2, prefix.size() - mark - 3);
    for (const OperationNode& node : graph.block) {
        for (const std::string& alias : node.aliases) m_inLayer.emplace(canonicalName(alias), node.output);
        for (const std::string& fused : node.partOf) m_inLayer.emplace(canonicalName(fused), node.partOf.front());
    }
    for (const auto* nodes : {&graph.before, &graph.after})
        for (const OperationNode& node : *nodes)
            for (const std::string& alias : node.aliases) m_outside.emplace(canonicalName(alias), node.output);
    for (const NamedTensors& identity : graph.identities)
        for (const std::string& alias : identity.tensors) m_outside.emplace(canonicalName(alias), identity.name);
}

std::optional<NameBook::Place> NameBook::numberIn(const std::string& canonical) const {
    if (!canonical.starts_with(m_head)) return std::nullopt;
    const auto end = canonical.find(m_tail, m_head.size());
    if (end == std::string::npos || end - m_head.size() > 9) return std::nullopt;
    if (!isDigits(std::string_view(canonical).substr(m_head.size(), end - m_head.size()))) return std::nullopt;
    return Place{m_head.size(), end};
}

std::optional<std::string> NameBook::layerOf(std::string_view name) const {
    const std::string canonical = canonicalName(name);
    const auto place = numberIn(canonical);
    if (!place) return std::nullopt;
    return canonical.substr(place->begin, place->end - place->begin);
}

std::string NameBook::standardName(std::string_view name) const {
    for (const std::string_view parameter : {".weight", ".bias"})  // named after what it makes
        if (name.ends_with(parameter) && name.size() > parameter.size())
            return standardName(name.substr(0, name.size() - parameter.size())) + std::string(parameter);
    std::string canonical = canonicalName(name);
    if (const auto alias = m_outside.find(canonical); alias != m_outside.end()) return alias->second;
    const auto place = numberIn(canonical);
    if (!place) return canonical;
    const std::size_t rest = place->end + m_tail.size();
    const auto alias = m_inLayer.find(std::string_view(canonical).substr(rest));
    return alias == m_inLayer.end() ? canonical : canonical.substr(0, rest) + alias->second;
}

}  // namespace isobit
