// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QTest>
#include <set>

#include "core/base/atomic_file.h"
#include "core/base/json.h"
#include "core/engagement/engagement.h"

/// The receipts of tests/data/engagement, which the shipped emitter wrote.
inline isobit::Json receiptDocument(const std::string& name) {
    const std::string path = std::string(ISOBIT_SOURCE_DIR) + "/tests/data/engagement/" + name;
    const auto text = isobit::readTextFile(path);
    return text ? isobit::parseJsonStrictly(*text, path).value() : isobit::Json();
}

inline isobit::Receipt receiptOf(const std::string& name) {
    return isobit::readReceipt(receiptDocument(name), name).value();
}

/// The contract of that name, to be changed.
inline isobit::ContractReceipt& contractOf(isobit::Receipt& receipt, std::string_view name) {
    for (isobit::ContractReceipt& contract : receipt.contracts)
        if (contract.name == name) return contract;
    qFatal("no such contract");
    return receipt.contracts.front();
}

/// The rules that a pair breaks, sorted and joined by spaces, each once.
inline std::string rulesOf(const isobit::Findings& findings) {
    std::set<std::string> rules;
    for (const isobit::Finding& finding : findings) rules.insert(finding.rule);
    std::string text;
    for (const std::string& rule : rules) text += (text.empty() ? "" : " ") + rule;
    return text;
}

inline std::string brokenRules(const isobit::Receipt& trainer, const isobit::Receipt& sampler) {
    return rulesOf(isobit::checkEngagement(trainer, sampler).value().findings);
}
