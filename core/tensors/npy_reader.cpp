// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/tensors/npy_header.h"
#include "core/tensors/reader.h"
#include "core/tensors/swapped_storage.h"

namespace isobit {

bool isNpy(std::string_view head) { return head.starts_with("\x93NUMPY"); }

Result<TensorFile> openNpy(const std::shared_ptr<const MappedFile>& file, const OpenOptions&) {
    const std::string where = printable(file->path());
    const std::uint64_t headBytes = std::min<std::uint64_t>(file->size(), kNpyHeaderLimit + 12);
    const auto head = file->copyText(0, headBytes, headBytes);
    if (!head) return failureOf(head);
    const auto header = parseNpyHeader(*head, where);
    if (!header) return failureOf(header);
    TensorFile result(file->path(), "npy");
    TensorInfo prototype;
    prototype.name = header->fields.front().name.empty() ? "array" : "";
    prototype.offset = header->dataOffset;
    const std::uint64_t dataBytes = file->size() - header->dataOffset;
    const auto data = std::make_shared<RangeStorage>(file, header->dataOffset, dataBytes);
    if (auto added = addNpyTensors(*header, prototype, data, dataBytes, where, result); !added) return failureOf(added);
    return result;
}

}  // namespace isobit
