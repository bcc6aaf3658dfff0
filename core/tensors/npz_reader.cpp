// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/tensors/npy_header.h"
#include "core/tensors/reader.h"
#include "core/tensors/swapped_storage.h"
#include "core/tensors/zip_archive.h"

namespace isobit {
namespace {

constexpr std::uint64_t kCheckedAtOpen = 64u << 20;
constexpr std::size_t kMemberLimit = 100'000;

std::string_view withoutSuffix(std::string_view name) {
    return name.ends_with(".npy") ? name.substr(0, name.size() - 4) : name;
}

Result<void> addMember(const ZipArchive& archive, const ZipMember& member, const std::string& path, TensorFile& file) {
    const std::string where = fmt::format("{}: member \"{}\"", path, printable(member.name));
    const auto head = archive.head(member, std::min<std::uint64_t>(member.bytes, kNpyHeaderLimit + 12));
    if (!head) return failureOf(head);
    const auto header = parseNpyHeader(*head, where);
    if (!header) return failureOf(header);
    TensorInfo prototype;
    prototype.name = withoutSuffix(member.name);
    prototype.offset = member.dataOffset + (member.deflated ? 0 : header->dataOffset);
    const std::uint64_t dataBytes = member.bytes - header->dataOffset;
    const auto data = std::make_shared<RangeStorage>(archive.storage(member), header->dataOffset, dataBytes);
    return addNpyTensors(*header, prototype, data, dataBytes, where, file);
}

}  // namespace

Result<TensorFile> openNpz(const ZipArchive& archive, const std::string& path) {
    TensorFile result(path, "npz");
    if (archive.members().size() > kMemberLimit)
        return failure("{}: {} members, expected at most {}", printable(path), archive.members().size(), kMemberLimit);
    for (const ZipMember& member : archive.members()) {
        if (!member.name.ends_with(".npy")) {
            result.addIgnored(fmt::format("member \"{}\": not an npy array", member.name));
            continue;
        }
        if (auto added = addMember(archive, member, printable(path), result); !added) return failureOf(added);
    }
    if (auto checked = archive.checkSmallMembers(kCheckedAtOpen); !checked) return failureOf(checked);
    if (archive.strayBytes() > 0)
        result.addIgnored(fmt::format("{} bytes that belong to no member", archive.strayBytes()));
    return result;
}

}  // namespace isobit
