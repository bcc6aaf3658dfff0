// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/capture/execution_order.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>

#include "core/tensors/confinement.h"

namespace isobit {
namespace {

constexpr std::int64_t kAfterLayers = std::int64_t(1) << 40;

// Stage (before the layers, a layer, after them), place within it, 0 for what an operation owns and 1 for what it makes.
using Key = std::tuple<std::int64_t, std::int64_t, int>;

/// Gives every pair its place.
class Places {
public:
    explicit Places(const OperationIndex& index) : m_index(index) {
        for (std::size_t i = 0; i < index.operations().size(); ++i)
            if (index.book().layerOf(index.operations()[i].output)) m_firstLayered = std::min(m_firstLayered, i);
    }

    [[nodiscard]] Key graph(const TensorPair& pair) const {
        const std::string standard = m_index.book().standardName(pair.name);
        const auto maker = m_index.makerOf(standard);
        const auto owner = m_index.ownerOf(standard);
        constexpr std::int64_t kBehind = std::int64_t(1) << 30;
        const auto place = maker ? *maker : owner ? *owner : kBehind;
        return {stageOf(pair, maker ? maker : owner), static_cast<std::int64_t>(place), maker || !owner ? 1 : 0};
    }

    [[nodiscard]] Key layers(const TensorPair& pair) const {
        const std::string standard = m_index.book().standardName(pair.name);
        const auto maker = m_index.makerOf(standard);
        return {stageOf(pair, maker ? maker : m_index.ownerOf(standard)), 0, 0};
    }

private:
    // What no operation knows and no layer has comes first: ids, positions, tables.
    [[nodiscard]] std::int64_t stageOf(const TensorPair& pair, std::optional<std::size_t> operation) const {
        if (const auto layer = m_index.book().layerOf(pair.name)) return std::stoll(*layer);
        if (!operation) return -2;
        if (const auto layer = m_index.book().layerOf(m_index.operations()[*operation].output)) return std::stoll(*layer);
        return *operation < m_firstLayered ? -1 : kAfterLayers;
    }

    const OperationIndex& m_index;
    std::size_t m_firstLayered = SIZE_MAX;
};

// Keys are computed once: they look names up.
template <class KeyOf>
void sortBy(std::vector<TensorPair>& pairs, KeyOf keyOf) {
    using Entry = std::pair<decltype(keyOf(pairs.front())), std::size_t>;
    std::vector<Entry> entries;
    for (std::size_t i = 0; i < pairs.size(); ++i) entries.emplace_back(keyOf(pairs[i]), i);
    std::sort(entries.begin(), entries.end());
    std::vector<TensorPair> sorted;
    for (const Entry& entry : entries) sorted.push_back(std::move(pairs[entry.second]));
    pairs = std::move(sorted);
}

std::vector<std::string> sortByList(std::vector<TensorPair>& pairs, const OperationIndex& index,
                                    const std::vector<std::string>& list) {
    std::map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < list.size(); ++i) places.emplace(index.book().standardName(list[i]), i);
    std::set<std::string> found;
    for (const TensorPair& pair : pairs) found.insert(index.book().standardName(pair.name));
    sortBy(pairs, [&](const TensorPair& pair) {
        const auto place = places.find(index.book().standardName(pair.name));
        return place == places.end() ? list.size() : place->second;
    });
    std::vector<std::string> sentences;
    for (const std::string& name : list)
        if (!found.contains(index.book().standardName(name)))
            sentences.push_back(fmt::format("the order names \"{}\", which neither side holds", printable(name)));
    return sentences;
}

}  // namespace

std::string_view nameOf(OrderKind kind) {
    switch (kind) {
        case OrderKind::Graph: return "graph";
        case OrderKind::Layers: return "layers";
        case OrderKind::File: return "file";
        case OrderKind::List: return "list";
    }
    return "";
}

std::vector<std::string> sortPairs(std::vector<TensorPair>& pairs, const OperationIndex& index, const WalkOrder& order) {
    const Places places(index);
    switch (order.kind) {
        case OrderKind::Graph: sortBy(pairs, [&](const TensorPair& pair) { return places.graph(pair); }); break;
        case OrderKind::Layers: sortBy(pairs, [&](const TensorPair& pair) { return places.layers(pair); }); break;
        case OrderKind::File: sortBy(pairs, [](const TensorPair& pair) { return pair.trainer.value_or(SIZE_MAX); }); break;
        case OrderKind::List: return sortByList(pairs, index, order.list);
    }
    return {};
}

}  // namespace isobit
