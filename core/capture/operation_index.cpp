// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/capture/operation_index.h"

namespace isobit {

OperationIndex::OperationIndex(const GraphTemplate& graph, const std::vector<std::string>& names)
    : m_book(graph), m_operations(expandGraph(graph, layersIn(graph, names))) {
    for (std::size_t i = 0; i < m_operations.size(); ++i) {
        const OperationNode& node = m_operations[i];
        m_makers.emplace(m_book.standardName(node.output), i);
        for (const std::string& fused : node.partOf) m_fused.emplace(m_book.standardName(fused), i);
        for (const NamedTensors& owned : node.owns)
            for (const std::string& tensor : owned.tensors) m_owners.emplace(m_book.standardName(tensor), i);
    }
    for (const auto& [name, place] : m_fused) m_makers.emplace(name, place);
    for (const NamedTensors& identity : graph.identities) m_owners.erase(identity.name);
}

}  // namespace isobit
