// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0

// Where rows come from: a document, or a capture's tensors.
#include <algorithm>
#include <array>
#include <cstring>

#include "core/base/object_reader.h"
#include "core/packing/row_check.h"
#include "core/tensors/confinement.h"

namespace isobit {
namespace {

constexpr std::int64_t kMostTokens = std::int64_t(1) << 26;
constexpr std::array<std::string_view, 11> kKnown{
    "batch_id",       "input_ids",          "labels",  "target_tokens", "position_ids", "sample_count",
    "sample_lengths", "cumulative_lengths", "longest", "provenance",    "request_id"};

// A single-row list [[...]] of whole numbers.
std::optional<Integers> singleRow(ObjectReader& in, const char* key, std::int64_t least) {
    const Json& value = in.any(key);
    if (value.is_null()) return std::nullopt;
    if (!value.is_array() || value.size() != 1) {
        in.refuse(key, fmt::format("is {}, expected one row [[...]]", shownJson(value)));
        return std::nullopt;
    }
    const Json wrapped{{key, value[0]}};
    ObjectReader one(wrapped, "");
    Integers list = one.wholes(key, least);
    if (!one.good()) in.refuse(key, "holds something else than whole numbers");
    return list;
}

FoundRow readRow(ObjectReader& in, const Json& object, std::size_t index) {
    FoundRow row;
    row.name = fmt::format("row {}", in.wholeOr("batch_id", static_cast<std::int64_t>(index)));
    row.ids = singleRow(in, "input_ids", 0).value_or(Integers());
    row.labels = singleRow(in, "labels", kIgnoredLabel);
    row.targets = singleRow(in, "target_tokens", kIgnoredLabel);
    row.positions = singleRow(in, "position_ids", 0);
    if (in.has("cumulative_lengths")) row.cumulative = in.wholes("cumulative_lengths");
    if (in.has("longest")) row.longest = in.whole("longest");
    if (in.has("sample_lengths")) row.sampleLengths = in.wholes("sample_lengths");
    if (in.has("sample_count")) row.samples = in.whole("sample_count");
    if (in.has("provenance")) {
        row.provenance = in.any("provenance");
        if (!row.provenance->is_object() || !row.provenance->value("spans", Json()).is_array() ||
            !row.provenance->value("batch_ids", Json()).is_array() ||
            !row.provenance->value("group_size", Json()).is_number_integer())
            in.refuse("provenance", "has no spans, batch_ids and group_size");
    }
    for (const auto& [key, value] : object.items()) {
        if (std::ranges::find(kKnown, key) != kKnown.end()) continue;
        (void)in.any(key.c_str());
        const bool sideSequence = key.starts_with("teacher_");
        if (!sideSequence && value.is_array() && value.size() == 1 && value[0].is_array())
            row.fields.emplace_back(key, value[0].size());
    }
    for (const std::string_view key : kKnown) (void)in.any(std::string(key).c_str());
    return row;
}

std::string_view lastPart(std::string_view name) {
    const std::size_t dot = name.find_last_of("./");
    return dot == std::string_view::npos ? name : name.substr(dot + 1);
}

const TensorInfo* findTensor(const TensorFile& capture, std::initializer_list<std::string_view> names,
                             std::size_t& index) {
    for (std::size_t i = 0; i < capture.tensors().size(); ++i)
        if (std::ranges::find(names, lastPart(capture.tensors()[i].name)) != names.end()) {
            index = i;
            return &capture.tensors()[i];
        }
    return nullptr;
}

// A tensor of integers as rows: [T] is one, [R, T] are R.
Result<std::optional<std::vector<Integers>>> rowsOf(const TensorFile& capture,
                                                    std::initializer_list<std::string_view> names, bool flat) {
    std::size_t index = 0;
    const TensorInfo* info = findTensor(capture, names, index);
    if (info == nullptr) return std::optional<std::vector<Integers>>();
    if ((info->dtype != DType::I64 && info->dtype != DType::I32) || info->shape.empty() || info->shape.size() > 2 ||
        elementsOf(info->shape) > kMostTokens)
        return failure(
            "{}: \"{}\" is {} of {} dimensions, expected int32 or int64 of one or two and at most {} elements",
            printable(capture.path()), printable(info->name), nameOf(info->dtype), info->shape.size(), kMostTokens);
    std::vector<std::byte> bytes(static_cast<std::size_t>(elementsOf(info->shape)) *
                                 static_cast<std::size_t>(bytesOf(info->dtype)));
    if (const auto read = capture.read(index, 0, bytes); !read) return failureOf(read);
    Integers values(static_cast<std::size_t>(elementsOf(info->shape)));
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (info->dtype == DType::I64) std::memcpy(&values[i], bytes.data() + i * 8, 8);
        std::int32_t small = 0;
        if (info->dtype == DType::I32) std::memcpy(&small, bytes.data() + i * 4, 4), values[i] = small;
    }
    std::vector<Integers> rows;
    const std::size_t width =
        flat || info->shape.size() == 1 ? values.size() : static_cast<std::size_t>(info->shape.back());
    for (std::size_t at = 0; width != 0 && at + width <= values.size(); at += width)
        rows.emplace_back(values.begin() + static_cast<std::ptrdiff_t>(at),
                          values.begin() + static_cast<std::ptrdiff_t>(at + width));
    return std::optional(std::move(rows));
}

}  // namespace

Result<FoundBatch> readPackedBatch(const Json& document, const std::string& name) {
    ObjectReader in(document, name);
    (void)in.choice("format", {"isobit.packed/1"});
    FoundBatch batch;
    if (in.has("limit")) batch.limit = in.whole("limit");
    const Json& rows = in.any("rows");
    std::size_t index = 0;
    in.each("rows", [&](ObjectReader& one) {
        batch.rows.push_back(readRow(one, rows[index], index));
        ++index;
    });
    if (in.has("order")) {
        batch.order.emplace();
        for (const std::int64_t sample : in.wholes("order")) batch.order->push_back(static_cast<std::size_t>(sample));
    }
    batch.warnings = in.texts("warnings");
    if (in.has("routing_items")) batch.routingItems = in.whole("routing_items");
    for (const char* key : {"limit", "order", "routing_items"}) (void)in.any(key);
    if (const auto done = in.finish(); !done) return failureOf(done);
    return batch;
}

Result<FoundBatch> rowsOfCapture(const TensorFile& capture) {
    const auto ids = rowsOf(capture, {"token_ids", "input_ids"}, false);
    if (!ids) return failureOf(ids);
    if (!*ids) return failure("{}: holds no tensor token_ids or input_ids", printable(capture.path()));
    const auto labels = rowsOf(capture, {"labels"}, false);
    if (!labels) return failureOf(labels);
    const auto positions = rowsOf(capture, {"positions", "position_ids"}, false);
    if (!positions) return failureOf(positions);
    const auto lengths = rowsOf(capture, {"cu_seqlens", "cumulative_lengths"}, true);
    if (!lengths) return failureOf(lengths);
    FoundBatch batch;
    for (std::size_t i = 0; i < (*ids)->size(); ++i) {
        FoundRow row;
        row.name = fmt::format("row {}", i);
        row.ids = (**ids)[i];
        if (*labels && i < (*labels)->size()) row.labels = (**labels)[i];
        if (*positions && !(*positions)->empty()) row.positions = (**positions)[std::min(i, (*positions)->size() - 1)];
        if (*lengths && (*ids)->size() == 1 && !(*lengths)->empty()) row.cumulative = (*lengths)->front();
        batch.rows.push_back(std::move(row));
    }
    return batch;
}

}  // namespace isobit
