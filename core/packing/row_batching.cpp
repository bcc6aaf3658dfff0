// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/packing/row_batching.h"

#include <algorithm>
#include <array>
#include <set>

#include "core/base/object_reader.h"

namespace isobit {
namespace {

constexpr std::array<std::string_view, 8> kMetadata{"request_id", "batch_id",   "sample_count", "sample_lengths",
                                                    "shifted",    "provenance", "cumulative_lengths", "longest"};

bool isMetadata(std::string_view key) { return std::ranges::find(kMetadata, key) != kMetadata.end(); }

bool isSequence(const Json& value) { return value.is_array() && value.size() == 1 && value[0].is_array(); }

bool isScalar(const Json& value) { return value.is_null() || value.is_boolean() || value.is_number() || value.is_string(); }

std::size_t lengthOf(const Json& row) { return row["input_ids"][0].size(); }

std::int64_t samplesOf(const Json& row) {
    const auto found = row.find("sample_count");
    return found != row.end() && found->is_number_integer() ? found->get<std::int64_t>() : 1;
}

std::string requestOf(const Json& row) {
    const auto found = row.find("request_id");
    if (found == row.end() || found->is_null()) return {};
    return found->is_string() ? found->get<std::string>() : found->dump();
}

Json ownProvenance(const Json& row) {
    return {{"batch_ids", Json::array({row.value("batch_id", Json(nullptr))})},
            {"request_ids", Json::array({requestOf(row)})},
            {"sample_counts", Json::array({samplesOf(row)})},
            {"spans", Json::array({Json::array({std::size_t(0), lengthOf(row)})})}};
}

bool isSpan(const Json& span) {
    return span.is_array() && span.size() == 2 && span[0].is_number_unsigned() && span[1].is_number_unsigned() &&
           span[0].get<std::uint64_t>() <= span[1].get<std::uint64_t>();
}

// Takes the entries of one row over, its spans moved behind the tokens before it; a malformed span is skipped.
void addProvenance(Json& into, const Json& row, std::size_t offset) {
    const auto found = row.find("provenance");
    const Json given = found != row.end() && found->is_object() ? *found : ownProvenance(row);
    for (const char* key : {"batch_ids", "request_ids", "sample_counts"})
        if (const auto list = given.find(key); list != given.end() && list->is_array())
            for (const Json& entry : *list) into[key].push_back(entry);
    if (const auto spans = given.find("spans"); spans != given.end() && spans->is_array())
        for (const Json& span : *spans)
            if (isSpan(span)) into["spans"].push_back({span[0].get<std::uint64_t>() + offset, span[1].get<std::uint64_t>() + offset});
}

Json provenanceOf(const std::vector<Json>& rows) {
    Json provenance{{"batch_ids", Json::array()}, {"request_ids", Json::array()}, {"sample_counts", Json::array()}, {"spans", Json::array()}};
    std::size_t offset = 0;
    for (const Json& row : rows) {
        addProvenance(provenance, row, offset);
        if (isMergeable(row)) offset += lengthOf(row);
    }
    provenance["group_size"] = provenance["batch_ids"].size();
    return provenance;
}

void addLengths(Json& merged) {
    PackedRow row;
    row.positions = merged["position_ids"][0].get<Integers>();
    attachLengths(row);
    merged["cumulative_lengths"] = row.cumulative;
    merged["longest"] = row.longest;
}

Json merged(const std::vector<Json>& rows, std::size_t index) {
    Json result = rows.front();
    std::int64_t samples = 0;
    bool shifted = true;
    Json lengths = Json::array();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        samples += samplesOf(rows[i]);
        shifted = shifted && rows[i].value("shifted", Json(false)) == true;
        if (const auto own = rows[i].find("sample_lengths"); own != rows[i].end() && own->is_array())
            lengths.insert(lengths.end(), own->begin(), own->end());
        if (i == 0) continue;
        for (auto field = result.begin(); field != result.end(); ++field)
            if (!isMetadata(field.key()) && isSequence(*field))
                (*field)[0].insert((*field)[0].end(), rows[i][field.key()][0].begin(), rows[i][field.key()][0].end());
    }
    result["batch_id"] = index;
    result["sample_count"] = samples;
    result["sample_lengths"] = std::move(lengths);
    result["shifted"] = shifted;
    result["provenance"] = provenanceOf(rows);
    addLengths(result);
    return result;
}

Json alone(const Json& row, std::size_t index) {
    Json result = row;
    result["provenance"] = isMergeable(row) ? provenanceOf({row}) : Json(nullptr);
    if (!isMergeable(row)) {
        result["provenance"] = {{"batch_ids", Json::array({row.is_object() ? row.value("batch_id", Json(nullptr)) : Json(nullptr)})},
                                {"request_ids", Json::array({requestOf(row)})},
                                {"sample_counts", Json::array({samplesOf(row)})},
                                {"spans", Json::array()},
                                {"group_size", 1}};
    }
    result["batch_id"] = index;
    return result;
}

}  // namespace

Result<std::int64_t> rowBatchSize(const Json& value, std::int64_t absent) {
    if (value.is_null()) return absent;
    if (value.is_number_integer() && value.get<std::int64_t>() >= 1) return value.get<std::int64_t>();
    return failure("the row batch size is {}, expected a whole number from 1", shownJson(value));
}

bool isMergeable(const Json& row) {
    if (!row.is_object()) return false;
    std::set<std::size_t> lengths;
    for (const char* key : {"input_ids", "labels", "position_ids"}) {
        const auto found = row.find(key);
        if (found == row.end() || !isSequence(*found)) return false;
        lengths.insert((*found)[0].size());
    }
    if (lengths.size() != 1) return false;
    return std::all_of(row.items().begin(), row.items().end(), [](const auto& field) {
        return isMetadata(field.key()) || isSequence(field.value()) || isScalar(field.value());
    });
}

bool areMergeable(const std::vector<Json>& rows) {
    if (!std::ranges::all_of(rows, isMergeable)) return false;
    std::set<std::string> keys;
    for (const auto& [key, value] : rows.front().items())
        if (!isMetadata(key)) keys.insert(key);
    for (const Json& row : rows) {
        std::set<std::string> own;
        for (const auto& [key, value] : row.items()) {
            if (isMetadata(key)) continue;
            own.insert(key);
            const auto first = rows.front().find(key);
            if (first == rows.front().end() || isSequence(value) != isSequence(*first)) return false;
            if (!isSequence(value) && value != *first) return false;
        }
        if (own != keys) return false;
    }
    return true;
}

std::vector<Json> batchRows(const std::vector<Json>& rows, std::int64_t size) {
    if (size <= 1 || rows.size() <= 1) return rows;
    std::vector<Json> result;
    for (std::size_t at = 0; at < rows.size();) {
        const std::size_t end = std::min(rows.size(), at + static_cast<std::size_t>(size));
        const std::vector<Json> group(rows.begin() + static_cast<std::ptrdiff_t>(at), rows.begin() + static_cast<std::ptrdiff_t>(end));
        if (group.size() > 1 && areMergeable(group)) {
            result.push_back(merged(group, result.size()));
            at = end;
        } else {
            result.push_back(alone(rows[at], result.size()));
            ++at;
        }
    }
    return result;
}

}  // namespace isobit
