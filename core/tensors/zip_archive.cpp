// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/tensors/zip_archive.h"

#include <algorithm>
#include <cstring>

#include "core/tensors/zip_member.h"

namespace isobit {
namespace {

// PKWARE APPNOTE 6.3.10, sections 4.3.7, 4.3.12, 4.3.14 to 4.3.16 and 4.5.3.
constexpr std::uint32_t kLocalSignature = 0x04034b50;
constexpr std::uint32_t kCentralSignature = 0x02014b50;
constexpr std::uint32_t kEndSignature = 0x06054b50;
constexpr std::uint32_t kEnd64Signature = 0x06064b50;
constexpr std::uint32_t kLocator64Signature = 0x07064b50;
constexpr std::size_t kLocalBytes = 30;
constexpr std::size_t kCentralBytes = 46;
constexpr std::size_t kEndBytes = 22;
constexpr std::size_t kEnd64Bytes = 56;
constexpr std::size_t kLocator64Bytes = 20;
constexpr std::size_t kCommentLimit = 65535;
constexpr std::uint64_t kDirectoryLimit = 64u << 20;
constexpr std::uint16_t kEncrypted = 1;
constexpr std::uint16_t kSizesFollow = 8;  // sizes and CRC stand behind the data, not in the local header
constexpr std::uint64_t kDescriptorBytes = 24;  // at most
constexpr std::uint64_t kDeflateRatio = 1032;  // the most that a byte of deflate data can grow to (zlib, "Technical Details")

std::uint16_t word16(std::string_view bytes, std::size_t at) {
    return static_cast<std::uint16_t>(static_cast<unsigned char>(bytes[at]) | static_cast<unsigned char>(bytes[at + 1]) << 8);
}
std::uint32_t word32(std::string_view bytes, std::size_t at) {
    return word16(bytes, at) | static_cast<std::uint32_t>(word16(bytes, at + 2)) << 16;
}
std::uint64_t word64(std::string_view bytes, std::size_t at) {
    return word32(bytes, at) | static_cast<std::uint64_t>(word32(bytes, at + 4)) << 32;
}

struct Directory {
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
    std::uint64_t entries = 0;
    std::uint64_t end = 0;  // where the records behind the directory begin
};

// The end record lies at the end of the file, behind it only its own comment.
Result<std::pair<std::uint64_t, std::string>> findEnd(const MappedFile& file) {
    const std::uint64_t bytes = std::min<std::uint64_t>(file.size(), kEndBytes + kCommentLimit);
    const std::uint64_t begin = file.size() - bytes;
    auto tail = file.copyText(begin, bytes, bytes);
    if (!tail) return failureOf(tail);
    for (std::size_t at = tail->size() < kEndBytes ? 0 : tail->size() - kEndBytes + 1; at-- > 0;)
        if (word32(*tail, at) == kEndSignature && at + kEndBytes + word16(*tail, at + 20) == tail->size())
            return std::pair(begin + at, tail->substr(at, kEndBytes));
    return failure("{}: offset {}: no zip end record (PK 05 06) at the end: truncated or bytes after it",
                   printable(file.path()), file.size());
}

Result<Directory> findDirectory64(const MappedFile& file, std::uint64_t endOffset) {
    const std::string path = printable(file.path());
    if (endOffset < kLocator64Bytes) return failure("{}: offset {}: zip64 sizes without a locator", path, endOffset);
    const auto locator = file.copyText(endOffset - kLocator64Bytes, kLocator64Bytes, kLocator64Bytes);
    if (!locator) return failureOf(locator);
    if (word32(*locator, 0) != kLocator64Signature)
        return failure("{}: offset {}: zip64 sizes without a locator", path, endOffset - kLocator64Bytes);
    const std::uint64_t offset = word64(*locator, 8);
    if (endOffset < kLocator64Bytes + kEnd64Bytes || offset > endOffset - kLocator64Bytes - kEnd64Bytes)
        return failure("{}: offset {}: the zip64 end record at {} lies outside the file", path, endOffset, offset);
    const auto record = file.copyText(offset, kEnd64Bytes, kEnd64Bytes);
    if (!record) return failureOf(record);
    if (word32(*record, 0) != kEnd64Signature)
        return failure("{}: offset {}: no zip64 end record (PK 06 06)", path, offset);
    if (word64(*record, 24) != word64(*record, 32))
        return failure("{}: offset {}: the archive spans several disks", path, offset);
    return Directory{word64(*record, 48), word64(*record, 40), word64(*record, 32), offset};
}

Result<Directory> findDirectory(const MappedFile& file) {
    const std::string path = printable(file.path());
    const auto end = findEnd(file);
    if (!end) return failureOf(end);
    const auto& [offset, record] = *end;
    if (word16(record, 4) != word16(record, 6) || word16(record, 8) != word16(record, 10))
        return failure("{}: offset {}: the archive spans several disks", path, offset);
    Directory directory{word32(record, 16), word32(record, 12), word16(record, 10), offset};
    if (directory.offset == 0xFFFFFFFF || directory.bytes == 0xFFFFFFFF || directory.entries == 0xFFFF) {
        auto large = findDirectory64(file, offset);
        if (!large) return large;
        directory = *large;
    } else if (offset >= kLocator64Bytes) {
        // Writers may add the zip64 records where they are not needed; then the directory ends before them.
        const auto locator = file.copyText(offset - kLocator64Bytes, kLocator64Bytes, kLocator64Bytes);
        if (!locator) return failureOf(locator);
        if (word32(*locator, 0) == kLocator64Signature) {
            auto large = findDirectory64(file, offset);
            if (!large) return large;
            if (large->offset != directory.offset || large->bytes != directory.bytes || large->entries != directory.entries)
                return failure("{}: offset {}: the zip and the zip64 end record disagree", path, offset);
            directory = *large;
        }
    }
    if (directory.offset > directory.end || directory.end - directory.offset != directory.bytes)
        return failure("{}: offset {}: the zip directory at {} of {} bytes does not end where the end records begin, at {}",
                       path, offset, directory.offset, directory.bytes, directory.end);
    if (directory.bytes > kDirectoryLimit || directory.entries > directory.bytes / kCentralBytes)
        return failure("{}: offset {}: a zip directory of {} entries in {} bytes, expected at most {} bytes and {} an entry",
                       path, offset, directory.entries, directory.bytes, kDirectoryLimit, kCentralBytes);
    return directory;
}

// Sizes of 2^32 - 1 stand for the ones in the zip64 field, which holds only those, in this order.
bool readZip64(std::string_view extra, std::span<std::uint64_t*> values) {
    while (extra.size() >= 4) {
        const std::size_t bytes = word16(extra, 2);
        if (bytes > extra.size() - 4) return false;
        std::string_view field = extra.substr(4, bytes);
        if (word16(extra, 0) == 1) {
            for (std::uint64_t* value : values) {
                if (*value != 0xFFFFFFFF) continue;
                if (field.size() < 8) return false;
                *value = word64(field, 0);
                field.remove_prefix(8);
            }
            return true;
        }
        extra.remove_prefix(4 + bytes);
    }
    return std::none_of(values.begin(), values.end(), [](const std::uint64_t* value) { return *value == 0xFFFFFFFF; });
}

std::string_view badName(std::string_view name) {
    if (name.empty()) return "is empty";
    if (name.find('\0') != std::string_view::npos) return "has a NUL";
    if (name.front() == '/') return "is absolute";
    if (name.find('\\') != std::string_view::npos) return "has a backslash";
    for (std::string_view rest = name; !rest.empty();) {
        const std::size_t slash = std::min(rest.find('/'), rest.size());
        if (rest.substr(0, slash) == "..") return "has \"..\"";
        rest.remove_prefix(std::min(slash + 1, rest.size()));
    }
    return {};
}

struct Entry {
    ZipMember member;
    std::uint16_t flags;
    std::uint16_t method;
};

// One entry of the directory; `at` moves behind it.
Result<Entry> parseDirectoryEntry(std::string_view directory, std::size_t& at, std::uint64_t directoryOffset, const std::string& path) {
    const std::uint64_t offset = directoryOffset + at;
    if (directory.size() - at < kCentralBytes || word32(directory, at) != kCentralSignature)
        return failure("{}: offset {}: no zip directory entry (PK 01 02)", path, offset);
    const std::string_view fixed = directory.substr(at, kCentralBytes);
    const std::size_t nameBytes = word16(fixed, 28);
    const std::size_t extraBytes = word16(fixed, 30);
    const std::size_t commentBytes = word16(fixed, 32);
    if (directory.size() - at - kCentralBytes < nameBytes + extraBytes + commentBytes)
        return failure("{}: offset {}: a zip directory entry runs past the directory", path, offset);
    Entry entry{{}, word16(fixed, 8), word16(fixed, 10)};
    ZipMember& member = entry.member;
    member.name = directory.substr(at + kCentralBytes, nameBytes);
    member.crc = word32(fixed, 16);
    member.packedBytes = word32(fixed, 20);
    member.bytes = word32(fixed, 24);
    member.headerOffset = word32(fixed, 42);
    std::uint64_t* values[] = {&member.bytes, &member.packedBytes, &member.headerOffset};
    if (!readZip64(directory.substr(at + kCentralBytes + nameBytes, extraBytes), values))
        return failure("{}: offset {}: member \"{}\" lacks its zip64 sizes", path, offset, printable(member.name));
    if (const auto bad = badName(member.name); !bad.empty())
        return failure("{}: offset {}: the member name \"{}\" {}", path, offset, printable(member.name), bad);
    if ((entry.flags & kEncrypted) != 0)
        return failure("{}: offset {}: member \"{}\" is encrypted", path, offset, printable(member.name));
    if (entry.method != 0 && entry.method != 8)
        return failure("{}: offset {}: member \"{}\" uses compression method {}, expected 0 (stored) or 8 (deflated)", path,
                       offset, printable(member.name), entry.method);
    member.deflated = entry.method == 8;
    member.sizesFollow = (entry.flags & kSizesFollow) != 0;
    at += kCentralBytes + nameBytes + extraBytes + commentBytes;
    return entry;
}

// The local header must say the same as the directory: readers that trust one or the other must see one archive.
Result<void> checkLocalHeader(const MappedFile& file, Entry& entry, std::uint64_t directoryOffset) {
    ZipMember& member = entry.member;
    const std::string path = printable(file.path());
    const std::string name = printable(member.name);
    if (member.headerOffset > directoryOffset || directoryOffset - member.headerOffset < kLocalBytes + member.name.size())
        return failure("{}: offset {}: the local header of member \"{}\" lies outside the archive", path,
                       member.headerOffset, name);
    const auto fixed = file.copyText(member.headerOffset, kLocalBytes, kLocalBytes);
    if (!fixed) return failureOf(fixed);
    if (word32(*fixed, 0) != kLocalSignature)
        return failure("{}: offset {}: no local header (PK 03 04) for member \"{}\"", path, member.headerOffset, name);
    const std::size_t nameBytes = word16(*fixed, 26);
    const std::size_t extraBytes = word16(*fixed, 28);
    const auto rest = file.copyText(member.headerOffset + kLocalBytes, nameBytes + extraBytes, 2 * kCommentLimit);
    if (!rest) return failureOf(rest);
    const std::string localName = rest->substr(0, nameBytes);
    if (localName != member.name)
        return failure("{}: offset {}: the local header names \"{}\", the directory \"{}\"", path, member.headerOffset,
                       printable(localName), name);
    if (word16(*fixed, 8) != entry.method)
        return failure("{}: offset {}: member \"{}\": local header and directory disagree on the compression method", path,
                       member.headerOffset, name);
    std::uint64_t packed = word32(*fixed, 18);
    std::uint64_t plain = word32(*fixed, 22);
    std::uint64_t* values[] = {&plain, &packed};
    const bool sizesFollow = (word16(*fixed, 6) & kSizesFollow) != 0;
    const bool read = readZip64(std::string_view(*rest).substr(nameBytes), values);
    if (!sizesFollow && (!read || packed != member.packedBytes || plain != member.bytes))
        return failure("{}: offset {}: member \"{}\": local header and directory disagree on the sizes", path,
                       member.headerOffset, name);
    member.dataOffset = member.headerOffset + kLocalBytes + nameBytes + extraBytes;
    return {};
}

}  // namespace

Result<void> ZipArchive::addMember(ZipMember member, std::uint64_t directoryOffset) {
    const std::string path = printable(m_file->path());
    const std::string name = printable(member.name);
    if (member.dataOffset > directoryOffset || member.packedBytes > directoryOffset - member.dataOffset)
        return failure("{}: offset {}: member \"{}\" of {} bytes runs into the directory at {}", path, member.dataOffset, name,
                       member.packedBytes, directoryOffset);
    if (!member.deflated && member.packedBytes != member.bytes)
        return failure("{}: offset {}: stored member \"{}\" has {} bytes but declares {}", path, member.dataOffset, name,
                       member.packedBytes, member.bytes);
    if (member.deflated && member.bytes / kDeflateRatio > member.packedBytes)
        return failure("{}: offset {}: member \"{}\" declares {} bytes out of {} packed ones, more than deflate can give",
                       path, member.dataOffset, name, member.bytes, member.packedBytes);
    if (member.deflated && member.bytes > m_unpackLimit)
        return failure("{}: offset {}: member \"{}\" would unpack to {} bytes, expected at most {}: unpack the archive first",
                       path, member.dataOffset, name, member.bytes, m_unpackLimit);
    if (!m_byName.emplace(member.name, m_members.size()).second)
        return failure("{}: offset {}: duplicate member \"{}\"", path, member.headerOffset, name);
    m_members.push_back(std::move(member));
    return {};
}

Result<void> ZipArchive::checkOverlaps(std::uint64_t directoryOffset) {
    std::vector<const ZipMember*> order;
    for (const ZipMember& member : m_members) order.push_back(&member);
    std::sort(order.begin(), order.end(),
              [](const ZipMember* a, const ZipMember* b) { return a->headerOffset < b->headerOffset; });
    std::uint64_t covered = 0;
    std::uint64_t descriptor = 0;
    const auto countGap = [&](std::uint64_t gap) { m_strayBytes += gap > descriptor ? gap : 0; };
    m_strayBytes = 0;
    for (const ZipMember* member : order) {
        if (member->headerOffset < covered)
            return failure("{}: offset {}: member \"{}\" begins inside another one that ends at {} (an overlap)",
                           printable(m_file->path()), member->headerOffset, printable(member->name), covered);
        countGap(member->headerOffset - covered);
        covered = member->dataOffset + member->packedBytes;
        descriptor = member->sizesFollow ? kDescriptorBytes : 0;
    }
    countGap(directoryOffset - covered);
    return {};
}

Result<ZipArchive> ZipArchive::read(std::shared_ptr<const MappedFile> file, const OpenOptions& options) {
    ZipArchive archive(std::move(file), options);
    const MappedFile& source = *archive.m_file;
    const auto directory = findDirectory(source);
    if (!directory) return failureOf(directory);
    const auto bytes = source.copyText(directory->offset, directory->bytes, kDirectoryLimit);
    if (!bytes) return failureOf(bytes);
    std::size_t at = 0;
    for (std::uint64_t i = 0; i < directory->entries; ++i) {
        auto entry = parseDirectoryEntry(*bytes, at, directory->offset, printable(source.path()));
        if (!entry) return failureOf(entry);
        if (auto local = checkLocalHeader(source, *entry, directory->offset); !local) return failureOf(local);
        if (auto added = archive.addMember(std::move(entry->member), directory->offset); !added) return failureOf(added);
    }
    if (at != bytes->size())
        return failure("{}: offset {}: {} bytes of the zip directory follow its {} entries", printable(source.path()),
                       directory->offset + at, bytes->size() - at, directory->entries);
    if (auto apart = archive.checkOverlaps(directory->offset); !apart) return failureOf(apart);
    return archive;
}

const ZipMember* ZipArchive::find(std::string_view name) const {
    const auto found = m_byName.find(std::string(name));
    return found == m_byName.end() ? nullptr : &m_members[found->second];
}

Result<std::string> ZipArchive::head(const ZipMember& member, std::size_t limit) const {
    std::string head;
    const auto unpacked = unpackMember(*m_file, member, [&](std::span<const std::byte> piece) {
        const std::size_t wanted = std::min(piece.size(), limit - head.size());
        head.append(reinterpret_cast<const char*>(piece.data()), wanted);
        return head.size() < limit;
    });
    if (!unpacked) return failureOf(unpacked);
    return head;
}

Result<std::string> ZipArchive::text(const ZipMember& member, std::size_t limit) const {
    if (member.bytes > limit)
        return failure("{}: offset {}: member \"{}\" has {} bytes, expected at most {}", printable(m_file->path()),
                       member.dataOffset, printable(member.name), member.bytes, limit);
    if (m_checksums)
        if (auto checked = checkMember(*m_file, member); !checked) return failureOf(checked);
    return head(member, limit);
}

std::shared_ptr<const Storage> ZipArchive::storage(const ZipMember& member) const {
    return std::make_shared<ZipMemberStorage>(m_file, member, m_checksums);
}

Result<void> ZipArchive::checkSmallMembers(std::uint64_t budget) const {
    if (!m_checksums) return {};
    for (const ZipMember& member : m_members) {
        if (member.bytes > budget) continue;
        if (auto checked = checkMember(*m_file, member); !checked) return checked;
        budget -= member.bytes;
    }
    return {};
}

}  // namespace isobit
