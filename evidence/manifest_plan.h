// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "evidence/fields.h"

// The part of a manifest that says what was claimed to be equal to what: enough to compute every cell again.

namespace isobit::evidence {

struct NamedValue {
    std::string name;
    std::string value;
};
template <class V>
void visitFields(NamedValue& r, V&& visit) {
    visit("name", r.name, rule::notEmpty);
    visit("value", r.value);
}

/// An arithmetic as a value: every field that can change an output bit.
struct ArithmeticRecord {
    std::string name;
    std::vector<NamedValue> fields;
};
template <class V>
void visitFields(ArithmeticRecord& r, V&& visit) {
    visit("name", r.name, rule::notEmpty);
    visit("fields", r.fields);
}

struct ProgramRecord {
    std::string name;
    std::string engine;
    std::uint64_t version = 0;
    bool rowsAlone = false;
    ArithmeticRecord arithmetic;
};
template <class V>
void visitFields(ProgramRecord& r, V&& visit) {
    visit("name", r.name, rule::notEmpty);
    visit("engine", r.engine, rule::notEmpty);
    visit("version", r.version);
    visit("rows_alone", r.rowsAlone);
    visit("arithmetic", r.arithmetic);
}

/// How one input of every cell is made; the shape names axes.
struct InputRule {
    std::string name;
    std::string generator;
    std::vector<std::string> shape;
    std::uint64_t exponentLo = 0;
    std::uint64_t exponentHi = 0;
    std::string modulus;
    std::string seedOffset;
};
template <class V>
void visitFields(InputRule& r, V&& visit) {
    visit("name", r.name, rule::notEmpty);
    visit("generator", r.generator, rule::notEmpty);
    visit("shape", r.shape, rule::notEmpty);
    visit("exponent_lo", r.exponentLo);
    visit("exponent_hi", r.exponentHi);
    visit("modulus", r.modulus, rule::decimal);
    visit("seed_offset", r.seedOffset, rule::decimal);
}

/// What was claimed to be equal to what, and everything a stranger needs to compute it again.
struct PlanRecord {
    std::string preset;
    std::string contract;  ///< the contract that the trainer's arithmetic belongs to, or "none"
    std::string operation;
    std::string pairing;
    ProgramRecord trainer;
    ProgramRecord sampler;
    std::string rowAxis;
    std::vector<InputRule> inputs;
    std::vector<NamedValue> parameters;  ///< sorted by name
    std::string seedBase;
    std::string seedStep;
    std::string silicon;
    std::string siliconSha256;
};
template <class V>
void visitFields(PlanRecord& r, V&& visit) {
    visit("preset", r.preset, rule::notEmpty);
    visit("contract", r.contract, rule::notEmpty);
    visit("operation", r.operation, rule::notEmpty);
    visit("pairing", r.pairing, rule::notEmpty);
    visit("trainer", r.trainer);
    visit("sampler", r.sampler);
    visit("row_axis", r.rowAxis);
    visit("inputs", r.inputs);
    visit("parameters", r.parameters);
    visit("seed_base", r.seedBase, rule::decimal);
    visit("seed_step", r.seedStep, rule::decimal);
    visit("silicon", r.silicon, rule::notEmpty);
    visit("silicon_sha256", r.siliconSha256, rule::sha256OrEmpty);
}

/// The rule that picks a realisation, which never changes a bit.
struct DispatchRecord {
    std::string rule;
    std::string recordSha256;
};
template <class V>
void visitFields(DispatchRecord& r, V&& visit) {
    visit("rule", r.rule, rule::notEmpty);
    visit("record_sha256", r.recordSha256, rule::sha256OrNone);
}

}  // namespace isobit::evidence
