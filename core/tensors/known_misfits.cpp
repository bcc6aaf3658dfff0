// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0

// Files that people open by mistake. Naming them saves a hunt: a Git LFS pointer otherwise reads as a safetensors file
// with an absurd header length.
#include <array>

#include "core/tensors/reader.h"

namespace isobit {
namespace {

constexpr std::string_view kLfs = "version https://git-lfs.github.com/spec/";

struct Misfit {
    std::string_view start;
    std::string_view sentence;
};

constexpr std::array kMisfits{
    Misfit{"\x89HDF\n",
           "offset 4: not HDF5: the signature lost its carriage return, as a text-mode or git line-ending conversion does "
           "(expected 89 48 44 46 0d 0a 1a 0a)"},
    Misfit{"\x89HDF\r\r",
           "offset 4: not HDF5: the signature gained a carriage return, as a text-mode conversion does (expected 89 48 44 "
           "46 0d 0a 1a 0a)"},
    Misfit{"\x80\x02\x8a\x0al\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19",
           "a torch file of the form before version 1.6, expected a zip archive: load and save it again with a newer torch"},
    Misfit{"\x80\x02", "a bare pickle, expected a torch zip archive: pickles are not run"},
    Misfit{"\x80\x03", "a bare pickle, expected a torch zip archive: pickles are not run"},
    Misfit{"\x80\x04", "a bare pickle, expected a torch zip archive: pickles are not run"},
    Misfit{"\x80\x05", "a bare pickle, expected a torch zip archive: pickles are not run"},
    Misfit{"<<<<<<< ", "a text with conflict markers, as a failed merge leaves them (of a Git LFS pointer, perhaps), not the data"},
    Misfit{"\x1f\x8b", "gzip data, expected the unpacked file"},
    Misfit{"\x28\xb5\x2f\xfd", "zstd data, expected the unpacked file"},
    Misfit{"PAR1", "a parquet file, which is not supported"},
    Misfit{"GGUF", "a GGUF file, which is not supported"},
};

std::string lineAfter(std::string_view text, std::string_view key) {
    const auto begin = text.find(key);
    if (begin == std::string_view::npos) return "none";
    text.remove_prefix(begin + key.size());
    return printable(text.substr(0, text.find('\n')));
}

}  // namespace

bool isKnownMisfit(std::string_view head) {
    if (head.starts_with(kLfs)) return true;
    for (const Misfit& misfit : kMisfits)
        if (head.starts_with(misfit.start)) return true;
    return false;
}

Result<TensorFile> openKnownMisfit(const std::shared_ptr<const MappedFile>& file, const OpenOptions&) {
    const std::string path = printable(file->path());
    const std::uint64_t headBytes = std::min<std::uint64_t>(file->size(), kHeadBytes);
    const auto head = file->copyText(0, headBytes, headBytes);
    if (!head) return failureOf(head);
    if (head->starts_with(kLfs))
        return failure("{}: a Git LFS pointer, not the data: oid {}, {} bytes expected; fetch it with git lfs pull", path,
                       lineAfter(*head, "oid "), lineAfter(*head, "size "));
    for (const Misfit& misfit : kMisfits)
        if (head->starts_with(misfit.start)) return failure("{}: {}", path, misfit.sentence);
    return failure("{}: changed while it was opened", path);
}

}  // namespace isobit
