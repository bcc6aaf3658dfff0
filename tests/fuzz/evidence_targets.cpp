// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <string>

#include "evidence/dsse.h"
#include "evidence/manifest_diff.h"
#include "evidence/policy.h"
#include "evidence/report.h"
#include "evidence/review_statement.h"
#include "evidence/run_claims.h"
#include "evidence/run_guard.h"
#include "evidence/sshsig.h"
#include "evidence/utc.h"
#include "tests/fuzz/targets.h"

// Every text and file of a foreign artifact that the product parses. Beside the sanitizers, each target checks what
// must hold of an accepted input: it has one spelling.
namespace isobit::fuzz {
namespace {

using namespace isobit::evidence;

std::string_view textOf(std::span<const std::byte> input) {
    return {reinterpret_cast<const char*>(input.data()), input.size()};
}

void require(bool holds) {
    if (!holds) std::abort();
}

// A refusal is one sentence.
template <class T>
bool isRead(const Result<T>& result) {
    if (!result) require(!result.error().message.empty() && result.error().message.find('\n') == std::string::npos);
    return result.has_value();
}

void ej1(std::span<const std::byte> input) {
    const auto document = readEj1(textOf(input), "input");
    if (isRead(document)) require(writeEj1(*document) == textOf(input));
}

void manifest(std::span<const std::byte> input) {
    const auto manifest = readManifest(textOf(input), "input");
    if (!isRead(manifest)) return;
    require(writeManifest(*manifest) == textOf(input));
    require(changesBetween(*manifest, *manifest).empty());
    (void)isRead(planOf(manifest->predicate, "input"));
    Verification verification;
    verification.folder = "input";
    verification.manifest = *manifest;
    require(htmlReport(verification).find("<script") == std::string::npos);
    (void)markdownSummary(verification);
}

void review(std::span<const std::byte> input) {
    const auto review = readReview(textOf(input), "input");
    if (isRead(review)) require(writeReview(*review) == textOf(input));
}

void sshsig(std::span<const std::byte> input) {
    const auto signature = readSshSignature(textOf(input));
    if (!isRead(signature)) return;
    require(writeSshSignature(*signature) == textOf(input));
    (void)refusalOfSshSignature(*signature, "hello world");
}

void dsse(std::span<const std::byte> input) {
    const auto envelope = readDsse(textOf(input), "input");
    if (!isRead(envelope)) return;
    require(!refusalOfDsse(*envelope, kInTotoPayloadType, {std::string(32, '\x01')}, 1).empty());
    const auto again = readDsse(writeDsse(*envelope), "input");
    require(again.has_value() && again->payload == envelope->payload);
}

// The first byte says which of the policy's three files the rest is; the others are good ones.
void policy(std::span<const std::byte> input) {
    if (input.empty()) return;
    const std::string text(textOf(input.subspan(1)));
    if (text.starts_with("SSHKRL\n")) return;  // read by ssh-keygen, in its own process
    PolicyTexts texts{"input", "cat input",
                      "a namespaces=\"n\" ssh-ed25519 "
                      "AAAAC3NzaC1lZDI1NTE5AAAAINdamAGCsQq31Uv+08lkBzoO4XLz2qYjJa8CGmj3B1Ea\n",
                      "", ""};
    const int which = static_cast<int>(input[0]) % 3;
    (which == 0 ? texts.allowedSigners : which == 1 ? texts.revokedKeys : texts.thresholds) = text;
    const auto policy = Policy::read(std::move(texts));
    if (!isRead(policy)) return;
    require(!policy->signers().empty());
    for (const Signer& signer : policy->signers()) {
        require(!signer.namespaces.empty());
        (void)policy->authorise(signer.key, kResultNamespace, 0);
    }
}

void names(std::span<const std::byte> input) {
    const std::string_view text = textOf(input);
    if (const auto time = readUtcDigits(text)) require(isUtcText(utcText(*time)) && readUtcDigits(utcDigits(*time)));
    if (isDataName(text)) require(text.find("..") == std::string_view::npos && isSourcePath(text));
    (void)reviewerOfFileName(text);
}

// What the child does with a run file: the structural guard, the HDF5 library, the claims.
void runFile(std::span<const std::byte> input) { (void)isRead(claimsTextOf(textOf(input), "data/run.h5")); }

constexpr Target kTargets[] = {
    {"ej1", ej1},   {"manifest", manifest}, {"review", review}, {"sshsig", sshsig},
    {"dsse", dsse}, {"policy", policy},     {"names", names},   {"run_file", runFile},
};

}  // namespace

std::span<const Target> targets() { return kTargets; }

}  // namespace isobit::fuzz
