// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <set>

#include "core/base/sha256.h"
#include "evidence/base64.h"
#include "evidence/dsse.h"
#include "evidence/ed25519.h"
#include "evidence/process.h"
#include "evidence/sshsig.h"
#include "evidence/temporary_folder.h"
#include "tests/support/evidence_keys.h"

using namespace isobit;
using namespace isobit::evidence;
using namespace isobit::evidence::test;

namespace {

// RFC 8032, section 7.1: seed, public key, message, signature.
struct Vector {
    const std::string& seed;
    const char* publicKey;
    const char* message;
    const char* signature;
};
const Vector kVectors[] = {
    {kTest1Seed, "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
     "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe246"
     "551414"
     "38e7a100b"},
    {kTest2Seed, "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
     "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb"
     "00d2916"
     "12bb0c00"},
    {kTest3Seed, "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
     "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc"
     "027bec"
     "eea1ec40a"},
};

// Made by ssh-keygen with the key of TEST 1 over "hello world".
const std::string kHello = "hello world";
const std::string kHelloSignature =
    "-----BEGIN SSH SIGNATURE-----\n"
    "U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAg11qYAYKxCrfVS/7TyWQHOg7hcv\n"
    "PapiMlrwIaaPcHURoAAAAZZXZpZGVuY2UtcmVzdWx0LXYxQGlzb2JpdAAAAAAAAAAGc2hh\n"
    "NTEyAAAAUwAAAAtzc2gtZWQyNTUxOQAAAEC/EmNryQrE9C+24sflO39OT1e+rC/mNtlJ3t\n"
    "yy3denD+Vlw7NIlAnAiMlGHNMJ7eKJGmHalmmPs2uiaWzT360O\n"
    "-----END SSH SIGNATURE-----\n";

// S + L, the second spelling that the group equation also accepts.
std::string withGroupOrderAdded(std::string signature) {
    const std::string order = bytesOfHex("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010");
    unsigned carry = 0;
    for (std::size_t i = 0; i < 32; ++i) {
        const unsigned sum =
            static_cast<unsigned char>(signature[32 + i]) + static_cast<unsigned char>(order[i]) + carry;
        signature[32 + i] = static_cast<char>(sum);
        carry = sum >> 8;
    }
    return signature;
}

std::string refusalOf(const std::string& file, std::string_view message) {
    const auto signature = readSshSignature(file);
    return signature ? refusalOfSshSignature(*signature, message) : signature.error().message;
}

std::string armored(const std::string& blob, std::size_t columns = 70) {
    const std::string base64 = toBase64(blob);
    std::string file = "-----BEGIN SSH SIGNATURE-----\n";
    for (std::size_t i = 0; i < base64.size(); i += columns) file += base64.substr(i, columns) + "\n";
    return file + "-----END SSH SIGNATURE-----\n";
}

std::string blobOf(const SshKey& key, std::uint32_t version, std::string_view reserved, std::string_view hash,
                   const std::string& raw) {
    return "SSHSIG" + sshUint32(version) + sshString(key.blob) + sshString(kResultNamespace) + sshString(reserved) +
           sshString(hash) + sshString(sshString("ssh-ed25519") + sshString(raw));
}

bool sshKeygenAccepts(const std::string& file, std::string_view message, const SshKey& key) {
    const auto folder = TemporaryFolder::make();
    const auto signers =
        (*folder)->write("allowed", "a@example.invalid namespaces=\"evidence-result-v1@isobit\" " + key.line());
    const auto signature = (*folder)->write("sig", file);
    const auto result =
        runProcess({.arguments = {"ssh-keygen", "-Y", "verify", "-f", *signers, "-I", "a@example.invalid", "-n",
                                  std::string(kResultNamespace), "-s", *signature},
                    .input = message});
    return result && result->exitCode == 0;
}

}  // namespace

class TestSignatures : public QObject {
    Q_OBJECT
private slots:
    void vectorsOfRfc8032AreAcceptedAndMadeAgain() {
        for (const Vector& vector : kVectors) {
            const std::string key = bytesOfHex(vector.publicKey);
            const std::string message = bytesOfHex(vector.message);
            QCOMPARE(refusalOfEd25519Signature(key, bytesOfHex(vector.signature), message), std::string());
            QCOMPARE(toHex(SeededKey(vector.seed).sign(message)), std::string(vector.signature));
        }
    }

