// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/sha256.h"

#include <openssl/evp.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

namespace isobit {
namespace {

struct ContextFree {
    void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};
struct FileClose {
    void operator()(std::FILE* file) const { std::fclose(file); }
};

}  // namespace

struct Sha256::State {
    std::unique_ptr<EVP_MD_CTX, ContextFree> context{EVP_MD_CTX_new()};
    void restart() { EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr); }
};

Sha256::Sha256() : m_state(std::make_unique<State>()) { m_state->restart(); }
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::update(std::span<const std::byte> bytes) {
    EVP_DigestUpdate(m_state->context.get(), bytes.data(), bytes.size());
}

std::string Sha256::finishHex() {
    std::array<unsigned char, 32> digest{};
    EVP_DigestFinal_ex(m_state->context.get(), digest.data(), nullptr);
    m_state->restart();
    std::string hex;
    for (const unsigned char byte : digest) hex += fmt::format("{:02x}", byte);
    return hex;
}

std::string sha256Hex(std::span<const std::byte> bytes) {
    Sha256 hash;
    hash.update(bytes);
    return hash.finishHex();
}

std::string sha256Hex(std::string_view text) { return sha256Hex(std::as_bytes(std::span(text.data(), text.size()))); }

Result<std::string> sha256OfFile(const std::string& path) {
    const std::unique_ptr<std::FILE, FileClose> file(std::fopen(path.c_str(), "rb"));
    if (!file) return failure("{}: cannot be opened: {}", path, std::strerror(errno));
    Sha256 hash;
    std::vector<std::byte> piece(1 << 20);
    while (const std::size_t read = std::fread(piece.data(), 1, piece.size(), file.get()))
        hash.update(std::span(piece).first(read));
    if (std::ferror(file.get())) return failure("{}: cannot be read: {}", path, std::strerror(errno));
    return hash.finishHex();
}

}  // namespace isobit
