// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0

// safetensors: a length N of 8 bytes, N bytes of JSON, then the data. Each tensor names its bytes; together they cover
// the data without a hole or an overlap. Shapes count values; a packed type has several values in a byte.
#include <algorithm>
#include <array>
#include <cstring>

#include "core/base/json.h"
#include "core/tensors/checked.h"
#include "core/tensors/json_members.h"
#include "core/tensors/reader.h"

namespace isobit {
namespace {

constexpr std::uint64_t kHeaderLimit = 100'000'000;  // the format's own
constexpr std::uint64_t kLengthBytes = 8;

struct StoredType {
    std::string_view name;
    DType dtype;
    int bits;        // of one value as the shape counts it
    int words = 1;   // words a value: two for complex numbers
    std::string_view note = {};
};

constexpr std::array kTypes{
    StoredType{"BOOL", DType::Bool, 8},
    StoredType{"U8", DType::U8, 8},
    StoredType{"I8", DType::I8, 8},
    StoredType{"F8_E4M3", DType::Fp8E4M3, 8},
    StoredType{"F8_E5M2", DType::Fp8E5M2, 8},
    StoredType{"F8_E8M0", DType::Fp8E8M0, 8},
    StoredType{"F8_E4M3FNUZ", DType::Raw8, 8, 1, "F8_E4M3FNUZ values are not interpreted: raw words"},
    StoredType{"F8_E5M2FNUZ", DType::Raw8, 8, 1, "F8_E5M2FNUZ values are not interpreted: raw words"},
    StoredType{"F4", DType::Fp4E2M1x2, 4, 1, "F4: two values a byte, the first in the low half"},
    StoredType{"F6_E2M3", DType::Raw8, 6, 1, "F6_E2M3: four values in three bytes, shown as raw bytes"},
    StoredType{"F6_E3M2", DType::Raw8, 6, 1, "F6_E3M2: four values in three bytes, shown as raw bytes"},
    StoredType{"U16", DType::U16, 16},
    StoredType{"I16", DType::I16, 16},
    StoredType{"F16", DType::Fp16, 16},
    StoredType{"BF16", DType::Bf16, 16},
    StoredType{"U32", DType::U32, 32},
    StoredType{"I32", DType::I32, 32},
    StoredType{"F32", DType::Fp32, 32},
    StoredType{"C64", DType::Fp32, 64, 2, "C64: real and imaginary part are the last dimension"},
    StoredType{"U64", DType::U64, 64},
    StoredType{"I64", DType::I64, 64},
    StoredType{"F64", DType::Fp64, 64},
};

struct Range {
    std::uint64_t begin;
    std::uint64_t end;
    std::string_view name;
};

Result<std::uint64_t> headerLength(const MappedFile& file) {
    if (file.size() < kLengthBytes)
        return failure("{}: offset 0: {} bytes, expected at least the {} of a safetensors header length",
                       printable(file.path()), file.size(), kLengthBytes);
    std::uint64_t length = 0;
    if (auto copied = file.copy(0, std::as_writable_bytes(std::span(&length, 1))); !copied) return failureOf(copied);
    if (length > kHeaderLimit)
        return failure("{}: offset 0: header length {} is over the format's limit of {}, and the file has {} bytes",
                       printable(file.path()), length, kHeaderLimit, file.size());
    if (length > file.size() - kLengthBytes)
        return failure("{}: offset 0: header length {} is over the {} bytes that follow (truncated)",
                       printable(file.path()), length, file.size() - kLengthBytes);
    return length;
}

Result<Shape> parseShape(const Json& entry) {
    const auto found = entry.find("shape");
    if (found == entry.end() || !found->is_array()) return failure("has no \"shape\" list");
    Shape shape;
    for (const Json& size : *found) {
        if (size.is_number_integer() && !size.is_number_unsigned())
            return failure("size {} in its shape is negative", size.get<std::int64_t>());
        if (!size.is_number_unsigned() || size.get<std::uint64_t>() > INT64_MAX)
            return failure("size {} in its shape is not an integer of 63 bits", printable(size.dump()));
        shape.push_back(size.get<std::int64_t>());
    }
    return shape;
}

Result<Range> parseRange(const Json& entry, std::string_view name, std::uint64_t dataBytes) {
    const auto found = entry.find("data_offsets");
    if (found == entry.end() || !found->is_array() || found->size() != 2 || !(*found)[0].is_number_unsigned() ||
        !(*found)[1].is_number_unsigned())
        return failure("has no \"data_offsets\" of two integers");
    const Range range{(*found)[0].get<std::uint64_t>(), (*found)[1].get<std::uint64_t>(), name};
    if (range.begin > range.end) return failure("data_offsets {} to {} run backwards", range.begin, range.end);
    if (range.end > dataBytes)
        return failure("data_offsets {} to {} end past the {} data bytes in the file (truncated)", range.begin, range.end,
                       dataBytes);
    return range;
}

// Values of 4 or 6 bits: words are whole bytes; the last dimension shrinks where it can, else the tensor is flat.
Shape wordShape(const StoredType& type, const Shape& stored, std::uint64_t bytes) {
    if (type.words > 1) {
        Shape shape = stored;
        shape.push_back(type.words);
        return shape;
    }
    if (type.bits >= 8) return stored;
    const int valuesInGroup = type.bits == 4 ? 2 : 4;
    const int bytesInGroup = type.bits == 4 ? 1 : 3;
    if (stored.empty() || stored.back() % valuesInGroup != 0) return {static_cast<std::int64_t>(bytes)};
    Shape shape = stored;
    shape.back() = shape.back() / valuesInGroup * bytesInGroup;
    return shape;
}

Result<std::uint64_t> bytesNeeded(const StoredType& type, const Shape& shape) {
    const auto values = checkedElements(shape);
    if (!values) return failureOf(values);
    std::int64_t bits = 0;
    if (__builtin_mul_overflow(*values, static_cast<std::int64_t>(type.bits), &bits))
        return failure("the bit count of shape {} overflows 63 bits", textOf(shape));
    if (bits % 8 != 0)
        return failure("{} values of {} bits are not whole bytes", *values, type.bits);
    return static_cast<std::uint64_t>(bits) / 8;
}

// The tensor that one entry describes, or what is wrong with it, to follow the file's and the tensor's name.
Result<TensorInfo> parseTensor(const Json& entry, const std::string& name, std::uint64_t dataBytes, Range& range) {
    if (!entry.is_object()) return failure("is not an object");
    for (const auto& [key, value] : entry.items())
        if (key != "dtype" && key != "shape" && key != "data_offsets")
            return failure("has the key \"{}\", expected dtype, shape and data_offsets", printable(key));
    const auto dtype = entry.find("dtype");
    if (dtype == entry.end() || !dtype->is_string()) return failure("has no \"dtype\" text");
    const auto typeName = dtype->get<std::string>();
    const auto* type = std::find_if(kTypes.begin(), kTypes.end(), [&](const StoredType& t) { return t.name == typeName; });
    if (type == kTypes.end()) return failure("dtype \"{}\" is not one of the format's", printable(typeName));
    const auto shape = parseShape(entry);
    if (!shape) return failureOf(shape);
    const auto bytes = bytesNeeded(*type, *shape);
    if (!bytes) return failureOf(bytes);
    const auto parsed = parseRange(entry, name, dataBytes);
    if (!parsed) return failureOf(parsed);
    range = *parsed;
    if (range.end - range.begin != *bytes)
        return failure("{} {} needs {} bytes, data_offsets {} to {} hold {}", typeName, textOf(*shape), *bytes,
                       range.begin, range.end, range.end - range.begin);
    TensorInfo info;
    info.name = name;
    info.dtype = type->dtype;
    info.shape = wordShape(*type, *shape, *bytes);
    info.storedShape = *shape;
    info.storedType = typeName;
    info.note = std::string(type->note);
    return info;
}

Result<void> readMetadata(const Json& metadata, const std::string& path, TensorFile& result) {
    if (metadata.is_null()) return {};
    if (!metadata.is_object()) return failure("{}: __metadata__ is not an object of texts", path);
    for (const auto& [key, value] : metadata.items()) {
        if (!value.is_string())
            return failure("{}: __metadata__ key \"{}\" holds {}, expected a text", path, printable(key),
                           printable(value.dump(-1, ' ', false, Json::error_handler_t::replace)));
        result.addMetadata(key, value.get<std::string>());
    }
    return {};
}

// Every data byte belongs to exactly one tensor.
Result<void> checkCover(std::vector<Range> ranges, std::uint64_t dataOffset, std::uint64_t dataBytes,
                        const std::string& path) {
    std::sort(ranges.begin(), ranges.end(),
              [](const Range& a, const Range& b) { return std::pair(a.begin, a.end) < std::pair(b.begin, b.end); });
    std::uint64_t covered = 0;
    for (const Range& range : ranges) {
        if (range.begin > covered)
            return failure("{}: offset {}: data bytes {} to {} belong to no tensor (a hole before \"{}\")", path,
                           dataOffset + covered, covered, range.begin, printable(range.name));
        if (range.begin < covered)
            return failure("{}: offset {}: tensor \"{}\" starts at data byte {} inside another one that ends at {} (an "
                           "overlap)",
                           path, dataOffset + range.begin, printable(range.name), range.begin, covered);
        covered = range.end;
    }
    if (covered != dataBytes)
        return failure("{}: offset {}: {} trailing bytes belong to no tensor (the tensors end at data byte {} of {})", path,
                       dataOffset + covered, dataBytes - covered, covered, dataBytes);
    return {};
}

}  // namespace

// Lines of JSON may have a brace there too, but their first eight bytes are text, which as a length is absurd.
bool isSafetensors(std::string_view head) {
    if (head.size() <= kLengthBytes || head[kLengthBytes] != '{') return false;
    const std::string_view length = head.substr(0, kLengthBytes);
    return std::any_of(length.begin(), length.end(),
                       [](char c) { return c < ' ' && c != '\t' && c != '\r' && c != '\n'; });  // or a byte above 127
}

Result<TensorFile> openSafetensors(const std::shared_ptr<const MappedFile>& file, const OpenOptions&) {
    const std::string path = printable(file->path());
    const auto length = headerLength(*file);
    if (!length) return failureOf(length);
    const auto text = file->copyText(kLengthBytes, *length, kHeaderLimit);
    if (!text) return failureOf(text);
    const auto header = membersOf(*text, path + ": header");
    if (!header) return failureOf(header);

    TensorFile result(file->path(), "safetensors");
    const std::uint64_t dataOffset = kLengthBytes + *length;
    const std::uint64_t dataBytes = file->size() - dataOffset;
    std::vector<Range> ranges;
    for (const auto& [name, value, offsetInHeader] : *header) {
        const auto entry = parseJsonStrictly(value, path + ": header");
        if (!entry) return failure("{}, in \"{}\" at byte {} of the header", entry.error().message, printable(name), offsetInHeader);
        if (name == "__metadata__") {
            if (auto read = readMetadata(*entry, path, result); !read) return failureOf(read);
            continue;
        }
        Range range{};
        auto info = parseTensor(*entry, name, dataBytes, range);
        if (!info) return failure("{}: tensor \"{}\": {}", path, printable(name), info.error().message);
        ranges.push_back({range.begin, range.end, name});
        info->offset = dataOffset + range.begin;
        const std::uint64_t offset = info->offset;
        if (auto added = result.add(std::move(*info), file, offset, file->size()); !added) return failureOf(added);
    }
    if (auto cover = checkCover(std::move(ranges), dataOffset, dataBytes, path); !cover) return failureOf(cover);
    return result;
}

}  // namespace isobit
