// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0

// A folder of dumps: files of any known format, each with one tensor whose name, step and rank stand in the file's name,
// or with several of its own names. What is found in the folder is confined below it.
#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <map>
#include <memory>
#include <set>

#include "core/tensors/dump_name.h"
#include "core/tensors/reader.h"

namespace isobit {
namespace {

constexpr std::size_t kFileLimit = 60'000;
constexpr std::string_view kIndexSuffix = ".safetensors.index.json";

Result<std::vector<std::string>> listNames(const OpenedPath& folder) {
    const int descriptor = dup(folder.handle.get());
    const std::unique_ptr<DIR, int (*)(DIR*)> entries(descriptor < 0 ? nullptr : fdopendir(descriptor), closedir);
    if (entries == nullptr) {
        const int error = errno;
        if (descriptor >= 0) close(descriptor);
        return failure("{}: cannot be listed: {}", printable(folder.path), std::strerror(error));
    }
    std::vector<std::string> names;
    for (errno = 0; const dirent* entry = readdir(entries.get());) {
        if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
        if (names.size() > kFileLimit) return failure("{}: more than {} files", printable(folder.path), kFileLimit);
    }
    if (errno != 0) return failure("{}: cannot be listed: {}", printable(folder.path), std::strerror(errno));
    std::sort(names.begin(), names.end(), naturallyBefore);
    return names;
}

// One tensor of one file, before it has a name that is unique in the folder.
struct Found {
    std::size_t file;
    std::size_t tensor;
    std::string stem;
    std::string name;
    TextPairs tags;
};

// Readers give this name where the file itself has none; then the file's name speaks.
bool isUnnamed(const TensorFile& file) {
    static const std::set<std::string> kUnnamed{"array", "tensor", "value"};
    return file.tensors().size() == 1 && kUnnamed.contains(file.tensors()[0].name);
}

std::string_view stemOf(std::string_view name) {
    const auto dot = name.find_last_of('.');
    return dot == 0 || dot == std::string_view::npos ? name : name.substr(0, dot);
}

class Folder {
public:
    Folder(const OpenedPath& folder, const OpenOptions& options)
        : m_folder(folder), m_options(options), m_result(folder.path, "folder") {}

    Result<TensorFile> open(const std::vector<std::string>& names) {
        for (const std::string& name : names)
            if (auto opened = openOne(name); !opened) return failureOf(opened);
        if (m_found.empty())
            return failure("{}: none of its {} files holds a tensor{}{}", printable(m_folder.path), names.size(),
                           m_result.ignored().empty() ? "" : "; the first: ",
                           m_result.ignored().empty() ? "" : m_result.ignored().front());
        orderByDumpIndex();
        makeNamesUnique();
        for (const Found& found : m_found) {
            TensorInfo info = m_files[found.file].tensors()[found.tensor];
            info.name = found.name;
            info.tags = found.tags;
            info.file = m_names[found.file];
            if (auto taken = m_result.takeTensor(m_files[found.file], found.tensor, std::move(info)); !taken)
                return failureOf(taken);
        }
        return std::move(m_result);
    }

private:
    void ignore(const std::string& name, std::string_view why) {
        m_result.addIgnored(fmt::format("{}: {}", printable(name), why));
    }

    // A file that cannot be opened or is of no known format is left out, and said so; one of a known format that is
    // damaged ends it all, since a walk over a folder with a silent gap would be believed.
    Result<void> openOne(const std::string& name) {
        auto opened = openBelow(m_folder, name);
        if (!opened) {
            m_result.addIgnored(opened.error().message);
            return {};
        }
        if (opened->isFolder) {
            ignore(name, "a folder");
            return {};
        }
        if (opened->size == 0) {
            ignore(name, "is empty (0 bytes)");
            return {};
        }
        auto mapped = MappedFile::map(std::move(*opened));
        if (!mapped) return failureOf(mapped);
        const auto known = isKnownContent(**mapped);
        if (!known) return failureOf(known);
        if (!*known) {
            ignore(name, "of no known format");
            return {};
        }
        auto file = openMapped(*mapped, m_options);
        const auto head = (*mapped)->copyText(0, std::min<std::uint64_t>((*mapped)->size(), kHeadBytes), kHeadBytes);
        if (!file && head && isJson(*head)) {  // a configuration beside the dumps
            ignore(name, "JSON, but no records");
            return {};
        }
        if (!file) return failureOf(file);
        addTensors(name, std::move(*file));
        return {};
    }

