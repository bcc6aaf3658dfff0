// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <openssl/evp.h>

#include <memory>
#include <string>
#include <string_view>

#include "evidence/sshsig.h"

// Ed25519 keys made from a seed, so that tests sign without files, agents or waiting.
namespace isobit::evidence::test {

inline std::string bytesOfHex(std::string_view hex) {
    std::string bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
        bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
    return bytes;
}

// Seeds of RFC 8032, section 7.1: known to everybody, so never to be trusted outside tests.
inline const std::string kTest1Seed = bytesOfHex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60");
inline const std::string kTest2Seed = bytesOfHex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb");
inline const std::string kTest3Seed = bytesOfHex("c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7");

class SeededKey {
public:
    explicit SeededKey(const std::string& seed)
        : m_seed(seed),
          m_key(EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr,
                                             reinterpret_cast<const unsigned char*>(seed.data()), seed.size()),
                EVP_PKEY_free) {}

    std::string publicKey() const {
        std::string bytes(32, '\0');
        std::size_t length = bytes.size();
        EVP_PKEY_get_raw_public_key(m_key.get(), reinterpret_cast<unsigned char*>(bytes.data()), &length);
        return bytes;
    }
    std::string sign(std::string_view message) const {
        std::string signature(64, '\0');
        std::size_t length = signature.size();
        const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
        EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, m_key.get());
        EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(signature.data()), &length,
                       reinterpret_cast<const unsigned char*>(message.data()), message.size());
        return signature;
    }
    SshKey sshKey() const { return *readSshKey(sshString(kEd25519KeyType) + sshString(publicKey())); }
    SshSignature sshSignature(std::string_view message, std::string_view nameSpace) const {
        SshSignature signature;
        signature.key = sshKey();
        signature.nameSpace = nameSpace;
        signature.ed25519 = sign(sshSignedBytes(nameSpace, message));
        return signature;
    }
    /// A signature file, the same as `ssh-keygen -Y sign -n NAMESPACE` writes for this key.
    std::string sshSignatureFile(std::string_view message, std::string_view nameSpace) const {
        return writeSshSignature(sshSignature(message, nameSpace));
    }

private:
    std::string m_seed;
    std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> m_key;
};

}  // namespace isobit::evidence::test
