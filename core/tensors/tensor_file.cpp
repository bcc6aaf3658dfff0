// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/tensors/tensor_file.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "core/tensors/checked.h"
#include "core/tensors/confinement.h"

namespace isobit {
namespace {

constexpr std::size_t kNameLimit = 4096;
constexpr std::uint64_t kExpandedLimit = std::uint64_t(4) << 30;
constexpr std::uint64_t kExpandedRatio = 1000;

// Walks a tensor in row-major order and copies runs of elements that lie side by side.
class RowMajorWalk {
public:
    RowMajorWalk(const TensorView& view, std::int64_t first) : m_view(view), m_index(view.shape.size()) {
        for (std::size_t i = view.shape.size(); i-- > 0;) {
            m_index[i] = first % view.shape[i];
            first /= view.shape[i];
        }
    }

    // How many of at most `wanted` elements the current run of the innermost dimension still has.
    [[nodiscard]] std::int64_t run(std::int64_t wanted) const {
        if (m_index.empty()) return 1;
        return std::min(wanted, m_view.shape.back() - m_index.back());
    }

    void copy(std::int64_t count, std::byte* out) const {
        const std::size_t width = bytesOf(m_view.dtype);
        const std::int64_t stride = m_index.empty() ? 1 : m_view.strides.back();
        const std::byte* from = m_view.data + static_cast<std::size_t>(element()) * width;
        if (stride == 1) {
            std::memcpy(out, from, static_cast<std::size_t>(count) * width);
            return;
        }
        for (std::int64_t i = 0; i < count; ++i)
            std::memcpy(out + i * width, from + static_cast<std::size_t>(i * stride) * width, width);
    }

    void advance(std::int64_t count) {
        if (m_index.empty()) return;
        m_index.back() += count;
        for (std::size_t i = m_index.size() - 1; i > 0 && m_index[i] == m_view.shape[i]; --i) {
            m_index[i] = 0;
            ++m_index[i - 1];
        }
    }

private:
    [[nodiscard]] std::int64_t element() const {
        std::int64_t offset = 0;
        for (std::size_t i = 0; i < m_index.size(); ++i) offset += m_index[i] * m_view.strides[i];
        return offset;
    }

    const TensorView& m_view;
    Shape m_index;
};

bool isUnnamedWord(DType dtype) { return (dtype >= DType::I8 && dtype <= DType::U64) || dtype >= DType::Raw8; }

}  // namespace

std::optional<std::size_t> TensorFile::find(std::string_view name) const {
    const auto found = m_byName.find(std::string(name));
    if (found == m_byName.end()) return std::nullopt;
    return found->second;
}

Result<TensorView> TensorFile::view(std::size_t tensor) const {
    assert(tensor < m_tensors.size());
    const TensorInfo& info = m_tensors[tensor];
    const auto bytes = m_elements[tensor].storage->bytes();
    if (!bytes) return failureOf(bytes);
    return TensorView{info.dtype, info.shape, info.strides, bytes->data() + m_elements[tensor].offset};
}

Result<void> TensorFile::intact(std::size_t tensor) const { return m_elements[tensor].storage->intact(); }

Result<void> TensorFile::read(std::size_t tensor, std::int64_t first, std::span<std::byte> out) const {
    const auto source = view(tensor);
    if (!source) return failureOf(source);
    const std::size_t width = bytesOf(source->dtype);
    auto left = static_cast<std::int64_t>(out.size() / width);
    assert(first >= 0 && first <= source->elements() && left <= source->elements() - first);
    if (left == 0) return intact(tensor);
    RowMajorWalk walk(*source, first);
    for (std::byte* to = out.data(); left > 0;) {
        const std::int64_t count = walk.run(left);
        walk.copy(count, to);
        walk.advance(count);
        to += static_cast<std::size_t>(count) * width;
        left -= count;
    }
    return intact(tensor);
}

Result<void> TensorFile::add(TensorInfo info, std::shared_ptr<const Storage> storage, std::uint64_t offset,
                             std::uint64_t storageSize) {
    // Made only for an error: files have up to a hundred thousand tensors.
    const auto where = [&] { return printable(info.file.empty() ? m_path : info.file); };
    const auto name = [&] { return printable(info.name); };
    if (info.name.size() > kNameLimit)
        return failure("{}: a tensor's name has {} bytes, expected at most {}", where(), info.name.size(), kNameLimit);
    if (info.name.find('\0') != std::string::npos)
        return failure("{}: the tensor name \"{}\" has a NUL, expected text", where(), name());
    if (m_byName.contains(info.name)) return failure("{}: duplicate tensor \"{}\", expected each name once", where(), name());
    const auto bytes = checkedBytes(info.shape, bytesOf(info.dtype));
    if (!bytes) return failure("{}: tensor \"{}\": {}", where(), name(), bytes.error().message);
    if (info.strides.empty()) info.strides = contiguousStrides(info.shape);
    const auto reach = checkedReach(info.shape, info.strides);
    if (!reach) return failure("{}: tensor \"{}\": {}", where(), name(), reach.error().message);
    const std::uint64_t room = offset <= storageSize ? (storageSize - offset) / bytesOf(info.dtype) : 0;
    if (offset > storageSize || static_cast<std::uint64_t>(*reach) > room)
        return failure("{}: tensor \"{}\": shape {} with strides {} from byte {} reaches element {}, past its storage of {} "
                       "bytes",
                       where(), name(), textOf(info.shape), textOf(info.strides), offset, *reach, storageSize);
    // Strides of 0 can declare any number of elements out of one: more than anybody stores is refused, not walked.
    if (*bytes > kExpandedLimit && *bytes / kExpandedRatio > storageSize)
        return failure("{}: tensor \"{}\": declares {} bytes in a storage of {}, expected at most {} or {} times the storage",
                       where(), name(), *bytes, storageSize, kExpandedLimit, kExpandedRatio);
    info.byteCount = *bytes;
    if (info.storedShape.empty()) info.storedShape = info.shape;
    m_byName.emplace(info.name, m_tensors.size());
    m_tensors.push_back(std::move(info));
    m_elements.push_back({std::move(storage), offset, storageSize});
    return {};
}

Result<void> TensorFile::takeTensor(const TensorFile& other, std::size_t tensor, TensorInfo info) {
    const Elements& elements = other.m_elements[tensor];
    return add(std::move(info), elements.storage, elements.offset, elements.storageSize);
}

std::size_t TensorFile::readAs(DType dtype) {
    std::size_t changed = 0;
    for (TensorInfo& info : m_tensors) {
        if (!isUnnamedWord(info.dtype) || bytesOf(info.dtype) != bytesOf(dtype)) continue;
        info.dtype = dtype;
        info.note = fmt::format("stored as {}, read as {} as asked", info.storedType, nameOf(dtype));
        ++changed;
    }
    return changed;
}

}  // namespace isobit