    void addTensors(const std::string& name, TensorFile file) {
        const DumpName dump = parseDumpName(stemOf(name));
        const bool unnamed = isUnnamed(file);
        TextPairs tags = dump.tags;
        for (const auto& [key, value] : file.metadata())
            if (key != "byteorder") tags.emplace_back(key, value);
        for (std::size_t i = 0; i < file.tensors().size(); ++i)
            m_found.push_back({m_files.size(), i, std::string(stemOf(name)), unnamed ? dump.tensor : file.tensors()[i].name,
                               tags});
        for (const std::string& sentence : file.ignored()) ignore(name, sentence);
        m_files.push_back(std::move(file));
        m_names.push_back(name);
    }

    static const std::string* tagOf(const Found& found, std::string_view key) {
        for (const auto& [name, value] : found.tags)
            if (name == key) return &value;
        return nullptr;
    }

    static std::uint64_t dumpIndexOf(const Found& found) {
        const std::string* text = tagOf(found, "dump_index");
        std::uint64_t value = UINT64_MAX;
        if (text != nullptr) std::from_chars(text->data(), text->data() + text->size(), value);
        return value;
    }

    void orderByDumpIndex() {
        std::stable_sort(m_found.begin(), m_found.end(),
                         [](const Found& a, const Found& b) { return dumpIndexOf(a) < dumpIndexOf(b); });
    }

    // A name that occurs twice is followed by the tags in which its bearers differ; where that does not tell them apart,
    // the file's name goes before it.
    void makeNamesUnique() {
        std::map<std::string, std::vector<Found*>> byName;
        for (Found& found : m_found) byName[found.name].push_back(&found);
        for (auto& [name, bearers] : byName) {
            if (bearers.size() == 1) continue;
            std::set<std::string> full;
            for (Found* found : bearers) full.insert(found->name + differingTags(*found, bearers));
            const bool tagsTell = full.size() == bearers.size();
            std::vector<std::string> names;
            for (Found* found : bearers)
                names.push_back(tagsTell ? found->name + differingTags(*found, bearers) : found->stem + "/" + found->name);
            for (std::size_t i = 0; i < bearers.size(); ++i) bearers[i]->name = names[i];
        }
    }

    static std::string differingTags(const Found& found, const std::vector<Found*>& bearers) {
        std::string text;
        for (const auto& tag : found.tags) {
            if (tag.first == "dump_index") continue;
            const bool differs = std::any_of(bearers.begin(), bearers.end(), [&](const Found* other) {
                const std::string* theirs = tagOf(*other, tag.first);
                return theirs == nullptr || *theirs != tag.second;
            });
            if (differs) text += fmt::format("{}{}={}", text.empty() ? "[" : ",", tag.first, tag.second);
        }
        return text.empty() ? text : text + "]";
    }

    const OpenedPath& m_folder;
    const OpenOptions& m_options;
    TensorFile m_result;
    std::vector<TensorFile> m_files;
    std::vector<std::string> m_names;
    std::vector<Found> m_found;
};

}  // namespace

Result<TensorFile> openFolder(const OpenedPath& folder, const OpenOptions& options) {
    if (options.raw)
        return failure("{}: is a folder, a headerless array is a file", printable(folder.path));
    const auto names = listNames(folder);
    if (!names) return failureOf(names);
    const auto isIndex = [](const std::string& name) { return name.ends_with(kIndexSuffix); };
    if (std::count_if(names->begin(), names->end(), isIndex) == 1) {
        auto index = openBelow(folder, *std::find_if(names->begin(), names->end(), isIndex));
        if (!index) return failureOf(index);
        return openContent(std::move(*index), options);
    }
    return Folder(folder, options).open(*names);
}

}  // namespace isobit
