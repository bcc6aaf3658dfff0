// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "evidence/signature_check.h"

#include "core/tensors/confinement.h"
#include "evidence/process.h"
#include "evidence/test_key.h"

namespace isobit::evidence {
namespace {

constexpr std::uint8_t kUserVerified = 0x04;  // OpenSSH's PROTOCOL.u2f: the token asked for a PIN or a fingerprint

std::string withoutAnyReturns(std::string_view text) {
    std::string plain(text);
    std::erase(plain, '\r');
    return plain;
}

State stateOf(Standing standing) {
    switch (standing) {
        case Standing::Allowed:
            return State::Verified;
        case Standing::Unknown:
            return State::UnknownKey;
        case Standing::OutOfTime:
            return State::Expired;
        case Standing::Revoked:
            return State::Revoked;
    }
    return State::UnknownKey;
}

Check makeCheck(const char* id, State state, std::string problem, std::string fine, std::string command) {
    const bool fails = !problem.empty();
    return {id, fails ? Outcome::Fail : Outcome::Pass, fails ? std::move(problem) : std::move(fine), std::move(command),
            state};
}

std::string mathProblem(const SshSignature& signature, std::string_view message, std::string_view nameSpace) {
    const std::string reason = refusalOfSshSignature(signature, message);
    if (reason.empty()) return {};
    if (message.find('\r') != std::string_view::npos &&
        refusalOfSshSignature(signature, withoutAnyReturns(message)).empty())
        return "what was signed differs only in line endings (CRLF): core.autocrlf";
    return fmt::format("{} (namespace {})", reason, nameSpace);
}

std::vector<std::string> verifyCommand(const Policy& policy, const std::string& principal, std::string_view nameSpace,
                                       const std::string& signersPath, const std::string& signaturePath,
                                       UtcSeconds time) {
    std::vector<std::string> command = {"ssh-keygen", "-Y",
                                        "verify",     "-Overify-time=" + utcDigits(time),
                                        "-f",         signersPath,
                                        "-I",         principal,
                                        "-n",         std::string(nameSpace),
                                        "-s",         signaturePath};
    if (policy.hasRevokedKeys()) command.insert(command.end(), {"-r", policy.revokedKeysPath()});
    return command;
}

// The second opinion: the program that everybody has, on the same bytes.
std::string sshKeygenProblem(std::string_view file, std::string_view message, const std::string& principal,
                             std::string_view nameSpace, const Policy& policy, UtcSeconds time) {
    const auto folder = TemporaryFolder::make();
    if (!folder) return folder.error().message;
    const Result<std::string> signature = (*folder)->write("signature", file);
    if (!signature) return signature.error().message;
    const auto result = runProcess(
        {.arguments = verifyCommand(policy, principal, nameSpace, policy.allowedSignersPath(), *signature, time),
         .input = message});
    if (!result) return result.error().message;
    return result->exitCode == 0 ? "" : "ssh-keygen -Y verify does not accept what the strict check accepts";
}

}  // namespace

SignatureCheck checkSignatureFile(const Result<std::string>& file, std::string_view message,
                                  const std::string& messagePath, const std::string& signaturePath,
                                  std::string_view nameSpace, const Policy& policy, UtcSeconds time,
                                  bool secondOpinion) {
    SignatureCheck found;
    const std::string strictCommand = fmt::format("sh resources/verify-sshsig.sh KEY.pub {} {} {}", nameSpace,
                                                  shellWord(messagePath), shellWord(signaturePath));
    const Result<SshSignature> signature = file ? readSshSignature(*file) : Result<SshSignature>(failureOf(file));
    if (!signature) {
        found.checks.push_back(makeCheck("signature", State::Malformed,
                                         fmt::format("{}: {}", signaturePath, signature.error().message), "",
                                         strictCommand));
        return found;
    }
    found.key = signature->key;
    if (signature->nameSpace != nameSpace) {
        found.checks.push_back(
            makeCheck("signature", State::Malformed,
                      fmt::format("signed in the namespace \"{}\", expected {}", printable(signature->nameSpace), nameSpace), "",
                      strictCommand));
        return found;
    }
    const std::string math = mathProblem(*signature, message, nameSpace);
    found.checks.push_back(makeCheck("signature", State::Tampered, math,
                                     "Ed25519 over the stored bytes, one spelling only", strictCommand));

    Authorisation signer = policy.authorise(signature->key, nameSpace, time);
    if (signer.standing == Standing::Allowed && signature->key.onToken() && policy.userVerification() &&
        (signature->flags & kUserVerified) == 0)
        signer = {Standing::Unknown, signer.principal, "the token did not ask for a PIN, which the policy wants"};
    found.principal = signer.principal;
    found.checks.push_back(
        makeCheck("signer", stateOf(signer.standing), signer.reason,
                  fmt::format("{}, {}, by {}", signer.principal, fingerprintText(signature->key.fingerprint()),
                              policy.origin()),
                  policy.showCommand()));
    if (!math.empty() || signer.standing != Standing::Allowed || !secondOpinion) return found;
    const std::vector<std::string> repeat =
        verifyCommand(policy, signer.principal, nameSpace, "SIGNERS", signaturePath, time);
    found.checks.push_back(makeCheck(
        "ssh-keygen", State::Tampered, sshKeygenProblem(*file, message, signer.principal, nameSpace, policy, time),
        "agrees",
        fmt::format("{} > SIGNERS; {} < {}", policy.showCommand(), shellLine(repeat), shellWord(messagePath))));
    return found;
}

}  // namespace isobit::evidence
