// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "evidence/sshsig.h"

#include <openssl/evp.h>

#include <algorithm>

#include "evidence/base64.h"
#include "evidence/ed25519.h"

namespace isobit::evidence {
namespace {

constexpr std::string_view kBegin = "-----BEGIN SSH SIGNATURE-----\n";
constexpr std::string_view kEnd = "-----END SSH SIGNATURE-----\n";
constexpr std::string_view kMagic = "SSHSIG";
constexpr std::string_view kHash = "sha512";
constexpr std::size_t kColumns = 70;           // OpenSSH's writer; its document says 76
constexpr std::size_t kFileLimitBytes = 8192;  // several times the longest namespace and application in use
constexpr std::uint8_t kUserPresent = 0x01;    // PROTOCOL.u2f

std::string digest(const EVP_MD* algorithm, std::string_view bytes) {
    unsigned char output[EVP_MAX_MD_SIZE];
    unsigned int length = 0;
    EVP_Digest(bytes.data(), bytes.size(), output, &length, algorithm, nullptr);
    return {reinterpret_cast<const char*>(output), length};
}

std::string armored(std::string_view blob) {
    const std::string base64 = toBase64(blob);
    std::string file(kBegin);
    for (std::size_t start = 0; start < base64.size(); start += kColumns) file += base64.substr(start, kColumns) + "\n";
    return file.append(kEnd);
}

std::string blobOf(const SshSignature& signature) {
    std::string inner = sshString(signature.key.type) + sshString(signature.ed25519);
    if (signature.key.onToken()) inner += static_cast<char>(signature.flags) + sshUint32(signature.counter);
    return std::string(kMagic) + sshUint32(1) + sshString(signature.key.blob) + sshString(signature.nameSpace) +
           sshString("") + sshString(kHash) + sshString(inner);
}

Result<std::string> blobOfFile(std::string_view file) {
    if (file.size() > kFileLimitBytes) return failure("{} bytes, expected at most {}", file.size(), kFileLimitBytes);
    if (file.find('\r') != std::string_view::npos)
        return failure("holds a carriage return: line endings were converted to CRLF (core.autocrlf)");
    if (!file.starts_with(kBegin) || !file.ends_with(kEnd) || file.size() < kBegin.size() + kEnd.size())
        return failure("is not an SSH signature: the armor's first or last line is missing");
    std::string base64(file.substr(kBegin.size(), file.size() - kBegin.size() - kEnd.size()));
    std::erase(base64, '\n');
    const Result<std::string> blob = fromBase64(base64);
    if (!blob) return failure("its armor holds something that is {}", blob.error().message);
    return blob;
}

// The fields in the order of PROTOCOL.sshsig; whatever is skipped here is caught when the blob is rebuilt.
Result<SshSignature> readBlob(std::string_view blob) {
    SshReader reader(blob);
    reader.bytes(kMagic.size());
    reader.uint32();  // version
    const std::string_view key = reader.string();
    SshSignature signature;
    signature.nameSpace = reader.string();
    reader.string();  // reserved
    reader.string();  // hash
    SshReader inner(reader.string());
    inner.string();  // type
    signature.ed25519 = inner.string();
    if (!reader.ok() || !inner.ok()) return failure("its fields run past its end");
    const Result<SshKey> read = readSshKey(key);
    if (!read) return failure("signed with {}", read.error().message);
    signature.key = *read;
    if (signature.key.onToken()) {
        const std::string_view flags = inner.bytes(1);
        signature.flags = flags.empty() ? 0 : static_cast<std::uint8_t>(flags.front());
        signature.counter = inner.uint32();
    }
    return signature;
}

}  // namespace

Result<SshSignature> readSshSignature(std::string_view file) {
    const Result<std::string> blob = blobOfFile(file);
    if (!blob) return failureOf(blob);
    Result<SshSignature> signature = readBlob(*blob);
    if (!signature) return signature;
    if (blobOf(*signature) != *blob)
        return failure(
            "its blob is not the one that its fields give: version, reserved field, hash, type or trailing bytes");
    if (writeSshSignature(*signature) != file)
        return failure("its armor is not in the one form that ssh-keygen writes");
    return signature;
}

std::string writeSshSignature(const SshSignature& signature) { return armored(blobOf(signature)); }

std::string sshSignedBytes(std::string_view nameSpace, std::string_view message) {
    return std::string(kMagic) + sshString(nameSpace) + sshString("") + sshString(kHash) +
           sshString(digest(EVP_sha512(), message));
}

std::string refusalOfSshSignature(const SshSignature& signature, std::string_view message) {
    const std::string signedBytes = sshSignedBytes(signature.nameSpace, message);
    if (!signature.key.onToken())
        return refusalOfEd25519Signature(signature.key.ed25519, signature.ed25519, signedBytes);
    if ((signature.flags & kUserPresent) == 0) return "the token was not touched when it signed";
    const std::string tokenBytes = digest(EVP_sha256(), signature.key.application) +
                                   static_cast<char>(signature.flags) + sshUint32(signature.counter) +
                                   digest(EVP_sha256(), signedBytes);
    return refusalOfEd25519Signature(signature.key.ed25519, signature.ed25519, tokenBytes);
}

}  // namespace isobit::evidence
