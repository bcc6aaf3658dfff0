// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "evidence/policy.h"

#include <algorithm>
#include <map>

#include "core/base/atomic_file.h"
#include "evidence/base64.h"
#include "evidence/ej1.h"
#include "evidence/process.h"

namespace isobit::evidence {
namespace {

constexpr std::size_t kPolicyLimitBytes = std::size_t{1} << 20;

std::vector<std::string_view> linesOf(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

// Words of a line; blanks inside double quotes do not separate.
std::vector<std::string> wordsOf(std::string_view line) {
    std::vector<std::string> words;
    std::string word;
    bool quoted = false;
    for (const char c : line) {
        if (c == '"') quoted = !quoted;
        if ((c == ' ' || c == '\t') && !quoted) {
            if (!word.empty()) words.push_back(std::exchange(word, {}));
        } else {
            word += c;
        }
    }
    if (!word.empty()) words.push_back(word);
    return words;
}

// Parts of an option list or a pattern list; commas inside double quotes do not separate.
std::vector<std::string> partsOf(std::string_view list) {
    std::vector<std::string> parts(1);
    bool quoted = false;
    for (const char c : list) {
        if (c == '"') quoted = !quoted;
        if (c == ',' && !quoted)
            parts.emplace_back();
        else
            parts.back() += c;
    }
    return parts;
}

bool isPlainName(std::string_view name) {
    return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("@._+-").find(c) != std::string_view::npos;
    });
}

Result<void> readOption(std::string_view option, Signer& signer) {
    const std::size_t equals = option.find('=');
    const std::string_view name = option.substr(0, equals);
    std::string_view value = equals == std::string_view::npos ? std::string_view() : option.substr(equals + 1);
    if (value.size() >= 2 && value.front() == '"' && value.back() == '"') value = value.substr(1, value.size() - 2);
    if (name == "cert-authority") return failure("names a certificate authority, which this policy does not accept");
    if (name == "namespaces") {
        signer.namespaces = partsOf(value);
        for (const std::string& nameSpace : signer.namespaces)
            if (!isPlainName(nameSpace)) return failure("namespace \"{}\" is not a plain name", nameSpace);
        return {};
    }
    if (name != "valid-after" && name != "valid-before") return failure("has the unknown option \"{}\"", name);
    const Result<UtcSeconds> time = readUtcDigits(value);
    if (!time) return failure("{}: {}", name, time.error().message);
    (name == "valid-after" ? signer.validAfter : signer.validBefore) = *time;
    return {};
}

Result<SshKey> readKey(const std::string& type, const std::string& base64) {
    const Result<std::string> blob = fromBase64(base64);
    if (!blob) return failure("its key is {}", blob.error().message);
    const Result<SshKey> key = readSshKey(*blob);
    if (!key) return failure("has {}", key.error().message);
    if (key->type != type) return failure("says {} for a key of type {}", type, key->type);
    return key;
}

bool isKeyType(std::string_view word) {
    return word.starts_with("ssh-") || word.starts_with("sk-") || word.starts_with("ecdsa-");
}

Result<Signer> readSigner(std::string_view line) {
    const std::vector<std::string> words = wordsOf(line);
    Signer signer;
    signer.principal = words[0];
    if (!isPlainName(signer.principal))
        return failure("principal {} is not one plain name (a list or a wildcard is not accepted)", signer.principal);
    const std::size_t type = words.size() > 1 && isKeyType(words[1]) ? 1 : 2;
    if (words.size() < type + 2) return failure("is not \"principal options type key\"");
    if (type == 2)
        for (const std::string& option : partsOf(words[1]))
            if (const Result<void> read = readOption(option, signer); !read) return failureOf(read);
    if (signer.namespaces.empty()) return failure("has no namespaces=, so its key would sign in every role");
    const Result<SshKey> key = readKey(words[type], words[type + 1]);
    if (!key) return failureOf(key);
    signer.key = *key;
    return signer;
}

Result<std::vector<Signer>> readSigners(std::string_view text) {
    std::vector<Signer> signers;
    std::map<std::string, std::string> principalOfKey;
    const std::vector<std::string_view> lines = linesOf(text);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (wordsOf(lines[i]).empty() || wordsOf(lines[i])[0].starts_with('#')) continue;
        const Result<Signer> signer = readSigner(lines[i]);
        if (!signer) return failure("allowed_signers line {}: {}", i + 1, signer.error().message);
        const auto [owner, added] = principalOfKey.emplace(signer->key.blob, signer->principal);
        if (!added && owner->second != signer->principal)
            return failure("allowed_signers line {}: the key of {} is also the key of {}", i + 1, signer->principal,
                           owner->second);
        signers.push_back(*signer);
    }
    if (signers.empty()) return failure("allowed_signers names nobody");
    return signers;
}

