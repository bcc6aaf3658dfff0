// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <zlib.h>

#include <string>
#include <vector>

#include "tests/support/tensor_files.h"

namespace isobit::test {

/// One member of a zip archive as it is to be written, right or wrong.
struct Member {
    std::string name;
    std::string data;
    std::string localName = name;
    int method = 0;
    int flags = 0;
    std::uint32_t declared = static_cast<std::uint32_t>(data.size());  ///< plain bytes
    std::uint32_t crc = static_cast<std::uint32_t>(
        crc32(0, reinterpret_cast<const Bytef*>(data.data()), static_cast<uInt>(data.size())));
};

/// A zip archive of these members. The directory entries are written in the same order.
inline std::string zip(const std::vector<Member>& members, const std::string& gap = {}) {
    std::string bytes = gap;
    std::string directory;
    for (const Member& member : members) {
        const std::string sizes = little(member.crc, 4) + little(member.data.size(), 4) + little(member.declared, 4);
        const std::string common = little(20, 2) + little(std::uint64_t(member.flags), 2) +
                                   little(std::uint64_t(member.method), 2) + little(0, 4) + sizes;
        directory += "PK\x01\x02" + little(20, 2) + common + little(member.name.size(), 2) + std::string(12, '\0') +
                     little(bytes.size(), 4) + member.name;
        bytes += "PK\x03\x04" + common + little(member.localName.size(), 2) + little(0, 2) + member.localName + member.data;
    }
    const std::string counts = little(members.size(), 2) + little(members.size(), 2);
    return bytes + directory + "PK\x05\x06" + little(0, 4) + counts + little(directory.size(), 4) + little(bytes.size(), 4) +
           little(0, 2);
}

/// Deflate data without a header, as in a zip archive.
inline std::string deflated(const std::string& plain) {
    z_stream stream{};
    deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    std::string packed(deflateBound(&stream, static_cast<uLong>(plain.size())), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
    stream.avail_in = static_cast<uInt>(plain.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

/// An npy file of version 1.
inline std::string npy(const std::string& descr, const std::string& shape, const std::string& data, bool fortran = false) {
    const std::string header =
        fmt::format("{{'descr': {}, 'fortran_order': {}, 'shape': {}, }}\n", descr, fortran ? "True" : "False", shape);
    return "\x93NUMPY" + std::string("\x01\0", 2) + little(header.size(), 2) + header + data;
}

}  // namespace isobit::test
