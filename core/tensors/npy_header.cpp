// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/tensors/npy_header.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "core/tensors/checked.h"
#include "core/tensors/confinement.h"
#include "core/tensors/swapped_storage.h"

namespace isobit {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kFieldLimit = 1000;

// Reads the Python literal that the header is: texts, integers, True and False, tuples, lists, one dictionary.
class LiteralReader {
public:
    LiteralReader(std::string_view text, std::size_t offset) : m_text(text), m_offset(offset) {}

    bool take(char c) {
        skipBlanks();
        if (m_at >= m_text.size() || m_text[m_at] != c) return false;
        ++m_at;
        return true;
    }
    [[nodiscard]] bool next(char c) {
        skipBlanks();
        return m_at < m_text.size() && m_text[m_at] == c;
    }
    [[nodiscard]] bool atEnd() {
        skipBlanks();
        return m_at == m_text.size();
    }
    Result<void> expect(char c) {
        if (take(c)) return {};
        return problem(fmt::format("'{}'", c));
    }
    Result<std::string> text() {
        skipBlanks();
        if (m_at >= m_text.size() || (m_text[m_at] != '\'' && m_text[m_at] != '"')) return problem("a quoted text");
        const char quote = m_text[m_at++];
        std::string result;
        while (m_at < m_text.size() && m_text[m_at] != quote) {
            if (m_text[m_at] == '\\') return problem("a text without escapes");
            result += m_text[m_at++];
        }
        if (!take(quote)) return problem("a closing quote");
        return result;
    }
    Result<bool> boolean() {
        skipBlanks();
        for (const auto& [word, value] : {std::pair("True", true), std::pair("False", false)}) {
            if (!m_text.substr(m_at).starts_with(word)) continue;
            m_at += std::string_view(word).size();
            return value;
        }
        return problem("True or False");
    }
    Result<std::int64_t> integer() {
        skipBlanks();
        std::int64_t value = 0;
        const char* begin = m_text.data() + m_at;
        const auto [end, error] = std::from_chars(begin, m_text.data() + m_text.size(), value);
        if (error == std::errc::result_out_of_range) return problem("an integer of 63 bits");
        if (error != std::errc()) return problem("an integer");
        m_at += static_cast<std::size_t>(end - begin);
        if (m_at < m_text.size() && m_text[m_at] == 'L') ++m_at;  // written by Python 2
        return value;
    }
    [[nodiscard]] tl::unexpected<Error> problem(std::string_view expected) const {
        return failure("offset {}: \"{}\", expected {}", m_offset + m_at, printable(m_text.substr(m_at).substr(0, 20)),
                       expected);
    }

private:
    void skipBlanks() {
        while (m_at < m_text.size() && (m_text[m_at] == ' ' || m_text[m_at] == '\n' || m_text[m_at] == '\t')) ++m_at;
    }

