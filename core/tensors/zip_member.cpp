// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/tensors/zip_member.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

namespace isobit {
namespace {

constexpr std::size_t kPiece = 256 * 1024;

// zlib's stream counts input in 32 bits, so long inputs go in pieces.
constexpr std::size_t kInputPiece = 1u << 30;

class Inflater {
public:
    Inflater() { m_ready = inflateInit2(&m_stream, -MAX_WBITS) == Z_OK; }
    ~Inflater() {
        if (m_ready) inflateEnd(&m_stream);
    }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;

    [[nodiscard]] bool ready() const { return m_ready; }
    // Fills `out` from the front of `in`; gives the bytes made, shortens `in` by those taken.
    int step(std::span<const std::byte>& in, std::span<std::byte> out, std::size_t& made) {
        const std::size_t offered = std::min(in.size(), kInputPiece);
        m_stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(in.data()));
        m_stream.avail_in = static_cast<uInt>(offered);
        m_stream.next_out = reinterpret_cast<Bytef*>(out.data());
        m_stream.avail_out = static_cast<uInt>(out.size());
        const int status = inflate(&m_stream, Z_NO_FLUSH);
        made = out.size() - m_stream.avail_out;
        in = in.subspan(offered - m_stream.avail_in);
        return status;
    }

private:
    z_stream m_stream{};
    bool m_ready = false;
};

tl::unexpected<Error> damaged(const MappedFile& file, const ZipMember& member, std::string_view what) {
    return failure("{}: offset {}: member \"{}\" {}", printable(file.path()), member.dataOffset, printable(member.name), what);
}

Result<void> inflateMember(const MappedFile& file, const ZipMember& member, std::span<const std::byte> in,
                           const std::function<bool(std::span<const std::byte>)>& sink) {
    Inflater inflater;
    if (!inflater.ready()) return damaged(file, member, "cannot be unpacked: out of memory");
    std::vector<std::byte> piece(std::min<std::uint64_t>(kPiece, member.bytes + 1));
    std::uint64_t total = 0;
    for (int status = Z_OK; status != Z_STREAM_END;) {
        std::size_t made = 0;
        const std::size_t before = in.size();
        status = inflater.step(in, piece, made);
        if (status != Z_OK && status != Z_STREAM_END)
            return damaged(file, member, status == Z_BUF_ERROR ? "is truncated: its packed bytes end too early"
                                                               : "is damaged: its packed bytes are not deflate data");
        if (status == Z_OK && made == 0 && before == in.size())
            return damaged(file, member, "is truncated: its packed bytes end too early");
        total += made;
        if (total > member.bytes)
            return damaged(file, member, fmt::format("unpacks to more than the {} bytes it declares", member.bytes));
        if (!sink(std::span(piece).first(made))) return {};
    }
    if (total != member.bytes)
        return damaged(file, member, fmt::format("unpacks to {} bytes, {} declared", total, member.bytes));
    if (!in.empty()) return damaged(file, member, fmt::format("has {} packed bytes after its end", in.size()));
    return {};
}

}  // namespace

Result<void> unpackMember(const MappedFile& file, const ZipMember& member,
                          const std::function<bool(std::span<const std::byte>)>& sink) {
    const auto all = file.bytes();
    if (!all) return failureOf(all);
    const auto packed = all->subspan(member.dataOffset, member.packedBytes);
    if (member.deflated) {
        if (auto done = inflateMember(file, member, packed, sink); !done) return done;
        return file.intact();
    }
    for (std::size_t at = 0; at < packed.size(); at += kPiece)
        if (!sink(packed.subspan(at, std::min(kPiece, packed.size() - at)))) break;
    return file.intact();
}

Result<void> checkMember(const MappedFile& file, const ZipMember& member) {
    uLong crc = crc32(0, nullptr, 0);
    const auto unpacked = unpackMember(file, member, [&](std::span<const std::byte> piece) {
        crc = crc32(crc, reinterpret_cast<const Bytef*>(piece.data()), static_cast<uInt>(piece.size()));
        return true;
    });
    if (!unpacked) return unpacked;
    if (crc == member.crc) return {};
    return damaged(file, member, fmt::format("has CRC-32 {:08x}, expected {:08x}: its bytes are damaged", crc, member.crc));
}

Result<void> ZipMemberStorage::prepare() const {
    if (m_checksums)
        if (auto checked = checkMember(*m_file, m_member); !checked) return checked;
    if (!m_member.deflated) return {};
    auto memory = AnonymousMemory::reserve(m_member.bytes);
    if (!memory) return failureOf(memory);
    std::size_t at = 0;
    const auto unpacked = unpackMember(*m_file, m_member, [&](std::span<const std::byte> piece) {
        if (!piece.empty()) std::memcpy(memory->bytes().data() + at, piece.data(), piece.size());
        at += piece.size();
        return true;
    });
    if (!unpacked) return unpacked;
    m_memory = std::move(*memory);
    return {};
}

Result<std::span<const std::byte>> ZipMemberStorage::bytes() const {
    const std::lock_guard lock(m_mutex);
    if (!m_prepared) {
        if (auto prepared = prepare(); !prepared) return failureOf(prepared);
        m_prepared = true;
    }
    if (m_member.deflated) return std::span<const std::byte>(m_memory.bytes());
    const auto all = m_file->bytes();
    if (!all) return all;
    return all->subspan(m_member.dataOffset, m_member.packedBytes);
}

}  // namespace isobit
