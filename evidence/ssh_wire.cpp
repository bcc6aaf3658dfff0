// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "evidence/ssh_wire.h"

#include <array>

#include "core/base/sha256.h"
#include "core/tensors/confinement.h"
#include "evidence/base64.h"
#include "evidence/ed25519.h"

namespace isobit::evidence {
namespace {

std::string bytesOfHex(std::string_view hex) {
    std::string bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
        bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
    return bytes;
}

}  // namespace

std::string sshUint32(std::uint32_t value) {
    std::string bytes;
    for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>(value >> shift & 0xff);
    return bytes;
}

std::string sshString(std::string_view bytes) {
    return sshUint32(static_cast<std::uint32_t>(bytes.size())).append(bytes);
}

std::string_view SshReader::bytes(std::size_t count) {
    if (!m_ok || count > m_rest.size()) {
        m_ok = false;
        return {};
    }
    const std::string_view taken = m_rest.substr(0, count);
    m_rest.remove_prefix(count);
    return taken;
}

std::uint32_t SshReader::uint32() {
    std::uint32_t value = 0;
    for (const char byte : bytes(4)) value = value << 8 | static_cast<unsigned char>(byte);
    return value;
}

std::string SshKey::fingerprint() const {
    std::string text = toBase64(bytesOfHex(sha256Hex(std::string_view(blob))));
    while (text.ends_with('=')) text.pop_back();
    return "SHA256:" + text;
}

std::string SshKey::line() const { return type + " " + toBase64(blob); }

Result<SshKey> readSshKey(std::string_view blob) {
    SshReader reader(blob);
    SshKey key;
    key.blob = blob;
    key.type = reader.string();
    if (key.type != kEd25519KeyType && key.type != kSkEd25519KeyType)
        return failure("a key of type \"{}\", expected {} or {}", reader.ok() ? printable(key.type) : "?", kEd25519KeyType,
                       kSkEd25519KeyType);
    key.ed25519 = reader.string();
    if (key.onToken()) key.application = reader.string();
    if (!reader.atEnd()) return failure("a malformed {} key", key.type);
    if (const std::string reason = refusalOfEd25519Key(key.ed25519); !reason.empty()) return failure("{}", reason);
    return key;
}

}  // namespace isobit::evidence
