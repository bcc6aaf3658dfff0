// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "evidence/dsse.h"

#include <set>

#include "core/base/json.h"
#include "evidence/base64.h"
#include "evidence/ed25519.h"

namespace isobit::evidence {
namespace {

Result<std::string> base64Member(const Json& object, const char* key, std::string_view name) {
    if (!object.is_object() || !object.contains(key) || !object[key].is_string())
        return failure("{}: has no text \"{}\"", name, key);
    const Result<std::string> bytes = fromBase64(object[key].get_ref<const std::string&>());
    if (!bytes) return failure("{}: \"{}\" is {}", name, key, bytes.error().message);
    return bytes;
}

}  // namespace

std::string dssePreAuthenticationEncoding(std::string_view payloadType, std::string_view payload) {
    return fmt::format("DSSEv1 {} {} {} {}", payloadType.size(), payloadType, payload.size(), payload);
}

std::string writeDsse(const DsseEnvelope& envelope) {
    Json document;
    document["payloadType"] = envelope.payloadType;
    document["payload"] = toBase64(envelope.payload);
    document["signatures"] = Json::array();
    for (const DsseSignature& signature : envelope.signatures)
        document["signatures"].push_back({{"keyid", signature.keyId}, {"sig", toBase64(signature.signature)}});
    return document.dump(2) + "\n";
}

Result<DsseEnvelope> readDsse(std::string_view text, std::string_view name) {
    const Result<Json> document = parseJsonStrictly(text, name);
    if (!document) return failureOf(document);
    const Result<std::string> payload = base64Member(*document, "payload", name);
    if (!payload) return failureOf(payload);
    if (!document->contains("payloadType") || !(*document)["payloadType"].is_string())
        return failure("{}: has no text \"payloadType\"", name);
    if (!document->contains("signatures") || !(*document)["signatures"].is_array())
        return failure("{}: has no list \"signatures\"", name);
    DsseEnvelope envelope{(*document)["payloadType"], *payload, {}};
    for (const Json& entry : (*document)["signatures"]) {
        const Result<std::string> signature = base64Member(entry, "sig", name);
        if (!signature) return failureOf(signature);
        const bool named = entry.contains("keyid") && entry["keyid"].is_string();
        envelope.signatures.push_back({named ? entry["keyid"].get<std::string>() : "", *signature});
    }
    return envelope;
}

std::string refusalOfDsse(const DsseEnvelope& envelope, std::string_view payloadType,
                          const std::vector<std::string>& keys, std::size_t threshold) {
    if (payloadType.empty() || envelope.payloadType != payloadType)
        return fmt::format("a payload of type \"{}\", expected \"{}\"", envelope.payloadType, payloadType);
    const std::string encoded = dssePreAuthenticationEncoding(envelope.payloadType, envelope.payload);
    std::set<std::string> signers;
    for (const DsseSignature& signature : envelope.signatures)
        for (const std::string& key : keys)
            if (refusalOfEd25519Signature(key, signature.signature, encoded).empty()) signers.insert(key);
    if (threshold == 0 || signers.size() < threshold)
        return fmt::format("{} of {} wanted keys signed it", signers.size(), threshold);
    return {};
}

}  // namespace isobit::evidence
