// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0

// A zip archive is a torch archive when it has a data.pkl, and an npz when it has npy members.
#include <algorithm>

#include "core/tensors/reader.h"
#include "core/tensors/zip_archive.h"

namespace isobit {

bool isZip(std::string_view head) {
    using namespace std::string_view_literals;
    return head.starts_with("PK\x03\x04"sv) || head.starts_with("PK\x05\x06"sv);
}

Result<TensorFile> openZip(const std::shared_ptr<const MappedFile>& file, const OpenOptions& options) {
    const auto archive = ZipArchive::read(file, options);
    if (!archive) return failureOf(archive);
    const auto& members = archive->members();
    const auto isPickle = [](const ZipMember& member) {
        return member.name == "data.pkl" || member.name.ends_with("/data.pkl");
    };
    if (std::any_of(members.begin(), members.end(), isPickle)) return openTorch(*archive, file->path());
    const auto isArray = [](const ZipMember& member) { return member.name.ends_with(".npy"); };
    if (members.empty() || std::any_of(members.begin(), members.end(), isArray)) return openNpz(*archive, file->path());
    return failure("{}: a zip archive of {} members without a data.pkl (torch) or an npy array (npz)",
                   printable(file->path()), members.size());
}

}  // namespace isobit
