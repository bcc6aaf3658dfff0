// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0

// HDF5 is read by its own library in a guarded child process, since the library is known to crash on damaged files.
// Contiguous data is then read from the map like that of any other file; chunked data is read by another such child.
#include <algorithm>
#include <mutex>

#include "core/base/json.h"
#include "core/tensors/anonymous_memory.h"
#include "core/tensors/checked.h"
#include "core/tensors/guarded_child.h"
#include "core/tensors/hdf5_child.h"
#include "core/tensors/reader.h"
#include "core/tensors/swapped_storage.h"

namespace isobit {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kSignature = "\x89HDF\r\n\x1a\n"sv;
constexpr ChildLimits kReadLimits{.seconds = 120, .memoryBytes = std::uint64_t(2) << 30, .answerBytes = 1 << 20};

// A dataset that only the library can read: chunks, filters, compact data, fill values.
class DatasetStorage final : public Storage {
public:
    DatasetStorage(std::shared_ptr<const MappedFile> file, std::string dataset, std::uint64_t bytes)
        : m_file(std::move(file)), m_dataset(std::move(dataset)), m_bytes(bytes) {}

    Result<std::span<const std::byte>> bytes() const override {
        const std::lock_guard lock(m_mutex);
        if (m_read) return std::span<const std::byte>(m_memory.bytes());
        auto memory = AnonymousMemory::reserve(m_bytes);
        if (!memory) return failureOf(memory);
        const int descriptor = m_file->opened().handle.get();
        const auto done = runGuarded([&] { return readHdf5(descriptor, m_file->size(), m_dataset, memory->bytes()); },
                                     m_file->path(), kReadLimits);
        if (!done) return failureOf(done);
        if (auto whole = m_file->intact(); !whole) return failureOf(whole);
        m_memory = std::move(*memory);
        m_read = true;
        return std::span<const std::byte>(m_memory.bytes());
    }
    Result<void> intact() const override { return m_file->intact(); }

private:
    std::shared_ptr<const MappedFile> m_file;
    std::string m_dataset;
    std::uint64_t m_bytes;
    mutable std::mutex m_mutex;
    mutable bool m_read = false;
    mutable AnonymousMemory m_memory;
};

// HDF5 File Format Specification 3.0, section II: where the superblock keeps the end of the file.
Result<void> checkSuperblock(const MappedFile& file) {
    const std::string path = printable(file.path());
    const auto head = file.copyText(0, std::min<std::uint64_t>(file.size(), 64), 64);
    if (!head) return failureOf(head);
    if (head->size() < 16) return failure("{}: offset {}: the HDF5 superblock is truncated", path, head->size());
    const int version = static_cast<unsigned char>((*head)[8]);
    if (version > 3) return failure("{}: offset 8: HDF5 superblock version {}, expected 0 to 3", path, version);
    const std::size_t offsetSize = static_cast<unsigned char>((*head)[version < 2 ? 13 : 9]);
    if (offsetSize != 8 && offsetSize != 4 && offsetSize != 2)
        return failure("{}: offset {}: HDF5 addresses of {} bytes, expected 2, 4 or 8", path, version < 2 ? 13 : 9, offsetSize);
    const std::size_t at = (version == 0 ? 24 : version == 1 ? 28 : 12) + 2 * offsetSize;
    if (head->size() < at + offsetSize) return failure("{}: offset {}: the HDF5 superblock is truncated", path, head->size());
    std::uint64_t end = 0;
    for (std::size_t i = offsetSize; i-- > 0;) end = end << 8 | static_cast<unsigned char>((*head)[at + i]);
    if (end > file.size())
        return failure("{}: offset {}: the superblock says that the file ends at {}, it has {} bytes (truncated)", path, at,
                       end, file.size());
    return {};
}

// The child may have been taken over by the file it read, so its answer is checked like the file.
Result<void> addTensor(const Json& entry, const std::shared_ptr<const MappedFile>& file, const OpenOptions& options,
                       TensorFile& result) {
    const std::string path = printable(file->path());
    TensorInfo info;
    info.name = entry.at("name").get<std::string>();
    const auto dtype = dtypeByName(entry.at("type").get<std::string>());
    if (!dtype) return failure("{}: the listing has an unknown type", path);
    info.dtype = *dtype;
    info.storedType = entry.at("stored").get<std::string>();
    info.note = entry.at("note").get<std::string>();
    info.bigEndian = entry.at("big_endian").get<bool>();
    for (const Json& size : entry.at("shape")) {
        if (!size.is_number_unsigned() || size.get<std::uint64_t>() > INT64_MAX)
            return failure("{}: dataset \"{}\" has a size that does not fit 63 bits", path, printable(info.name));
        info.shape.push_back(size.get<std::int64_t>());
    }
    const auto bytes = checkedBytes(info.shape, bytesOf(info.dtype));
    if (!bytes) return failure("{}: dataset \"{}\": {}", path, printable(info.name), bytes.error().message);
    std::shared_ptr<const Storage> words;
    if (entry.at("address").is_number_unsigned()) {
        info.offset = entry.at("address").get<std::uint64_t>();
        if (info.offset > file->size() || *bytes > file->size() - info.offset)
            return failure("{}: offset {}: dataset \"{}\" needs {} bytes, past the end at {}", path, info.offset,
                           printable(info.name), *bytes, file->size());
        words = std::make_shared<RangeStorage>(file, info.offset, *bytes);
    } else {
        if (*bytes > options.unpackLimit)
            return failure("{}: dataset \"{}\" would take {} bytes of memory, expected at most {}", path, printable(info.name),
                           *bytes, options.unpackLimit);
        words = std::make_shared<DatasetStorage>(file, info.name, *bytes);
    }
    if (info.bigEndian) words = std::make_shared<SwappedStorage>(words, bytesOf(info.dtype));
    return result.add(std::move(info), std::move(words), 0, *bytes);
}

Result<void> addListing(const Json& listing, const std::shared_ptr<const MappedFile>& file, const OpenOptions& options,
                        TensorFile& result) {
    try {
        for (const Json& entry : listing.at("tensors"))
            if (auto added = addTensor(entry, file, options, result); !added) return added;
        for (const auto& [key, value] : listing.at("metadata").items()) result.addMetadata(key, value.get<std::string>());
        for (const Json& sentence : listing.at("ignored")) result.addIgnored(sentence.get<std::string>());
    } catch (const Json::exception&) {
        return failure("{}: the listing by the HDF5 library is damaged", printable(file->path()));
    }
    return {};
}

}  // namespace

bool isHdf5(std::string_view head) { return head.starts_with(kSignature); }

Result<TensorFile> openHdf5Listing(std::string_view text, const std::shared_ptr<const MappedFile>& file,
                                   const OpenOptions& options) {
    const auto listing = parseJsonStrictly(text, printable(file->path()) + ": listing");
    if (!listing) return failureOf(listing);
    TensorFile result(file->path(), "hdf5");
    if (auto added = addListing(*listing, file, options, result); !added) return failureOf(added);
    return result;
}

Result<TensorFile> openHdf5(const std::shared_ptr<const MappedFile>& file, const OpenOptions& options) {
    if (auto checked = checkSuperblock(*file); !checked) return failureOf(checked);
    const int descriptor = file->opened().handle.get();
    const auto text = runGuarded([&] { return listHdf5(descriptor, file->size()); }, file->path());
    if (!text) return failureOf(text);
    auto result = openHdf5Listing(*text, file, options);
    if (!result) return result;
    if (auto whole = file->intact(); !whole) return failureOf(whole);
    return result;
}

}  // namespace isobit