// A list of public keys; a key revocation list is asked about every signer's key.
Result<std::set<std::string>> readRevoked(std::string_view text, const std::string& path,
                                          const std::vector<Signer>& signers, const TemporaryFolder& folder) {
    std::set<std::string> revoked;
    if (text.starts_with("SSHKRL\n")) {
        for (const Signer& signer : signers) {
            const Result<std::string> key = folder.write("key.pub", signer.key.line() + "\n");
            if (!key) return failureOf(key);
            const auto asked = runProcess({.arguments = {"ssh-keygen", "-Q", "-f", path, *key}});
            if (!asked) return failureOf(asked);
            // 1 and "REVOKED" when it is; anything else that is not success means that the list could not be read.
            if (asked->exitCode == 0) continue;
            if (asked->out.find("REVOKED") == std::string::npos)
                return failure("revoked_keys: cannot be read by ssh-keygen");
            revoked.insert(signer.key.blob);
        }
        return revoked;
    }
    const std::vector<std::string_view> lines = linesOf(text);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::vector<std::string> words = wordsOf(lines[i]);
        if (words.empty() || words[0].starts_with('#')) continue;
        const Result<std::string> blob = words.size() < 2 ? failure("has no key") : fromBase64(words[1]);
        if (!isKeyType(words[0]) || !blob) return failure("revoked_keys line {}: is not a public key", i + 1);
        revoked.insert(*blob);
    }
    return revoked;
}

Result<void> readThresholds(std::string_view text, std::uint64_t& approvals, bool& userVerification) {
    if (text.empty()) return {};
    const Result<CanonicalJson> document = readEj1(text, "thresholds.json");
    if (!document) return failureOf(document);
    const bool known = document->is_object() && document->size() == 3 && document->value("schema", 0) == 1 &&
                       document->contains("approvals") && (*document)["approvals"].is_number_unsigned() &&
                       document->contains("user_verification") && (*document)["user_verification"].is_boolean();
    if (!known)
        return failure(
            "thresholds.json: expected the keys approvals (integer), schema (1) and user_verification (boolean)");
    approvals = (*document)["approvals"];
    userVerification = (*document)["user_verification"];
    return {};
}

bool isInTime(const Signer& signer, UtcSeconds time) {
    return (!signer.validAfter || time >= *signer.validAfter) && (!signer.validBefore || time <= *signer.validBefore);
}

std::string timeReason(const Signer& signer, UtcSeconds time) {
    if (signer.validAfter && time < *signer.validAfter)
        return fmt::format("the key of {} counts from {} on; the artifact is of {}, {} s earlier", signer.principal,
                           utcText(*signer.validAfter), utcText(time), *signer.validAfter - time);
    return fmt::format("the key of {} counts until {}; the artifact is of {}, {} s later", signer.principal,
                       utcText(*signer.validBefore), utcText(time), time - *signer.validBefore);
}

}  // namespace