    std::string_view m_text;
    std::size_t m_offset;
    std::size_t m_at = 0;
};

Result<Shape> parseTuple(LiteralReader& reader) {
    if (auto open = reader.expect('('); !open) return failureOf(open);
    Shape shape;
    while (!reader.next(')')) {
        const auto size = reader.integer();
        if (!size) return failureOf(size);
        shape.push_back(*size);
        if (!reader.take(',')) break;
    }
    if (auto close = reader.expect(')'); !close) return failureOf(close);
    return shape;
}

DType rawOf(std::uint64_t bytes) {
    switch (bytes) {
        case 2: return DType::Raw16;
        case 4: return DType::Raw32;
        case 8: return DType::Raw64;
        default: return DType::Raw8;
    }
}

std::optional<DType> numberType(char kind, std::uint64_t bytes) {
    const auto pick = [bytes](DType one, DType two, DType four, DType eight) -> std::optional<DType> {
        return bytes == 1   ? std::optional(one)
               : bytes == 2 ? std::optional(two)
               : bytes == 4 ? std::optional(four)
               : bytes == 8 ? std::optional(eight)
                            : std::nullopt;
    };
    if (kind == 'f') return pick(DType::Raw8, DType::Fp16, DType::Fp32, DType::Fp64);
    if (kind == 'i') return pick(DType::I8, DType::I16, DType::I32, DType::I64);
    if (kind == 'u') return pick(DType::U8, DType::U16, DType::U32, DType::U64);
    if (kind == 'b' && bytes == 1) return DType::Bool;
    return std::nullopt;
}

// "<f4": byte order, kind, bytes.
Result<NpyField> parseDescr(const std::string& descr) {
    NpyField field;
    field.descr = descr;
    if (const auto named = dtypeByName(descr)) {  // "bfloat16", as some writers put it
        field.dtype = *named;
        return field;
    }
    const std::string shown = printable(descr);
    std::string_view rest = descr;
    if (!rest.empty() && std::string_view("<>|=").find(rest.front()) != std::string_view::npos) {
        field.bigEndian = rest.front() == '>';
        rest.remove_prefix(1);
    }
    if (rest == "O") return failure("descr '{}' is an object array, which holds a pickle: never unpickled", shown);
    std::uint64_t bytes = 0;
    const auto [end, error] = std::from_chars(rest.data() + std::min<std::size_t>(1, rest.size()), rest.data() + rest.size(), bytes);
    if (rest.size() < 2 || error != std::errc() || end != rest.data() + rest.size() || bytes == 0 || bytes > 65536)
        return failure("descr '{}' is not a supported element type", shown);
    const char kind = rest.front();
    if (const auto number = numberType(kind, bytes)) {
        field.dtype = *number;
        if (kind == 'f' && bytes == 1)
            field.note = fmt::format("descr '{}' is what ml_dtypes wrote for float8_e5m2; raw words unless read as such (--as fp8_e5m2)", shown);
    } else if (kind == 'c' && (bytes == 8 || bytes == 16)) {
        field.dtype = bytes == 8 ? DType::Fp32 : DType::Fp64;
        field.words = 2;
        field.note = "complex: real and imaginary part are the last dimension";
    } else if (kind == 'V') {
        field.dtype = rawOf(bytes);
        field.words = static_cast<std::int64_t>(bytes / bytesOf(field.dtype));
        field.note = bytes == 2   ? "raw words of 2 bytes: bfloat16, perhaps; read them as bf16 if you know so (--as bf16)"
                     : bytes == 1 ? "raw words of 1 byte: one of the fp8 types, perhaps; read them as one if you know so"
                                  : "raw words";
    } else {
        return failure("descr '{}' is not a supported element type", shown);
    }
    if (bytesOf(field.dtype) == 1) field.bigEndian = false;
    return field;
}

Result<void> parseFields(LiteralReader& reader, NpyHeader& header) {
    std::set<std::string> names;
    while (!reader.next(']')) {
        if (auto open = reader.expect('('); !open) return open;
        const auto name = reader.text();
        if (!name) return failureOf(name);
        if (auto comma = reader.expect(','); !comma) return comma;
        if (!reader.next('\'') && !reader.next('"'))
            return failure("structured dtype: field '{}' has a nested type, which is not supported", printable(*name));
        const auto descr = reader.text();
        if (!descr) return failureOf(descr);
        if (reader.take(',') && !reader.next(')'))
            return failure("structured dtype: field '{}' has a shape of its own, which is not supported", printable(*name));
        if (auto close = reader.expect(')'); !close) return close;
        auto field = parseDescr(*descr);
        if (!field) return failureOf(field);
        if (!names.insert(*name).second) return failure("structured dtype: field '{}' occurs twice", printable(*name));
        if (names.size() > kFieldLimit) return failure("structured dtype: more than {} fields", kFieldLimit);
        field->name = *name;
        field->offset = header.recordBytes;
        header.recordBytes += bytesOf(field->dtype) * static_cast<std::uint64_t>(field->words);
        header.fields.push_back(std::move(*field));
        if (!reader.take(',')) break;
    }
    if (header.fields.empty()) return reader.problem("a field");
    return reader.expect(']');
}

Result<void> parseType(LiteralReader& reader, NpyHeader& header) {
    if (reader.take('[')) return parseFields(reader, header);
    const auto descr = reader.text();
    if (!descr) return failureOf(descr);
    auto field = parseDescr(*descr);
    if (!field) return failureOf(field);
    header.recordBytes = bytesOf(field->dtype) * static_cast<std::uint64_t>(field->words);
    header.fields.push_back(std::move(*field));
    return {};
}

Result<void> parseHeaderEntry(LiteralReader& reader, const std::string& key, NpyHeader& header) {
    if (key == "descr") return parseType(reader, header);
    if (key == "fortran_order") {
        const auto value = reader.boolean();
        if (!value) return failureOf(value);
        header.fortranOrder = *value;
        return {};
    }
    if (key != "shape") return failure("header key '{}', expected descr, fortran_order and shape", printable(key));
    const auto shape = parseTuple(reader);
    if (!shape) return failureOf(shape);
    header.shape = *shape;
    return {};
}

Result<void> parseDictionary(LiteralReader& reader, NpyHeader& header) {
    std::set<std::string> keys;
    if (auto open = reader.expect('{'); !open) return open;
    while (!reader.next('}')) {
        const auto key = reader.text();
        if (!key) return failureOf(key);
        if (!keys.insert(*key).second) return failure("header key '{}' occurs twice", printable(*key));
        if (auto colon = reader.expect(':'); !colon) return colon;
        if (auto entry = parseHeaderEntry(reader, *key, header); !entry) return entry;
        if (!reader.take(',')) break;
    }
    if (auto close = reader.expect('}'); !close) return close;
    if (!reader.atEnd()) return reader.problem("the end of the header");
    for (const char* key : {"descr", "fortran_order", "shape"})
        if (!keys.contains(key)) return failure("header has no '{}'", key);
    return {};
}

Shape fortranStrides(const Shape& shape) {
    Shape reversed(shape.rbegin(), shape.rend());
    Shape strides = contiguousStrides(reversed);
    return {strides.rbegin(), strides.rend()};
}

}  // namespace

