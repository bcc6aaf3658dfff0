// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/packing/row_check.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace isobit {
namespace {

class Rules {
public:
    explicit Rules(const FoundBatch& batch) : m_batch(batch) {}

    std::vector<PackingFinding> findings() {
        if (m_batch.rows.empty()) add("rows.none", "batch", "there is no row");
        for (const FoundRow& row : m_batch.rows) check(row);
        if (m_labels != 0 && m_used == 0) add("labels.none", "batch", fmt::format("all {} labels are ignored, so nothing would be learned", m_labels));
        order();
        routing();
        return std::move(m_findings);
    }

private:
    void add(std::string rule, const std::string& row, std::string sentence) { m_findings.push_back({std::move(rule), row, std::move(sentence)}); }

    void check(const FoundRow& row) {
        if (row.ids.empty()) add("rows.empty", row.name, "has no token");
        if (m_batch.limit && static_cast<std::int64_t>(realTokens(row)) > *m_batch.limit)
            add("rows.limit", row.name, fmt::format("has {} tokens, expected at most {}", realTokens(row), *m_batch.limit));
        length(row, "labels", row.labels);
        length(row, "targets", row.targets);
        length(row, "positions", row.positions);
        for (const auto& [name, found] : row.fields)
            if (found != row.ids.size()) add("lengths.equal", row.name, fmt::format("{} has {} values for {} tokens", name, found, row.ids.size()));
        if (row.labels) {
            m_labels += row.labels->size();
            m_used += static_cast<std::size_t>(std::ranges::count_if(*row.labels, [](std::int64_t label) { return label != kIgnoredLabel; }));
        }
        if (row.positions && !row.positions->empty()) positions(row);
        samples(row);
        if (row.provenance) spans(row);
    }

    // Without padding, as far as the row says.
    static std::size_t realTokens(const FoundRow& row) {
        if (!row.sampleLengths) return row.ids.size();
        return static_cast<std::size_t>(std::accumulate(row.sampleLengths->begin(), row.sampleLengths->end(), std::int64_t(0)));
    }

    void length(const FoundRow& row, std::string_view what, const std::optional<Integers>& list) {
        if (list && list->size() != row.ids.size())
            add("lengths.equal", row.name, fmt::format("{} {} for {} tokens", list->size(), what, row.ids.size()));
    }

    void positions(const FoundRow& row) {
        const Integers& positions = *row.positions;
        if (positions.front() != 0) add("positions.start", row.name, fmt::format("begin at {}, expected 0", positions.front()));
        for (std::size_t i = 1; i < positions.size(); ++i)
            if (positions[i] != 0 && positions[i] != positions[i - 1] + 1) {
                add("positions.restart", row.name, fmt::format("token {} has position {} after {}, expected {} or 0", i, positions[i], positions[i - 1], positions[i - 1] + 1));
                break;
            }
        if (!row.cumulative) return;
        PackedRow expected;
        expected.positions = positions;
        attachLengths(expected);
        if (*row.cumulative != expected.cumulative)
            add("lengths.cumulative", row.name, fmt::format("cumulative lengths have {} entries and end at {}, the positions' zeros give {} entries and {}: documents would be merged or cut",
                                                            row.cumulative->size(), row.cumulative->empty() ? 0 : row.cumulative->back(), expected.cumulative.size(), expected.cumulative.back()));
        if (row.longest && *row.longest != expected.longest)
            add("lengths.longest", row.name, fmt::format("longest length is {}, expected {} with the padding as a document", *row.longest, expected.longest));
    }

    void samples(const FoundRow& row) {
        if (!row.sampleLengths) return;
        if (row.samples && *row.samples != 0 && static_cast<std::int64_t>(row.sampleLengths->size()) != *row.samples)
            add("samples.count", row.name, fmt::format("{} sample lengths for {} samples", row.sampleLengths->size(), *row.samples));
        if (realTokens(row) > row.ids.size())
            add("samples.length", row.name, fmt::format("sample lengths add up to {}, more than {} tokens", realTokens(row), row.ids.size()));
        if (!row.positions || row.positions->size() != row.ids.size() || isMerged(row)) return;
        std::int64_t start = 0;
        for (const std::int64_t length : *row.sampleLengths) {
            if (length > 0 && start < static_cast<std::int64_t>(row.positions->size()) && (*row.positions)[static_cast<std::size_t>(start)] != 0) {
                add("samples.boundary", row.name, fmt::format("a sample begins at token {}, whose position is {}, expected 0", start, (*row.positions)[static_cast<std::size_t>(start)]));
                return;
            }
            start += length;
        }
    }

    // A merged row has padding between its sources, so lengths alone give no boundary.
    static bool isMerged(const FoundRow& row) { return row.provenance && row.provenance->value("group_size", 1) > 1; }

    void spans(const FoundRow& row) {
        const Json& spans = (*row.provenance)["spans"];
        std::int64_t end = 0;
        for (const Json& span : spans) {
            const bool pair = span.is_array() && span.size() == 2 && span[0].is_number_integer() && span[1].is_number_integer();
            if (!pair || span[0].get<std::int64_t>() < end || span[1].get<std::int64_t>() < span[0].get<std::int64_t>() || span[1].get<std::int64_t>() > static_cast<std::int64_t>(row.ids.size()))
                return add("provenance.span", row.name, fmt::format("span {} is not inside {} tokens behind the one before", span.dump(), row.ids.size()));
            end = span[1].get<std::int64_t>();
        }
        if (row.provenance->value("group_size", std::size_t(0)) != (*row.provenance)["batch_ids"].size())
            add("provenance.group", row.name, "group size is not the number of its source rows");
    }

    void order() {
        if (!m_batch.order) return;
        const std::set<std::size_t> once(m_batch.order->begin(), m_batch.order->end());
        if (once.size() != m_batch.order->size()) add("samples.once", "batch", "a sample is there twice");
        std::int64_t samples = 0;
        for (const FoundRow& row : m_batch.rows) samples += row.samples.value_or(1);
        if (samples != static_cast<std::int64_t>(m_batch.order->size()))
            add("samples.once", "batch", fmt::format("rows hold {} samples and the order names {}", samples, m_batch.order->size()));
    }

    void routing() {
        if (!m_batch.routingItems) return;
        std::int64_t samples = 0;
        for (const FoundRow& row : m_batch.rows) samples += row.samples.value_or(1);
        if (samples != *m_batch.routingItems)
            add("routing.count", "batch", fmt::format("{} routing items for {} samples: every later sample would replay another's experts", *m_batch.routingItems, samples));
    }

    const FoundBatch& m_batch;
    std::size_t m_labels = 0;
    std::size_t m_used = 0;
    std::vector<PackingFinding> m_findings;
};

}  // namespace

std::vector<PackingFinding> checkRows(const FoundBatch& batch) { return Rules(batch).findings(); }

}  // namespace isobit