    void aSignatureHasOneSpelling() {
        const std::string key = bytesOfHex(kVectors[1].publicKey);
        const std::string good = bytesOfHex(kVectors[1].signature);
        const std::string message = bytesOfHex(kVectors[1].message);
        QVERIFY(refusalOfEd25519Signature(key, withGroupOrderAdded(good), message).find("not below") !=
                std::string::npos);
        QVERIFY(refusalOfEd25519Signature(key, good + '\0', message).find("65 bytes") != std::string::npos);
        for (std::size_t bit = 0; bit < 512; ++bit) {
            std::string flipped = good;
            flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ 1 << bit % 8);
            QVERIFY(!refusalOfEd25519Signature(key, flipped, message).empty());
        }
    }

    // A name out of a foreign file must not reach the terminal as it is: found by fuzzing.
    void namesOfAForeignKeyAreShownWithoutControlCharacters() {
        const auto key = readSshKey(sshString("evil\n\x1b[2J") + sshString("x"));
        QVERIFY(!key);
        for (const char c : key.error().message) QVERIFY(c >= 0x20 && c <= 0x7e);
    }

    void weakKeysAreRefused() {
        std::string zero(32, '\0');
        QVERIFY(refusalOfEd25519Key(zero).find("small order") != std::string::npos);
        zero[31] = static_cast<char>(0x80);  // the other sign of x
        QVERIFY(refusalOfEd25519Key(zero).find("small order") != std::string::npos);
        std::string notReduced(32, '\xff');
        notReduced[0] = '\xee';  // p + 1, another spelling of 1
        notReduced[31] = '\x7f';
        QVERIFY(refusalOfEd25519Key(notReduced).find("not reduced") != std::string::npos);
        QVERIFY(refusalOfEd25519Key("short").find("5 bytes") != std::string::npos);
        QCOMPARE(refusalOfEd25519Key(bytesOfHex(kVectors[0].publicKey)), std::string());
    }

    void theSshVectorIsReadVerifiedAndMadeAgain() {
        const auto signature = readSshSignature(kHelloSignature);
        QVERIFY(signature.has_value());
        QCOMPARE(signature->nameSpace, std::string(kResultNamespace));
        QCOMPARE(signature->key.fingerprint(), std::string("SHA256:bbXpuKG6zhzdmnxq256TlqzFBzRl2f6OOg722cYNbU8"));
        QCOMPARE(signature->key.line(),
                 std::string("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAINdamAGCsQq31Uv+08lkBzoO4XLz2qYjJa8CGmj3B1Ea"));
        QCOMPARE(refusalOfSshSignature(*signature, kHello), std::string());
        QCOMPARE(sha256Hex(kHelloSignature),
                 std::string("a300fe278e7f780d6fa010e0e78c037a9eb5052ce066d98a36724f8a23149dd5"));
        QCOMPARE(SeededKey(kTest1Seed).sshSignatureFile(kHello, kResultNamespace), kHelloSignature);
        QCOMPARE(
            toHex(sshSignedBytes(kResultNamespace, kHello)),
            std::string(
                "5353485349470000001965766964656e63652d726573756c742d76314069736f6269740000000000000006736861353132"
                "00000040309ecc489c12d6eb4cc40f50c902f2b4d0ed77ee511a7c7a9bcd3ca86d4cd86f989dd35bc5ff499670da34255b"
                "45b0cfd830e81f605dcf7dc5542e93ae9cd76f"));
        QVERIFY(sshKeygenAccepts(kHelloSignature, kHello, signature->key));
    }

    // The table of mutations: what ssh-keygen alone lets pass is refused here.
    void oneSignatureHasOneFile() {
        const SeededKey key(kTest1Seed);
        const std::string raw = key.sign(sshSignedBytes(kResultNamespace, kHello));
        const std::string body = kHelloSignature;
        struct Mutation {
            const char* name;
            std::string file;
            bool sshKeygenAccepts;
        };
        std::string crlf;
        for (const char c : body) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
        std::string blank = body;
        blank.insert(blank.find('\n') + 1, "\n");
        const SshKey& ssh = key.sshKey();
        const Mutation mutations[] = {
            {"S + L", armored(blobOf(ssh, 1, "", "sha512", withGroupOrderAdded(raw))), true},
            {"reserved", armored(blobOf(ssh, 1, "evil", "sha512", raw)), true},
            {"wrapped at 60", armored(blobOf(ssh, 1, "", "sha512", raw), 60), true},
            {"blank line", blank, true},
            {"trailing text", body + "trailing text\n", true},
            {"extra line feed", body + "\n", true},
            {"carriage returns", crlf, false},
            {"version 2", armored(blobOf(ssh, 2, "", "sha512", raw)), false},
            {"trailing bytes", armored(blobOf(ssh, 1, "", "sha512", raw) + "x"), false},
            {"hash relabelled", armored(blobOf(ssh, 1, "", "sha256", raw)), false},
        };
        for (const Mutation& mutation : mutations) {
            QVERIFY2(!refusalOf(mutation.file, kHello).empty(), mutation.name);
            QVERIFY2(sshKeygenAccepts(mutation.file, kHello, ssh) == mutation.sshKeygenAccepts, mutation.name);
        }
    }

    void everyFlippedByteOfASignatureFileIsRefused() {
        for (std::size_t i = 0; i < kHelloSignature.size(); ++i)
            for (const int pattern : {0x01, 0x20, 0x80}) {
                std::string flipped = kHelloSignature;
                flipped[i] = static_cast<char>(flipped[i] ^ pattern);
                QVERIFY2(!refusalOf(flipped, kHello).empty(), std::to_string(i).c_str());
            }
        for (std::size_t length = 0; length < kHelloSignature.size(); ++length)
            QVERIFY(!refusalOf(kHelloSignature.substr(0, length), kHello).empty());
    }

    // A security key signs another structure; here its part is played by a key in software.
    void aTokensSignatureMustHaveBeenTouched() {
        const SeededKey key(kTest2Seed);
        const SshKey ssh = *readSshKey(sshString(kSkEd25519KeyType) + sshString(key.publicKey()) + sshString("ssh:"));
        const auto signedWith = [&](std::uint8_t flags) {
            SshSignature signature{ssh, std::string(kResultNamespace), "", flags, 7};
            signature.ed25519 =
                key.sign(bytesOfHex(sha256Hex(std::string_view("ssh:"))) + static_cast<char>(flags) + sshUint32(7) +
                         bytesOfHex(sha256Hex(sshSignedBytes(kResultNamespace, kHello))));
            return writeSshSignature(signature);
        };
        QCOMPARE(refusalOf(signedWith(1), kHello), std::string());
        QCOMPARE(refusalOf(signedWith(5), kHello), std::string());
        QVERIFY(refusalOf(signedWith(0), kHello).find("not touched") != std::string::npos);
        QVERIFY(!refusalOf(signedWith(1), "another text").empty());
        QVERIFY(sshKeygenAccepts(signedWith(1), kHello, ssh));
    }

    void dsseVectorsPass() {
        QCOMPARE(sha256Hex(dssePreAuthenticationEncoding("http://example.com/HelloWorld", kHello)),
                 std::string("217751fac2c4f14edb2c9297fbc34abcb016ba88e74757e875ec4ac16fb6b6a1"));
        const std::string statement = R"({"_type":"https://in-toto.io/Statement/v1"})";
        struct Sample {
            std::string type, payload;
            const std::string& seed;
            const char* signature;
        };
        const Sample samples[] = {
            {"application/vnd.in-toto+json", statement, kTest1Seed,
             "2WAfaHm5jluo0w+0rk8uVkluELJYWjSmU9x7EUzx+AyteDGJ4/nqyJXfmAUVFIAoQafWm7AxBZNw5M9ixNHiCA=="},
            {"application/vnd.in-toto+json", statement, kTest2Seed,
             "c1+67/aT0yqEpwx8PsVY3MLHsj9D0CZ014/Fv/QlG59P+9CobUZ7xECJ/V3USG0Ob9CiE5LjReEZUzNF2l7eBw=="},
            {"application/vnd.in-toto+json", "", kTest1Seed,
             "gSggCAaTLTYyRH6FIDBem6meyIynsYy8RTHVzwx9tnTb7Bg/1jMWnuVgI/gffqmbsC2VX5/jHfkkDqsj7CDbDg=="},
            {"application/vnd.ex\xc3\xa4mple+json", statement, kTest1Seed,
             "xmSk/ug66ysT7ayhkCIjhAq42zgZXSsEWuzUaNL7w2eGAdF/NU6/fRXPtmfN+5DNSAs5/i2lUnHjbbjPsu0tAw=="},
        };
        for (const Sample& sample : samples) {
            const DsseEnvelope envelope{sample.type, sample.payload, {{"", *fromBase64(sample.signature)}}};
            QCOMPARE(refusalOfDsse(envelope, sample.type, {SeededKey(sample.seed).publicKey()}, 1), std::string());
        }
    }

    void dsseRefusesOtherTypesAndCountsAKeyOnce() {
        const SeededKey first(kTest1Seed), second(kTest2Seed);
        const std::string type(kInTotoPayloadType);
        const std::string encoded = dssePreAuthenticationEncoding(type, "{}");
        DsseEnvelope envelope{type, "{}", {{"a", first.sign(encoded)}, {"b", first.sign(encoded)}}};
        const std::vector<std::string> keys = {first.publicKey(), second.publicKey()};
        QCOMPARE(refusalOfDsse(envelope, type, keys, 1), std::string());
        QVERIFY(!refusalOfDsse(envelope, type, keys, 2).empty());
        QVERIFY(!refusalOfDsse(envelope, type, keys, 0).empty());
        QVERIFY(!refusalOfDsse(envelope, "application/json", keys, 1).empty());
        QVERIFY(!refusalOfDsse({"", "{}", envelope.signatures}, "", keys, 1).empty());
        const auto again = readDsse(writeDsse(envelope), "e.json");
        QVERIFY(again.has_value());
        QCOMPARE(refusalOfDsse(*again, type, keys, 1), std::string());
    }
};

QTEST_APPLESS_MAIN(TestSignatures)
#include "test_signatures.moc"
