// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/packing/row.h"

#include <algorithm>
#include <numeric>

namespace isobit {
namespace {

template <class List>
void append(List& into, const List& more) {
    into.insert(into.end(), more.begin(), more.end());
}

class RowBuilder {
public:
    RowBuilder(const RowOptions& options, std::vector<std::string>& warnings) : m_options(options), m_warnings(warnings) {}

    PackedRow build(const std::vector<ShiftedSample>& samples) {
        const bool anyTargets = std::ranges::any_of(samples, [](const auto& one) { return one.sample.targets.has_value(); });
        if (anyTargets) m_row.targets.emplace();
        for (const ShiftedSample& one : samples) add(one);
        pad();
        if (m_options.contextParallel == 1 && samples.size() > 1) attachLengths(m_row);
        return std::move(m_row);
    }

private:
    void add(const ShiftedSample& one) {
        const Sample& sample = one.sample;
        const std::size_t length = sample.ids.size();
        if (length == 0) m_warnings.push_back(sample.name + ": no token is left after the shift, so no boundary marks it");
        append(m_row.ids, sample.ids);
        append(m_row.labels, sample.labels.value_or(Integers()));
        if (m_row.targets) append(*m_row.targets, sample.targets.value_or(sample.labels.value_or(Integers())));
        addPositions(sample, length);
        if (sample.weights) addField("weights", *sample.weights, sample, length);
        if (sample.advantages) addField("advantages", *sample.advantages, sample, length);
        for (const auto& [name, values] : sample.context) addField(name, values, sample, length);
        for (const auto& [name, values] : sample.fields) addField(name, values, sample, length);
        for (const auto& [name, values] : sample.vectors) addVectors(name, values, sample, length);
        if (sample.teacher) addTeacher(*sample.teacher, sample.name);
        m_row.sampleLengths.push_back(static_cast<std::int64_t>(length));
        m_row.shifted = m_row.shifted && one.wasShifted;
        ++m_row.samples;
    }

    void addPositions(const Sample& sample, std::size_t length) {
        if (m_options.keepPositions && sample.positions) return append(m_row.positions, *sample.positions);
        Integers positions(length);
        std::iota(positions.begin(), positions.end(), 0);
        append(m_row.positions, positions);
    }

    // A value a token is concatenated; anything else is stored once, and the last sample wins.
    void addField(const std::string& name, const Numbers& values, const Sample& sample, std::size_t length) {
        if (values.size() == length) return append(m_row.fields[name], values);
        m_warnings.push_back(fmt::format("{}: field {} has {} values for {} tokens: stored once, the last sample wins",
                                         sample.name, name, values.size(), length));
        m_row.fields[name] = values;
        m_whole.push_back(name);
    }

    void addVectors(const std::string& name, const std::vector<Numbers>& values, const Sample& sample, std::size_t length) {
        if (values.size() == length) return append(m_row.vectors[name], values);
        m_warnings.push_back(fmt::format("{}: field {} has {} vectors for {} tokens: stored once, the last sample wins",
                                         sample.name, name, values.size(), length));
        m_row.vectors[name] = values;
        m_whole.push_back(name);
    }

    void addTeacher(const TeacherSequence& teacher, const std::string& name) {
        const auto before = static_cast<std::int64_t>(m_row.teacherIds.size());
        const auto keptBefore = static_cast<std::int64_t>(m_row.keptIndices.size());
        append(m_row.teacherIds, teacher.ids);
        for (std::size_t i = 0; i < teacher.ids.size(); ++i) m_row.teacherPositions.push_back(static_cast<std::int64_t>(i));
        for (const std::int64_t kept : teacher.kept) m_row.keptIndices.push_back(kept + before);
        if (teacher.cache.empty()) return;
        if (!teacher.base)
            m_warnings.push_back(name + ": no cache base is given, so the smallest index is taken, which is wrong for masked variants");
        const std::int64_t base = teacher.base.value_or(*std::ranges::min_element(teacher.cache));
        for (const std::int64_t index : teacher.cache) {
            m_row.globalCache.push_back(index);
            m_row.localCache.push_back(std::max<std::int64_t>(index - base, 0) + keptBefore);
        }
    }

    void pad() {
        const std::size_t length = m_row.ids.size();
        const auto multiple = static_cast<std::size_t>(m_options.multiple);
        const std::size_t padded = (length + multiple - 1) / multiple * multiple;
        for (std::size_t j = 0; length + j < padded; ++j)
            m_row.positions.push_back(static_cast<std::int64_t>(m_options.positionCycle == 0 ? j : j % static_cast<std::size_t>(m_options.positionCycle)));
        m_row.ids.resize(padded, 0);
        if (!m_row.labels.empty()) m_row.labels.resize(padded, kIgnoredLabel);
        if (m_row.targets) m_row.targets->resize(padded, kIgnoredLabel);
        for (auto& [name, values] : m_row.fields) {
            if (isWhole(name)) continue;
            if (values.size() == length) values.resize(padded, 0);
            else m_warnings.push_back(fmt::format("field {} covers {} of {} tokens: not every sample of the row has it", name, values.size(), length));
        }
        for (auto& [name, values] : m_row.vectors)
            if (values.size() == length && !values.empty() && !isWhole(name)) values.resize(padded, Numbers(values.front().size(), 0));
    }

    [[nodiscard]] bool isWhole(const std::string& name) const { return std::ranges::find(m_whole, name) != m_whole.end(); }

    const RowOptions& m_options;
    std::vector<std::string>& m_warnings;
    std::vector<std::string> m_whole;  ///< fields that are stored once
    PackedRow m_row;
};

}  // namespace

PackedRow buildRow(const std::vector<ShiftedSample>& samples, const RowOptions& options, std::vector<std::string>& warnings) {
    return RowBuilder(options, warnings).build(samples);
}

Integers documentStarts(const Integers& positions) {
    Integers starts;
    for (std::size_t i = 0; i < positions.size(); ++i)
        if (positions[i] == 0) starts.push_back(static_cast<std::int64_t>(i));
    return starts;
}

void attachLengths(PackedRow& row) {
    row.cumulative = documentStarts(row.positions);
    row.cumulative.push_back(static_cast<std::int64_t>(row.positions.size()));
    row.longest = 0;
    for (std::size_t i = 1; i < row.cumulative.size(); ++i) row.longest = std::max(row.longest, row.cumulative[i] - row.cumulative[i - 1]);
}

Json toJson(const PackedRow& row) {
    const auto single = [](const auto& list) { return Json::array({list}); };
    Json document{{"input_ids", single(row.ids)}, {"labels", single(row.labels)}, {"position_ids", single(row.positions)}};
    if (row.targets) document["target_tokens"] = single(*row.targets);
    for (const auto& [name, values] : row.fields) document[name] = single(values);
    for (const auto& [name, values] : row.vectors) document[name] = single(values);
    document["sample_count"] = row.samples;
    document["sample_lengths"] = row.sampleLengths;
    document["shifted"] = row.shifted;
    if (!row.cumulative.empty()) {
        document["cumulative_lengths"] = row.cumulative;
        document["longest"] = row.longest;
    }
    if (row.teacherIds.empty()) return document;
    document["teacher_ids"] = single(row.teacherIds);
    document["teacher_position_ids"] = single(row.teacherPositions);
    document["teacher_kept"] = row.keptIndices;
    document["teacher_cache_global"] = row.globalCache;
    document["teacher_cache_local"] = row.localCache;
    return document;
}

}  // namespace isobit
