// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/tensors/tensor_file.h"

namespace isobit {

/// One element type of an npy array: the array's own, or a field's of a structured one.
struct NpyField {
    std::string name;         ///< empty when the array is not structured
    std::string descr;        ///< "<f4"
    DType dtype = DType::U8;
    std::uint64_t offset = 0;      ///< bytes into a record
    std::int64_t words = 1;        ///< words a value: 2 for complex numbers, N for a void of N bytes
    bool bigEndian = false;
    std::string note;
};

/// What the header of an npy file says (format versions 1, 2 and 3).
struct NpyHeader {
    std::vector<NpyField> fields;
    std::uint64_t recordBytes = 0;
    bool fortranOrder = false;
    Shape shape;
    std::uint64_t dataOffset = 0;
};

inline constexpr std::size_t kNpyHeaderLimit = 1 << 20;

/// Parses the first bytes of an npy file; `head` holds the whole header or ends with the file. `where` names it in errors.
[[nodiscard]] Result<NpyHeader> parseNpyHeader(std::string_view head, const std::string& where);

/// Adds the header's tensors to `file`: one, or one a field. `storage` holds the data alone, `dataBytes` long, which must
/// be what the shape needs. `prototype` gives the name and the place.
[[nodiscard]] Result<void> addNpyTensors(const NpyHeader& header, const TensorInfo& prototype,
                                         const std::shared_ptr<const Storage>& storage, std::uint64_t dataBytes,
                                         const std::string& where, TensorFile& file);

}  // namespace isobit
