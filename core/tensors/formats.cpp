// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/tensors/formats.h"

#include <algorithm>

#include "core/tensors/reader.h"

namespace isobit {
namespace {

// The one list of formats; the first that recognises the content is taken.
constexpr Format kFormats[] = {
    {"a known misfit", isKnownMisfit, openKnownMisfit},
    {"npy", isNpy, openNpy},
    {"npz or torch", isZip, openZip},
    {"hdf5", isHdf5, openHdf5},
    {"safetensors", isSafetensors, openSafetensors},
    {"JSON lines or a safetensors index", isJson, openJson},
};

std::string hexOfHead(std::string_view head) {
    std::string text;
    for (const char c : head.substr(0, 8)) text += fmt::format("{}{:02x}", text.empty() ? "" : " ", static_cast<unsigned char>(c));
    return text;
}

Result<std::string> headOf(const MappedFile& file) {
    const std::uint64_t bytes = std::min<std::uint64_t>(file.size(), kHeadBytes);
    return file.copyText(0, bytes, bytes);
}

const Format* formatOf(std::string_view head) {
    for (const Format& format : kFormats)
        if (format.recognises(head)) return &format;
    return nullptr;
}

}  // namespace

Result<bool> isKnownContent(const MappedFile& file) {
    const auto head = headOf(file);
    if (!head) return failureOf(head);
    return formatOf(*head) != nullptr;
}

Result<TensorFile> openMapped(const std::shared_ptr<const MappedFile>& file, const OpenOptions& options) {
    if (options.raw) return openRaw(file, options);
    if (file->size() == 0) return failure("{}: is empty (0 bytes), expected tensors", printable(file->path()));
    const auto head = headOf(*file);
    if (!head) return failureOf(head);
    if (const Format* format = formatOf(*head)) return format->open(file, options);
    return failure("{}: offset 0: {} begins no known format (safetensors, npy, npz, torch, HDF5, JSON lines); a headerless "
                   "array needs its element type and shape",
                   printable(file->path()), hexOfHead(*head));
}

Result<TensorFile> openContent(OpenedPath opened, const OpenOptions& options) {
    auto mapped = MappedFile::map(std::move(opened));
    if (!mapped) return failureOf(mapped);
    return openMapped(*mapped, options);
}

Result<TensorFile> openTensorFile(const std::string& path, const OpenOptions& options) {
    auto opened = openTypedPath(path, options.inputRoot, options.linkRoot);
    if (!opened) return failureOf(opened);
    auto result = opened->isFolder ? openFolder(*opened, options) : openContent(std::move(*opened), options);
    if (result && options.as) result->readAs(*options.as);
    return result;
}

}  // namespace isobit
