// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/capture/side_facts.h"

#include <filesystem>
#include <set>

#include "core/base/json.h"
#include "core/tensors/confinement.h"
#include "core/tensors/mapped_file.h"

namespace isobit {
namespace {

constexpr std::uint64_t kSidecarBytes = 1 << 20;
constexpr std::size_t kFactsLimit = 4096;

std::string keyOf(std::string_view text) {
    std::string key(text);
    for (char& c : key) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
        if (c == '-' || c == ' ' || c == '.') c = '_';
    }
    return key;
}

// Values of an object as text; what is inside another object has both keys.
void addValues(const Json& object, const std::string& prefix, TextPairs& values) {
    for (const auto& [key, value] : object.items()) {
        if (values.size() >= kFactsLimit) return;
        const std::string name = prefix + keyOf(key);
        if (value.is_object()) addValues(value, name + "_", values);
        else if (value.is_string()) values.emplace_back(name, value.get<std::string>());
        else if (value.is_number() || value.is_boolean()) values.emplace_back(name, value.dump());
    }
}

std::vector<std::string> sidecarNames(const std::string& capture, bool isFolder) {
    if (isFolder) return {"metadata.json", "meta.json", "capture.json"};
    const std::filesystem::path path(capture);
    const std::string name = path.filename().string(), stem = path.stem().string();
    return {name + ".json", stem + ".json", stem + ".metadata.json"};
}

Result<Json> readSidecar(OpenedPath opened) {
    const std::string path = opened.path;
    const std::uint64_t size = opened.size;
    const auto mapped = MappedFile::map(std::move(opened));
    if (!mapped) return failureOf(mapped);
    const auto text = (*mapped)->copyText(0, size, kSidecarBytes);
    if (!text) return failureOf(text);
    auto document = parseJsonStrictly(*text, printable(path));
    if (document && !document->is_object()) return failure("{}: is no JSON object", printable(path));
    return document;
}

void addSidecar(const TensorFile& file, const std::string& inputRoot, SideFacts& facts) {
    auto capture = openTypedPath(file.path(), inputRoot);
    if (!capture) return;
    const bool isFolder = capture->isFolder;
    auto folder = isFolder ? std::move(capture) : openFolderOf(*capture);
    if (!folder) return;
    for (const std::string& name : sidecarNames(file.path(), isFolder)) {
        auto opened = openBelow(*folder, name);
        if (!opened || opened->isFolder) continue;
        const std::string path = opened->path;
        const auto document = readSidecar(std::move(*opened));
        if (!document) {
            facts.notes.push_back(document.error().message + ", so it says nothing about the capture");
            continue;
        }
        facts.sidecar = path;
        return addValues(*document, "", facts.values);
    }
}

}  // namespace

SideFacts factsOf(const TensorFile& file, const std::string& inputRoot) {
    SideFacts facts;
    for (const auto& [key, value] : file.metadata()) facts.values.emplace_back(keyOf(key), value);
    // Tags that all tensors of a folder share are facts about the run.
    if (!file.tensors().empty())
        for (const auto& [key, value] : file.tensors().front().tags) {
            bool shared = true;
            for (const TensorInfo& tensor : file.tensors()) {
                bool has = false;
                for (const auto& tag : tensor.tags) has = has || (tag.first == key && tag.second == value);
                shared = shared && has;
            }
            if (shared) facts.values.emplace_back(keyOf(key), value);
        }
    addSidecar(file, inputRoot, facts);
    std::set<std::string> seen;
    std::erase_if(facts.values, [&](const auto& pair) { return !seen.insert(pair.first).second; });
    return facts;
}

}  // namespace isobit
