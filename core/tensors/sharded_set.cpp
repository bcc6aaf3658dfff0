// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "core/base/json.h"
#include "core/tensors/reader.h"

namespace isobit {
namespace {

constexpr std::size_t kShardLimit = 10'000;

using Shards = std::map<std::string, TensorFile>;

Result<const TensorFile*> openShard(Shards& shards, const OpenedPath& folder, const std::string& name,
                                    const OpenOptions& options, const std::string& path) {
    if (const auto found = shards.find(name); found != shards.end()) return &found->second;
    if (shards.size() >= kShardLimit) return failure("{}: names more than {} shards", path, kShardLimit);
    auto opened = openBelow(folder, name);
    if (!opened) return failureOf(opened);
    const auto mapped = MappedFile::map(std::move(*opened));
    if (!mapped) return failureOf(mapped);
    const auto head = (*mapped)->copyText(0, std::min<std::uint64_t>((*mapped)->size(), kHeadBytes), kHeadBytes);
    if (!head) return failureOf(head);
    if (!isSafetensors(*head))  // never another index, so that an index cannot lead back to itself
        return failure("{}: names \"{}\" as a shard, which is not a safetensors file", path, printable(name));
    auto shard = openSafetensors(*mapped, options);
    if (!shard) return failureOf(shard);
    return &shards.emplace(name, std::move(*shard)).first->second;
}

// Tensors that the shards hold and the index does not name.
void noteUnnamed(const Shards& shards, TensorFile& result) {
    for (const auto& [name, shard] : shards)
        for (const TensorInfo& info : shard.tensors())
            if (!result.find(info.name)) result.addIgnored(fmt::format("\"{}\" in {}: not in the index", info.name, name));
}

Result<void> addMetadata(const std::vector<JsonMember>& index, const std::string& path, TensorFile& result) {
    const JsonMember* member = findMember(index, "metadata");
    if (member == nullptr) return {};
    const auto metadata = parseJsonStrictly(member->value, path + ": \"metadata\"");
    if (!metadata) return failureOf(metadata);
    if (!metadata->is_object()) return {};
    for (const auto& [key, value] : metadata->items())
        result.addMetadata(key, value.is_string() ? value.get<std::string>()
                                                  : value.dump(-1, ' ', false, Json::error_handler_t::replace));
    return {};
}

}  // namespace

Result<TensorFile> openShardedSet(const std::vector<JsonMember>& index, const OpenedPath& indexFile,
                                  const OpenOptions& options) {
    const std::string path = printable(indexFile.path);
    const auto map = membersOf(findMember(index, "weight_map")->value, path + ": \"weight_map\"");
    if (!map) return failureOf(map);
    const auto folder = openFolderOf(indexFile);
    if (!folder) return failureOf(folder);
    TensorFile result(indexFile.path, "safetensors set");
    Shards shards;
    for (const auto& [name, value, offset] : *map) {
        const auto file = parseJsonStrictly(value, path);
        if (!file || !file->is_string())
            return failure("{}: \"weight_map\" entry \"{}\" is not a file name", path, printable(name));
        const auto fileName = file->get<std::string>();
        const auto shard = openShard(shards, *folder, fileName, options, path);
        if (!shard) return failureOf(shard);
        const auto tensor = (*shard)->find(name);
        if (!tensor)
            return failure("{}: tensor \"{}\" is not in \"{}\", where the index puts it", path, printable(name),
                           printable(fileName));
        TensorInfo info = (*shard)->tensors()[*tensor];
        info.file = fileName;
        if (auto taken = result.takeTensor(**shard, *tensor, std::move(info)); !taken) return failureOf(taken);
    }
    if (auto added = addMetadata(index, path, result); !added) return failureOf(added);
    noteUnnamed(shards, result);
    return result;
}

}  // namespace isobit
