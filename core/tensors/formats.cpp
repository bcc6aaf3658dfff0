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
    {"safetensors", isSafetensors, openSafetensors},
};

std::string hexOfHead(std::string_view head) {
    std::string text;
    for (const char c : head.substr(0, 8)) text += fmt::format("{}{:02x}", text.empty() ? "" : " ", static_cast<unsigned char>(c));
    return text;
}

Result<TensorFile> openMapped(const std::shared_ptr<const MappedFile>& file, const OpenOptions& options) {
    if (options.raw) return openRaw(file, options);
    if (file->size() == 0) return failure("{}: is empty (0 bytes), expected tensors", printable(file->path()));
    const std::uint64_t headBytes = std::min<std::uint64_t>(file->size(), kHeadBytes);
    const auto head = file->copyText(0, headBytes, headBytes);
    if (!head) return failureOf(head);
    for (const Format& format : kFormats)
        if (format.recognises(*head)) return format.open(file, options);
    return failure("{}: offset 0: {} begins no known format (safetensors, npy, npz, torch, HDF5, JSON lines); a headerless "
                   "array needs its element type and shape",
                   printable(file->path()), hexOfHead(*head));
}

}  // namespace

Result<TensorFile> openTensorFile(const std::string& path, const OpenOptions& options) {
    auto opened = openTypedPath(path, options.inputRoot);
    if (!opened) return failureOf(opened);
    auto mapped = MappedFile::map(std::move(*opened));
    if (!mapped) return failureOf(mapped);
    auto result = openMapped(*mapped, options);
    if (result && options.as) result->readAs(*options.as);
    return result;
}

}  // namespace isobit
