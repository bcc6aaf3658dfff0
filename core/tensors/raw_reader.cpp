// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/tensors/checked.h"
#include "core/tensors/reader.h"
#include "core/tensors/swapped_storage.h"

namespace isobit {

Result<TensorFile> openRaw(const std::shared_ptr<const MappedFile>& file, const OpenOptions& options) {
    const std::string path = printable(file->path());
    const RawLayout& layout = *options.raw;
    if (layout.offset > file->size())
        return failure("{}: offset {} is past the end, the file has {} bytes", path, layout.offset, file->size());
    const std::uint64_t room = file->size() - layout.offset;
    const std::size_t width = bytesOf(layout.dtype);
    TensorInfo info;
    info.name = "array";
    info.dtype = layout.dtype;
    info.shape = layout.shape.empty() ? Shape{static_cast<std::int64_t>(room / width)} : layout.shape;
    info.storedType = std::string(nameOf(layout.dtype));
    info.offset = layout.offset;
    info.bigEndian = layout.bigEndian && width > 1;
    const auto bytes = checkedBytes(info.shape, width);
    if (!bytes) return failure("{}: {}", path, bytes.error().message);
    if (*bytes > room)
        return failure("{}: offset {}: {} {} needs {} bytes, the file has {} there", path, layout.offset,
                       nameOf(layout.dtype), textOf(info.shape), *bytes, room);
    TensorFile result(file->path(), "raw");
    if (layout.offset > 0) result.addIgnored(fmt::format("{} bytes before the array", layout.offset));
    if (*bytes < room) result.addIgnored(fmt::format("{} bytes after the array", room - *bytes));
    std::shared_ptr<const Storage> words = std::make_shared<RangeStorage>(file, layout.offset, *bytes);
    if (info.bigEndian) words = std::make_shared<SwappedStorage>(words, width);
    if (auto added = result.add(std::move(info), std::move(words), 0, *bytes); !added) return failureOf(added);
    return result;
}

}  // namespace isobit
