// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "evidence/manifest_diff.h"

#include <filesystem>
#include <map>

#include "core/base/sha256.h"
#include "evidence/artifact_folder.h"

namespace isobit::evidence {
namespace {

std::string fieldText(const CanonicalJson& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

// What a list's element is called, by the first of the fields that names it; its index if none does.
std::string nameOfElement(const CanonicalJson& element, std::size_t index) {
    if (element.is_object())
        for (const char* key : {"id", "name", "path", "file", "axis"})
            if (element.contains(key) && element[key].is_string()) return element[key];
    return std::to_string(index);
}

void flatten(const CanonicalJson& value, const std::string& place, std::map<std::string, std::string>& fields) {
    if (value.is_object() && !value.empty()) {
        for (const auto& [key, member] : value.items())
            flatten(member, place.empty() ? key : place + "." + key, fields);
    } else if (value.is_array() && !value.empty()) {
        for (std::size_t i = 0; i < value.size(); ++i)
            flatten(value[i], place + "[" + nameOfElement(value[i], i) + "]", fields);
    } else {
        fields[place] = fieldText(value);
    }
}

}  // namespace

std::vector<ManifestChange> changesBetween(const Manifest& before, const Manifest& after) {
    std::map<std::string, std::string> old;
    std::map<std::string, std::string> now;
    flatten(jsonOf(before), "", old);
    flatten(jsonOf(after), "", now);
    std::map<std::string, ManifestChange> changes;
    for (const auto& [place, value] : old) changes[place] = {place, value, ""};
    for (const auto& [place, value] : now) {
        ManifestChange& change = changes[place];
        change.place = place;
        change.after = value;
    }
    std::vector<ManifestChange> list;
    for (const auto& [place, change] : changes)
        if (change.before != change.after) list.push_back(change);
    return list;
}

Result<Manifest> readManifestOf(const std::string& folder) {
    const Result<ArtifactFolder> artifact = ArtifactFolder::open(folder);
    if (!artifact) return failureOf(artifact);
    const Result<std::string> text = artifact->read(kManifestName, kEj1LimitBytes);
    if (!text) return failure("{}: {}", folder, text.error().message);
    return readManifest(*text, folder + "/" + std::string(kManifestName));
}

Result<std::string> supersededFolder(const std::string& folder, const Manifest& manifest) {
    const std::string& wanted = manifest.predicate.supersedes;
    if (wanted.empty()) return failure("{}: supersedes nothing", folder);
    std::error_code problem;
    const std::filesystem::path parent = std::filesystem::absolute(folder, problem).lexically_normal().parent_path();
    using Entries = std::filesystem::directory_iterator;
    for (Entries entry(parent, problem); entry != Entries(); entry.increment(problem)) {
        if (!entry->is_directory(problem) || entry->is_symlink(problem)) continue;
        const Result<ArtifactFolder> artifact = ArtifactFolder::open(entry->path().string());
        const Result<std::string> text =
            artifact ? artifact->read(kManifestName, kEj1LimitBytes) : Result<std::string>(failureOf(artifact));
        if (text && sha256Hex(std::string_view(*text)) == wanted) return entry->path().string();
    }
    return failure("{}: the artifact that it supersedes (manifest sha256 {}) is not beside it", folder, wanted);
}

}  // namespace isobit::evidence
