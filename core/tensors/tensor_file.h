// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/tensors/storage.h"
#include "core/tensors/tensor.h"

namespace isobit {

using TextPairs = std::vector<std::pair<std::string, std::string>>;

/// What a file says about one of its tensors. Every number here has been checked against the file: shape times element
/// size fits 63 bits, and every element lies inside the storage.
struct TensorInfo {
    std::string name;
    DType dtype = DType::U8;
    Shape shape;    ///< of the words that are compared and shown
    Shape strides;  ///< in elements; never negative
    std::string storedType;  ///< as the file writes it: "BF16", "<f4", "F4", "torch.FloatStorage"
    Shape storedShape;       ///< as the file writes it; differs from shape only where words are packed or complex
    std::string file;        ///< which file of a set or folder holds it; empty: the opened file itself
    std::uint64_t offset = 0;     ///< byte in that file where element 0 lies (for a packed archive member: the member)
    std::uint64_t byteCount = 0;  ///< bytes of all elements, each counted once: elements * bytesOf(dtype)
    bool bigEndian = false;       ///< stored so; views and reads give little-endian words in any case
    TextPairs tags;               ///< step, rank, layer ... that a dumper wrote into the file's name or beside the tensor
    std::string note;             ///< one sentence the user should see, or empty
};

/// One opened file, sharded set or dump folder: a list of tensors and access to their words. Made by openTensorFile
/// (formats.h). Cheap to copy; copies share maps and caches. Safe to use from several threads.
class TensorFile {
public:
    TensorFile(std::string path, std::string format) : m_path(std::move(path)), m_format(std::move(format)) {}

    [[nodiscard]] const std::string& path() const { return m_path; }
    /// "safetensors", "npy", "npz", "torch", "hdf5", "raw", "folder", "jsonl", "safetensors set".
    [[nodiscard]] const std::string& format() const { return m_format; }
    /// In the file's own order; names are unique.
    [[nodiscard]] const std::vector<TensorInfo>& tensors() const { return m_tensors; }
    /// Key and value as text, in the file's order.
    [[nodiscard]] const TextPairs& metadata() const { return m_metadata; }
    /// One sentence for each thing in the file that is not shown: an opaque object, an external link, a skipped file.
    [[nodiscard]] const std::vector<std::string>& ignored() const { return m_ignored; }
    [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const;

    /// The words of one tensor where they lie. No copy when the file is mapped and little-endian; a packed member is
    /// unpacked, a big-endian one swapped, into memory on the first call. The address may be MISALIGNED for the type
    /// (formats do not promise alignment): load words with std::memcpy or unaligned vector loads, not through as<T>().
    /// What was computed from a view counts only when intact() holds afterwards: a mapped file that shrinks meanwhile
    /// reads as zeros, never as a crash. The view lives as long as this object or a copy of it.
    [[nodiscard]] Result<TensorView> view(std::size_t tensor) const;
    /// An Error when the file under the tensor shrank, changed size or could not be read since it was opened.
    [[nodiscard]] Result<void> intact(std::size_t tensor) const;
    /// Copies out.size() / bytesOf(dtype) elements from element `first` of the row-major order, whatever the strides.
    /// The range must lie inside the tensor (a precondition). intact() is checked within.
    [[nodiscard]] Result<void> read(std::size_t tensor, std::int64_t first, std::span<std::byte> out) const;

    // For readers, while they build the file.
    /// Element 0 lies `offset` bytes into the storage of `storageSize` bytes. Empty strides mean contiguous ones. Refuses
    /// a name that is taken, has a NUL or is over-long, a shape that overflows, and elements outside the storage.
    [[nodiscard]] Result<void> add(TensorInfo info, std::shared_ptr<const Storage> storage, std::uint64_t offset,
                                   std::uint64_t storageSize);
    void addMetadata(std::string key, std::string value) { m_metadata.emplace_back(std::move(key), std::move(value)); }
    void addIgnored(std::string sentence) { m_ignored.push_back(std::move(sentence)); }
    /// A tensor of another file under the name and with the facts that `info` gives.
    [[nodiscard]] Result<void> takeTensor(const TensorFile& other, std::size_t tensor, TensorInfo info);
    /// Raw and integer tensors of the width of `dtype` become tensors of it. Returns how many there were.
    std::size_t readAs(DType dtype);

private:
    struct Elements {
        std::shared_ptr<const Storage> storage;
        std::uint64_t offset = 0;
        std::uint64_t storageSize = 0;
    };

    std::string m_path;
    std::string m_format;
    std::vector<TensorInfo> m_tensors;
    std::vector<Elements> m_elements;  // one a tensor
    std::unordered_map<std::string, std::size_t> m_byName;
    TextPairs m_metadata;
    std::vector<std::string> m_ignored;
};

}  // namespace isobit
