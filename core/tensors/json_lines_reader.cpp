// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0

// One JSON object a line, as engines log tokens and their log-probabilities. A number that every record has becomes a
// column over the records; a list of numbers becomes a tensor of its own, named RECORD.KEY when there are several
// records. Objects inside a record are part of the key, joined by a dot. A null among numbers keeps its place (engines
// write one for the first token of a prompt), see json_record.h.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/tensors/json_record.h"
#include "core/tensors/number_lists.h"
#include "core/tensors/reader.h"

namespace isobit {
namespace {

constexpr std::size_t kRecordLimit = 1'000'000;
constexpr std::size_t kListLimit = 100'000;
constexpr int kDepthLimit = 8;

struct Column {
    std::vector<std::int64_t> integers;
    std::vector<double> numbers;
    bool allIntegers = true;
    std::size_t nulls = 0;
    std::size_t notANumbers = 0;
};

bool fitsInteger(const Json& value) {
    return value.is_number_integer() && !(value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX);
}

bool hasNumber(const Json& value) { return !value.is_null() && numberOf(value).has_value(); }

void append(Column& column, const Json& value) {
    const double number = *numberOf(value);
    column.allIntegers = column.allIntegers && fitsInteger(value);
    column.integers.push_back(fitsInteger(value) ? value.get<std::int64_t>() : 0);
    column.numbers.push_back(number);
    if (value.is_null()) ++column.nulls;
    else if (std::isnan(number)) ++column.notANumbers;
}

// What the user should know of numbers that the text does not give bit by bit.
std::string noteOf(const Column& column) {
    std::string note;
    if (column.nulls > 0) note = fmt::format("{} null, shown as a NaN that no arithmetic makes", column.nulls);
    if (column.notANumbers > 0)
        note += fmt::format("{}{} NaN, whose sign and payload a text does not keep", note.empty() ? "" : "; ", column.notANumbers);
    return note;
}

Result<void> addColumn(TensorFile& file, const std::string& name, const Column& column) {
    TensorInfo info;
    info.name = name;
    info.note = noteOf(column);
    return column.allIntegers ? addIntegers(file, std::move(info), column.integers)
                              : addFloats(file, std::move(info), column.numbers);
}

class Records {
public:
    explicit Records(TensorFile& file) : m_file(file) {}

    Result<void> add(const Json& record) {
        m_keysOfRecord.clear();
        if (auto added = addObject(record, "", 0); !added) return added;
        ++m_records;
        return {};
    }

    Result<void> finish() {
        for (const std::string& key : m_order) {
            const Column& column = m_columns[key];
            if (column.nulls == column.numbers.size()) {
                m_file.addIgnored(fmt::format("\"{}\": null, where it is no text", printable(key)));
            } else if (column.numbers.size() == m_records) {
                if (auto added = addColumn(m_file, key, column); !added) return added;
            } else {
                m_file.addIgnored(fmt::format("\"{}\": only {} of {} records have it", printable(key), column.numbers.size(), m_records));
            }
        }
        for (const auto& [name, list] : m_lists) {
            const std::string full = m_records == 1 ? name.second : fmt::format("{}.{}", name.first, name.second);
            if (auto added = addColumn(m_file, full, list); !added) return added;
        }
        for (const auto& [key, texts] : m_texts) {
            if (texts.size() == 1) m_file.addMetadata(key, *texts.begin());
            else m_file.addIgnored(fmt::format("\"{}\": texts that differ between records", printable(key)));
        }
        for (const std::string& key : m_ignoredKeys)
            m_file.addIgnored(fmt::format("\"{}\": neither a number, a text nor a list of numbers", printable(key)));
        return {};
    }

private:
    Result<void> addObject(const Json& object, const std::string& prefix, int depth) {
        for (const auto& [key, value] : object.items())
            if (auto added = addValue(value, prefix.empty() ? key : prefix + "." + key, depth); !added) return added;
        return {};
    }

    Result<void> addValue(const Json& value, const std::string& key, int depth) {
        if (!m_keysOfRecord.insert(key).second)
            return failure("two values for \"{}\" in one record", printable(key));
        if (value.is_object() && depth < kDepthLimit) return addObject(value, key, depth + 1);
        if (numberOf(value)) {
            if (!m_columns.contains(key)) m_order.push_back(key);
            append(m_columns[key], value);
        } else if (value.is_string()) {
            auto& texts = m_texts[key];
            if (texts.size() < 2) texts.insert(value.get<std::string>());
        } else if (value.is_boolean()) {
            auto& texts = m_texts[key];
            if (texts.size() < 2) texts.insert(value.get<bool>() ? "true" : "false");
        } else if (isNumberList(value)) {
            if (m_lists.size() >= kListLimit) return failure("more than {} lists of numbers", kListLimit);
            Column& list = m_lists[{m_records, key}];
            for (const Json& number : value) append(list, number);
        } else if (m_ignoredKeys.size() < 1000) {
            m_ignoredKeys.insert(key);
        }
        return {};
    }

    static bool isNumberList(const Json& value) {
        return value.is_array() && std::any_of(value.begin(), value.end(), hasNumber) &&
               std::all_of(value.begin(), value.end(), [](const Json& number) { return numberOf(number).has_value(); });
    }

    TensorFile& m_file;
    std::size_t m_records = 0;
    std::set<std::string> m_keysOfRecord;
    std::vector<std::string> m_order;
    std::map<std::string, Column> m_columns;
    std::map<std::pair<std::size_t, std::string>, Column> m_lists;
    std::map<std::string, std::set<std::string>> m_texts;
    std::set<std::string> m_ignoredKeys;
};

}  // namespace

Result<TensorFile> openJsonLines(std::string_view text, const std::string& path) {
    TensorFile result(path, "jsonl");
    Records records(result);
    std::size_t lineNumber = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view line = text.substr(at, end - at);
        const std::size_t offset = at;
        at = end + 1;
        if (++lineNumber > kRecordLimit) return failure("{}: more than {} lines", printable(path), kRecordLimit);
        if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
        const std::string where = fmt::format("{}: line {} at offset {}", printable(path), lineNumber, offset);
        const auto record = parseRecord(line, where);
        if (!record) return failureOf(record);
        if (!record->is_object()) return failure("{}: is no JSON object", where);
        if (auto added = records.add(*record); !added) return failure("{}: {}", where, added.error().message);
    }
    if (auto finished = records.finish(); !finished) return failureOf(finished);
    return result;
}

}  // namespace isobit
