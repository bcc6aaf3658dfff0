// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/silicon/silicon_table.h"

#include <zlib.h>

#include <cstring>

#include "core/base/sha256.h"

namespace isobit {
namespace {

constexpr std::string_view kMagic = "isobit.silicon/1";
constexpr std::size_t kPreamble = kMagic.size() + 8;
constexpr std::size_t kHeaderLimit = 64u << 10;   // a few kilobytes of JSON; anything longer is not ours
constexpr std::size_t kPayloadLimit = 64u << 10;  // the tables are 6 KB

struct TableEntry {
    const char* name;
    std::size_t integers;
};
// The order of the payload; the biases follow as one entry.
constexpr TableEntry kEntries[] = {{"rcp", 384}, {"rsqrt", 384}, {"sqrt", 384},
                                   {"ex2", 192}, {"lg2", 192},   {"biases", 5}};
constexpr std::size_t kIntegers = 384 * 3 + 192 * 2 + 5;
static_assert(sizeof(sm90::Tables) == kIntegers * 4, "Tables is plain 32-bit integers, in payload order");

std::uint32_t littleEndian(std::span<const std::byte> bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (int i = 3; i >= 0; --i) value = value << 8 | std::uint32_t(bytes[at + std::size_t(i)]);
    return value;
}

void appendLittleEndian(std::vector<std::byte>& bytes, std::uint32_t value) {
    for (int i = 0; i < 4; ++i) bytes.push_back(std::byte(value >> (8 * i) & 0xFFu));
}

std::vector<std::byte> payloadOf(const sm90::Tables& tables) {
    std::int32_t integers[kIntegers];
    std::memcpy(integers, &tables, sizeof integers);
    std::vector<std::byte> payload;
    for (const std::int32_t integer : integers) appendLittleEndian(payload, std::uint32_t(integer));
    return payload;
}

Json describeTables(std::span<const std::byte> payload) {
    Json list = Json::array();
    std::size_t at = 0;
    for (const TableEntry& entry : kEntries) {
        list.push_back({{"name", entry.name},
                        {"integers", entry.integers},
                        {"sha256", sha256Hex(payload.subspan(at, entry.integers * 4))}});
        at += entry.integers * 4;
    }
    return list;
}

Result<void> checkDigests(const Json& header, std::span<const std::byte> payload, std::string_view name) {
    const Json expected = describeTables(payload);
    const auto found = header.find("tables");
    if (found == header.end() || !found->is_array() || found->size() != expected.size())
        return failure("{}: the header does not list the {} tables of sm_90", name, expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
        if ((*found)[i] != expected[i])
            return failure("{}: table \"{}\" does not have the digest that the header states", name,
                           expected[i]["name"].get<std::string>());
    return {};
}

Result<SiliconProvenance> provenanceOf(const Json& header, std::string_view name) {
    SiliconProvenance provenance;
    const std::pair<const char*, std::string*> fields[] = {{"gpu", &provenance.gpu},
                                                           {"driver", &provenance.driver},
                                                           {"toolkit", &provenance.toolkit},
                                                           {"source_sha256", &provenance.sourceSha256}};
    const auto object = header.find("provenance");
    for (const auto& [key, value] : fields) {
        const bool present = object != header.end() && object->is_object() && object->contains(key) &&
                             (*object)[key].is_string() && !(*object)[key].get_ref<const std::string&>().empty();
        if (!present) return failure("{}: the header's provenance has no \"{}\"", name, key);
        *value = (*object)[key].get<std::string>();
    }
    return provenance;
}

}  // namespace

std::vector<std::byte> packSiliconTable(const sm90::Tables& tables, const SiliconProvenance& provenance) {
    const std::vector<std::byte> payload = payloadOf(tables);
    uLongf packedSize = compressBound(uLong(payload.size()));
    std::vector<Bytef> packed(packedSize);
    compress2(packed.data(), &packedSize, reinterpret_cast<const Bytef*>(payload.data()), uLong(payload.size()), 9);

    Json header;
    header["silicon"] = "sm_90";
    header["functions"] = {"rcp.approx", "rsqrt.approx", "sqrt.approx", "ex2.approx",
                           "lg2.approx", "div.full",     "logf",        "expf"};
    header["provenance"] = {{"gpu", provenance.gpu},
                            {"driver", provenance.driver},
                            {"toolkit", provenance.toolkit},
                            {"source_sha256", provenance.sourceSha256}};
    header["tables"] = describeTables(payload);
    const std::string text = header.dump(1) + "\n";

    std::vector<std::byte> file;
    const auto append = [&file](const void* data, std::size_t size) {
        const auto* bytes = static_cast<const std::byte*>(data);
        file.insert(file.end(), bytes, bytes + size);
    };
    append(kMagic.data(), kMagic.size());
    appendLittleEndian(file, std::uint32_t(text.size()));
    appendLittleEndian(file, std::uint32_t(packedSize));
    append(text.data(), text.size());
    append(packed.data(), packedSize);
    return file;
}

Result<SiliconTable> parseSiliconTable(std::span<const std::byte> bytes, std::string_view name) {
    if (bytes.size() < kPreamble) return failure("{}: {} bytes, too short for a silicon table", name, bytes.size());
    if (std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) != 0)
        return failure("{}: does not begin with \"{}\", so it is no silicon table of this version", name, kMagic);
    const std::size_t headerSize = littleEndian(bytes, kMagic.size());
    const std::size_t packedSize = littleEndian(bytes, kMagic.size() + 4);
    if (headerSize > kHeaderLimit || packedSize > kPayloadLimit || bytes.size() != kPreamble + headerSize + packedSize)
        return failure("{}: {} bytes, but its lengths at offset {} say {}", name, bytes.size(), kMagic.size(),
                       kPreamble + headerSize + packedSize);

    const std::string_view text(reinterpret_cast<const char*>(bytes.data()) + kPreamble, headerSize);
    Result<Json> header = parseJsonStrictly(text, name);
    if (!header) return failureOf(header);
    if (!header->is_object() || !header->contains("silicon") || (*header)["silicon"] != "sm_90")
        return failure("{}: the header does not say that this is sm_90", name);

    std::vector<std::byte> payload(kIntegers * 4);
    uLongf size = uLongf(payload.size());
    const auto* packed = reinterpret_cast<const Bytef*>(bytes.data()) + kPreamble + headerSize;
    if (uncompress(reinterpret_cast<Bytef*>(payload.data()), &size, packed, uLong(packedSize)) != Z_OK ||
        size != payload.size())
        return failure("{}: the payload at offset {} does not unpack to {} bytes", name, kPreamble + headerSize,
                       payload.size());
    if (const Result<void> checked = checkDigests(*header, payload, name); !checked) return failureOf(checked);
    Result<SiliconProvenance> provenance = provenanceOf(*header, name);
    if (!provenance) return failureOf(provenance);

    SiliconTable table{*provenance, {}, sha256Hex(bytes), *header};
    std::uint32_t integers[kIntegers];
    for (std::size_t i = 0; i < kIntegers; ++i) integers[i] = littleEndian(payload, i * 4);
    std::memcpy(&table.tables, integers, sizeof integers);
    return table;
}

extern "C" const std::byte isobitSm90TableBegin[];
extern "C" const std::byte isobitSm90TableEnd[];

const Result<SiliconTable>& embeddedSm90Table() {
    static const Result<SiliconTable> table = parseSiliconTable(
        {isobitSm90TableBegin, std::size_t(isobitSm90TableEnd - isobitSm90TableBegin)}, "the built-in table of sm_90");
    return table;
}

}  // namespace isobit
