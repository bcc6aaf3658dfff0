// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0

// JSON is the index of a sharded safetensors set when its one object has a "weight_map", else lines of records.
#include <algorithm>

#include "core/tensors/json_members.h"
#include "core/tensors/reader.h"

namespace isobit {
namespace {

constexpr std::uint64_t kDocumentLimit = 256u << 20;

// The first line that is not blank, without its line feed.
std::string_view firstLine(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    text = text.substr(0, text.find('\n'));
    return text.substr(0, text.find_last_not_of(" \t\r") + 1);
}

}  // namespace

bool isJson(std::string_view head) {
    const auto first = head.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && head[first] == '{';
}

Result<TensorFile> openJson(const std::shared_ptr<const MappedFile>& file, const OpenOptions& options) {
    const std::string path = printable(file->path());
    const auto text = file->copyText(0, file->size(), kDocumentLimit);
    if (!text) return failureOf(text);
    // A record ends with its line; an index spans many, or is the only line.
    const std::string_view first = firstLine(*text);
    const auto line = membersOf(first, path);
    const bool isRecord = line ? findMember(*line, "weight_map") == nullptr : first.size() > 1 && first.ends_with('}');
    if (isRecord) return openJsonLines(*text, file->path());
    const auto whole = membersOf(*text, path);
    if (!whole) return failureOf(whole);
    if (findMember(*whole, "weight_map") == nullptr)
        return failure("{}: is JSON, but neither a safetensors index (no \"weight_map\") nor one record a line", path);
    return openShardedSet(*whole, file->opened(), options);
}

}  // namespace isobit