Result<NpyHeader> parseNpyHeader(std::string_view head, const std::string& where) {
    if (!head.starts_with(kMagic)) return failure("{}: offset 0: not an npy array (no \\x93NUMPY)", where);
    if (head.size() < 10) return failure("{}: offset {}: the npy header is truncated", where, head.size());
    const int version = static_cast<unsigned char>(head[6]);
    if (version < 1 || version > 3 || head[7] != 0)
        return failure("{}: offset 6: npy version {}.{}, expected 1.0, 2.0 or 3.0", where, version,
                       static_cast<unsigned char>(head[7]));
    const std::size_t lengthBytes = version == 1 ? 2 : 4;
    if (head.size() < 8 + lengthBytes) return failure("{}: offset 8: the npy header is truncated", where);
    std::uint64_t length = 0;
    for (std::size_t i = lengthBytes; i-- > 0;) length = length << 8 | static_cast<unsigned char>(head[8 + i]);
    NpyHeader header;
    header.dataOffset = 8 + lengthBytes + length;
    if (length > kNpyHeaderLimit)
        return failure("{}: offset 8: npy header of {} bytes, expected at most {}", where, length, kNpyHeaderLimit);
    if (header.dataOffset > head.size())
        return failure("{}: offset 8: npy header of {} bytes, but only {} follow", where, length,
                       head.size() - 8 - lengthBytes);
    LiteralReader reader(head.substr(8 + lengthBytes, length), 8 + lengthBytes);
    if (auto parsed = parseDictionary(reader, header); !parsed)
        return failure("{}: npy header: {}", where, parsed.error().message);
    return header;
}

Result<void> addNpyTensors(const NpyHeader& header, const TensorInfo& prototype,
                           const std::shared_ptr<const Storage>& storage, std::uint64_t dataBytes,
                           const std::string& where, TensorFile& file) {
    const auto needed = checkedBytes(header.shape, header.recordBytes);
    if (!needed) return failure("{}: npy header: {}", where, needed.error().message);
    if (*needed != dataBytes)
        return failure("{}: offset {}: shape {} needs {} data bytes, the file has {} ({})", where, header.dataOffset,
                       textOf(header.shape), *needed, dataBytes, *needed > dataBytes ? "truncated" : "trailing bytes");
    for (const NpyField& field : header.fields) {
        const std::size_t width = bytesOf(field.dtype);
        if (header.recordBytes % width != 0)
            return failure("{}: structured dtype: field '{}' of {} bytes in records of {} is not supported", where,
                           printable(field.name), width, header.recordBytes);
        TensorInfo info = prototype;
        if (!field.name.empty()) info.name = prototype.name.empty() ? field.name : prototype.name + "." + field.name;
        info.dtype = field.dtype;
        info.shape = info.storedShape = header.shape;
        info.strides = header.fortranOrder ? fortranStrides(header.shape) : contiguousStrides(header.shape);
        const auto wordsInRecord = static_cast<std::int64_t>(header.recordBytes / width);
        for (std::int64_t& stride : info.strides) stride *= wordsInRecord;  // fits: the byte count did, or it is empty
        if (field.words > 1) {
            info.shape.push_back(field.words);
            info.strides.push_back(1);
        }
        info.storedType = field.descr;
        info.bigEndian = field.bigEndian;
        info.note = field.note;
        info.offset = prototype.offset + field.offset;
        // A field's words are swapped where they lie: from the field's own first byte on, record by record.
        const std::uint64_t begin = std::min(field.offset, dataBytes);
        std::shared_ptr<const Storage> words = std::make_shared<RangeStorage>(storage, begin, dataBytes - begin);
        if (field.bigEndian) words = std::make_shared<SwappedStorage>(words, width);
        if (auto added = file.add(std::move(info), std::move(words), 0, dataBytes - begin); !added) return added;
    }
    return {};
}

}  // namespace isobit