Result<Policy> Policy::read(PolicyTexts texts) {
    const auto fail = [&](const Error& error) { return failure("{}: {}", texts.origin, error.message); };
    Result<std::shared_ptr<const TemporaryFolder>> folder = TemporaryFolder::make();
    if (!folder) return failureOf(folder);
    const Result<std::string> allowed = (*folder)->write("allowed_signers", texts.allowedSigners);
    if (!allowed) return failureOf(allowed);
    const Result<std::string> revoked = (*folder)->write("revoked_keys", texts.revokedKeys);
    if (!revoked) return failureOf(revoked);

    Policy policy;
    policy.m_origin = texts.origin;
    policy.m_showCommand = texts.showCommand;
    policy.m_hasRevokedKeys = !texts.revokedKeys.empty();
    policy.m_folder = *folder;
    policy.m_allowedSignersPath = *allowed;
    policy.m_revokedKeysPath = *revoked;
    const Result<std::vector<Signer>> signers = readSigners(texts.allowedSigners);
    if (!signers) return fail(signers.error());
    policy.m_signers = *signers;
    const Result<std::set<std::string>> blobs = readRevoked(texts.revokedKeys, *revoked, *signers, **folder);
    if (!blobs) return fail(blobs.error());
    policy.m_revoked = *blobs;
    const Result<void> thresholds = readThresholds(texts.thresholds, policy.m_approvals, policy.m_userVerification);
    if (!thresholds) return fail(thresholds.error());
    return policy;
}

Authorisation Policy::authorise(const SshKey& key, std::string_view nameSpace, UtcSeconds time) const {
    Authorisation found{Standing::Unknown, "", fmt::format("{} is not in the policy", key.fingerprint())};
    for (const Signer& signer : m_signers) {
        if (!(signer.key == key)) continue;
        const bool role =
            std::find(signer.namespaces.begin(), signer.namespaces.end(), nameSpace) != signer.namespaces.end();
        if (role && isInTime(signer, time)) {
            found = {Standing::Allowed, signer.principal, ""};
            break;
        }
        if (role)
            found = {Standing::OutOfTime, signer.principal, timeReason(signer, time)};
        else if (found.standing == Standing::Unknown)
            found.reason = fmt::format("the key of {} may not sign in the namespace {}", signer.principal, nameSpace);
    }
    if (m_revoked.contains(key.blob))
        return {Standing::Revoked, found.principal, fmt::format("{} is revoked", key.fingerprint())};
    return found;
}

Result<PolicyTexts> policyTextsAt(const GitTree& tree, const std::string& revision) {
    const std::optional<std::string> commit = tree.commit(revision);
    if (!commit) return failure("{}: there is no revision \"{}\" to read the policy from", tree.root(), revision);
    const std::optional<std::string> allowed = tree.file(*commit, "evidence/policy/allowed_signers");
    if (!allowed) return failure("{}: revision {} has no evidence/policy/allowed_signers", tree.root(), revision);
    return PolicyTexts{fmt::format("evidence/policy of {} ({})", revision, commit->substr(0, 12)),
                       shellLine({"git", "show", revision + ":evidence/policy/allowed_signers"}), *allowed,
                       tree.file(*commit, "evidence/policy/revoked_keys").value_or(""),
                       tree.file(*commit, "evidence/policy/thresholds.json").value_or("")};
}

Result<PolicyTexts> policyTextsFromFiles(const std::string& allowedSigners, const std::string& revokedKeys) {
    const Result<std::string> allowed = readTextFile(allowedSigners, kPolicyLimitBytes);
    if (!allowed) return failureOf(allowed);
    const Result<std::string> revoked =
        revokedKeys.empty() ? std::string() : readTextFile(revokedKeys, kPolicyLimitBytes);
    if (!revoked) return failureOf(revoked);
    return PolicyTexts{allowedSigners, shellLine({"cat", allowedSigners}), *allowed, *revoked, ""};
}

std::string defaultBase(const GitTree& tree) {
    for (const char* revision : {"origin/HEAD", "origin/main", "origin/master"})
        if (tree.commit(revision)) return revision;
    return "HEAD";
}

}  // namespace isobit::evidence
