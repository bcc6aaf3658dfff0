// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "evidence/signing.h"

#include <cstdlib>
#include <filesystem>

#include "core/base/atomic_file.h"
#include "core/base/sha256.h"
#include "evidence/artifact_folder.h"
#include "evidence/base64.h"
#include "evidence/manifest.h"
#include "evidence/process.h"
#include "evidence/sshsig.h"
#include "evidence/temporary_folder.h"
#include "evidence/test_key.h"

namespace isobit::evidence {
namespace {

constexpr std::size_t kKeyFileLimitBytes = 65536;
constexpr std::uint64_t kDataLimitBytes = std::uint64_t{2} << 30;

std::string oneLine(std::string_view text) { return std::string(text.substr(0, text.find('\n'))); }

Result<SshKey> keyOfLine(std::string_view line, const std::string& origin) {
    const std::size_t first = line.find(' ');
    const std::size_t second = line.find(' ', first + 1);
    if (first == std::string_view::npos) return failure("{}: is not a public key", origin);
    const Result<std::string> blob =
        fromBase64(line.substr(first + 1, second == std::string_view::npos ? second : second - first - 1));
    if (!blob) return failure("{}: is not a public key", origin);
    const Result<SshKey> key = readSshKey(*blob);
    if (!key) return failure("{}: {}", origin, key.error().message);
    return key;
}

// The manifest's text, after everything that it says about its own folder was found to be so.
Result<std::string> checkedManifest(const std::string& folder, Manifest& manifest) {
    const Result<ArtifactFolder> artifact = ArtifactFolder::open(folder);
    if (!artifact) return failureOf(artifact);
    if (!artifact->foreign().empty()) return failure("{}: {}", folder, artifact->foreign().front());
    Result<std::string> text = artifact->read(kManifestName, kEj1LimitBytes);
    if (!text) return failure("{}: {}", folder, text.error().message);
    const Result<Manifest> read = readManifest(*text, folder + "/" + std::string(kManifestName));
    if (!read) return failureOf(read);
    manifest = *read;
    for (const Subject& subject : manifest.subject) {
        const Result<std::string> bytes = artifact->read(subject.name, kDataLimitBytes);
        if (!bytes) return failure("{}: {}", folder, bytes.error().message);
        if (sha256Hex(std::string_view(*bytes)) != subject.digest.sha256)
            return failure("{}/{}: is not the file that was sealed", folder, subject.name);
    }
    return text;
}

}  // namespace

Result<std::string> defaultSigningKey() {
    if (const char* named = std::getenv("ISOBIT_SIGNING_KEY"); named != nullptr && *named != '\0')
        return std::string(named);
    const auto configured = runProcess({.arguments = {"git", "config", "--get", "--type=path", "user.signingkey"}});
    if (configured && configured->exitCode == 0 && std::filesystem::exists(oneLine(configured->out)))
        return oneLine(configured->out);
    const char* home = std::getenv("HOME");
    for (const char* name : {"/.ssh/id_ed25519_sk", "/.ssh/id_ed25519"})
        if (home != nullptr && std::filesystem::exists(std::string(home) + name)) return std::string(home) + name;
    return failure("no signing key: name one with --key, ISOBIT_SIGNING_KEY or git's user.signingkey");
}

Result<SshKey> publicKeyOf(const std::string& keyFile) {
    for (const std::string& candidate : {keyFile, keyFile + ".pub"}) {
        if (!candidate.ends_with(".pub") || !std::filesystem::exists(candidate)) continue;
        const Result<std::string> text = readTextFile(candidate, kKeyFileLimitBytes);
        if (!text) return failureOf(text);
        return keyOfLine(oneLine(*text), candidate);
    }
    const auto asked = runProcess({.arguments = {"ssh-keygen", "-y", "-f", keyFile}, .interactive = true});
    if (!asked) return failureOf(asked);
    if (asked->exitCode != 0) return failure("{}: ssh-keygen reads no key from it", keyFile);
    return keyOfLine(oneLine(asked->out), keyFile);
}

Result<std::string> signWithSsh(std::string_view message, std::string_view nameSpace, const std::string& keyFile) {
    const auto folder = TemporaryFolder::make();
    if (!folder) return failureOf(folder);
    const Result<std::string> file = (*folder)->write("statement", message);
    if (!file) return failureOf(file);
    const auto signedNow = runProcess({.arguments = {"ssh-keygen", "-q", "-Y", "sign", "-O", "hashalg=sha512", "-f",
                                                     keyFile, "-n", std::string(nameSpace), *file},
                                       .interactive = true,
                                       .timeout = std::chrono::minutes(5)});
    if (!signedNow) return failureOf(signedNow);
    if (signedNow->exitCode != 0) return failure("ssh-keygen did not sign with {}", keyFile);
    Result<std::string> signature = readTextFile(*file + ".sig", kKeyFileLimitBytes);
    if (!signature) return signature;
    const Result<SshSignature> read = readSshSignature(*signature);
    if (!read) return failure("the signature of {}: {}", keyFile, read.error().message);
    if (const std::string reason = refusalOfSshSignature(*read, message); !reason.empty())
        return failure("the signature of {}: {}", keyFile, reason);
    return signature;
}

Result<std::string> describeForSigning(const std::string& folder, const std::string& keyFile) {
    Manifest manifest;
    const Result<std::string> text = checkedManifest(folder, manifest);
    if (!text) return failureOf(text);
    const Result<SshKey> key = publicKeyOf(keyFile);
    if (!key) return failureOf(key);
    const ResultPredicate& p = manifest.predicate;
    std::string lines = fmt::format(
        "result     {} ({} of {} cells bit-equal, {} different, {} failed)\nclaim      {}: {} against {} ({})\n"
        "manifest   sha256 {}\n",
        p.result, p.sweep.cellsBitEqual, p.sweep.cellsExpected, p.sweep.cellsBitDifferent, p.sweep.cellsError,
        p.plan.preset, p.plan.trainer.name, p.plan.sampler.name, p.environment.engine,
        sha256Hex(std::string_view(*text)));
    for (const Subject& subject : manifest.subject)
        lines += fmt::format("file       {} ({} bytes) sha256 {}\n", subject.name, subject.annotations.size,
                             subject.digest.sha256);
    for (const BoundPath& bound : p.source.paths)
        lines += fmt::format("bound to   {} at {}\n", bound.path, bound.gitTree);
    for (const std::string& nonClaim : p.nonClaims) lines += fmt::format("no claim   {}\n", nonClaim);
    return lines + fmt::format("namespace  {}\nkey        {}\n", kResultNamespace, fingerprintText(key->fingerprint()));
}

Result<void> signArtifact(const std::string& folder, const std::string& keyFile, const SignOptions& options) {
    Manifest manifest;
    const Result<std::string> text = checkedManifest(folder, manifest);
    if (!text) return failureOf(text);
    if (!options.manifestSha256.empty() && sha256Hex(std::string_view(*text)) != options.manifestSha256)
        return failure("{}: the manifest is not the one that was shown (sha256 {})", folder, options.manifestSha256);
    const std::string path = folder + "/" + std::string(kSignatureName);
    if (!options.replace && std::filesystem::exists(path))
        return failure("{}: is there already; a second signature would void the reviews (--replace makes it)", path);
    const Result<std::string> signature = signWithSsh(*text, kResultNamespace, keyFile);
    if (!signature) return failureOf(signature);
    return writeTextAtomically(path, *signature);
}

}  // namespace isobit::evidence
