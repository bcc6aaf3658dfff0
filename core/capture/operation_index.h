// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/capture/names.h"
#include "core/capture/operation_graph.h"

namespace isobit {

/// The operations of one pair of captures, found by the standard names of tensors.
class OperationIndex {
public:
    /// `names` are the captured ones; they say which layers there are.
    OperationIndex(const GraphTemplate& graph, const std::vector<std::string>& names);

    [[nodiscard]] const NameBook& book() const { return m_book; }
    /// In execution order, the names of tensors as the graph writes them.
    [[nodiscard]] const std::vector<OperationNode>& operations() const { return m_operations; }
    /// Index of the operation that makes a tensor, or the first part of a fused one.
    [[nodiscard]] std::optional<std::size_t> makerOf(const std::string& standard) const { return at(m_makers, standard); }
    /// Index of the first operation that a weight, table or mask belongs to.
    [[nodiscard]] std::optional<std::size_t> ownerOf(const std::string& standard) const { return at(m_owners, standard); }
    /// True if the tensor is one of several that an operation makes at once.
    [[nodiscard]] bool isFused(const std::string& standard) const { return m_fused.contains(standard); }

private:
    using Places = std::map<std::string, std::size_t>;
    static std::optional<std::size_t> at(const Places& places, const std::string& name) {
        const auto found = places.find(name);
        return found == places.end() ? std::nullopt : std::optional(found->second);
    }

    NameBook m_book;
    std::vector<OperationNode> m_operations;
    Places m_makers, m_owners, m_fused;
};

}  // namespace isobit
