// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "evidence/ed25519.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

namespace isobit::evidence {
namespace {

using Word256 = std::array<std::uint8_t, 32>;  // little-endian, as RFC 8032 writes integers

constexpr Word256 fromHex(std::string_view text) {
    Word256 word{};
    const auto digit = [](char c) { return static_cast<std::uint8_t>(c <= '9' ? c - '0' : c - 'a' + 10); };
    for (std::size_t i = 0; i < word.size(); ++i)
        word[i] = static_cast<std::uint8_t>(digit(text[2 * i]) << 4 | digit(text[2 * i + 1]));
    return word;
}

// 2^252 + 27742317777372353535851937790883648493, the order of the group (RFC 8032, section 5.1).
constexpr Word256 kGroupOrder = fromHex("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010");
// 2^255 - 19, the field's prime.
constexpr Word256 kPrime = fromHex("edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f");

// The y coordinates of the eight points whose order divides 8; x and -x share one.
constexpr Word256 kSmallOrder[] = {
    fromHex("0000000000000000000000000000000000000000000000000000000000000000"),  // order 4
    fromHex("0100000000000000000000000000000000000000000000000000000000000000"),  // order 1
    fromHex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"),  // order 8
    fromHex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"),  // order 8
    fromHex("ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"),  // order 2
};

bool isBelow(const Word256& value, const Word256& bound) {
    return std::lexicographical_compare(value.rbegin(), value.rend(), bound.rbegin(), bound.rend());
}

Word256 wordAt(std::string_view bytes, std::size_t offset) {
    Word256 word;
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(offset), word.size(), word.begin());
    return word;
}

const unsigned char* bytesOf(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

bool opensslAccepts(std::string_view key, std::string_view signature, std::string_view message) {
    const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> publicKey(
        EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, bytesOf(key), key.size()), EVP_PKEY_free);
    const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
    return publicKey != nullptr && context != nullptr &&
           EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, publicKey.get()) == 1 &&
           EVP_DigestVerify(context.get(), bytesOf(signature), signature.size(), bytesOf(message), message.size()) == 1;
}

}  // namespace

std::string refusalOfEd25519Key(std::string_view key) {
    if (key.size() != kEd25519KeyBytes) return fmt::format("an Ed25519 key of {} bytes, expected 32", key.size());
    Word256 y = wordAt(key, 0);
    y[31] &= 0x7f;  // the top bit is the sign of x
    if (!isBelow(y, kPrime)) return "an Ed25519 key whose y coordinate is not reduced";
    if (std::find(std::begin(kSmallOrder), std::end(kSmallOrder), y) != std::end(kSmallOrder))
        return "an Ed25519 key of small order";
    return {};
}

std::string refusalOfEd25519Signature(std::string_view key, std::string_view signature, std::string_view message) {
    if (std::string reason = refusalOfEd25519Key(key); !reason.empty()) return reason;
    if (signature.size() != kEd25519SignatureBytes)
        return fmt::format("an Ed25519 signature of {} bytes, expected 64", signature.size());
    if (!isBelow(wordAt(signature, 32), kGroupOrder))
        return "an Ed25519 signature whose S is not below the group order";
    return opensslAccepts(key, signature, message) ? std::string() : "the Ed25519 signature is not of these bytes";
}

}  // namespace isobit::evidence
