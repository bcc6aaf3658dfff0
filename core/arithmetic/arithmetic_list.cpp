// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/arithmetic/arithmetic_list.h"

#include <fmt/format.h>

#include "core/arithmetic/attention_arithmetic.h"
#include "core/arithmetic/gemm_arithmetic.h"
#include "core/arithmetic/head_arithmetic.h"
#include "core/arithmetic/log_softmax.h"
#include "core/arithmetic/lora_fold.h"
#include "core/arithmetic/mean.h"
#include "core/arithmetic/norm_arithmetic.h"
#include "core/arithmetic/rope.h"
#include "core/arithmetic/router.h"
#include "core/arithmetic/silu_mul.h"

namespace isobit {
namespace {

template <class Field>
std::string textOfField(const Field& field) {
    if constexpr (std::is_enum_v<Field>)
        return std::string(nameOfChoice(field));
    else
        return fmt::format("{}", field);
}

template <class Arithmetic>
ArithmeticEntry entryOf(std::string_view operation, std::string_view name, std::string_view summary,
                        const Arithmetic& arithmetic) {
    ArithmeticEntry entry{name, operation, summary, {}};
    visitFields(arithmetic, [&](std::string_view field, const auto& value) {
        entry.fields.emplace_back(field, textOfField(value));
    });
    return entry;
}

template <class Named>
void addAll(std::string_view operation, const std::vector<Named>& named, std::vector<ArithmeticEntry>& list) {
    for (const Named& one : named) list.push_back(entryOf(operation, one.name, one.summary, one.arithmetic));
}

std::vector<ArithmeticEntry> makeList() {
    std::vector<ArithmeticEntry> list;
    addAll("rms_norm", namedNorms(), list);
    list.push_back(entryOf("mean", "mean.v1", "batch-invariant mean over the last dimension", meanV1()));
    addAll("gemm", namedGemms(), list);
    addAll("lm_head", namedHeads(), list);
    list.push_back(entryOf("log_softmax", "log_softmax.v1", "batch-invariant log-softmax over the last dimension",
                           logSoftmaxV1()));
    addAll("silu_mul", namedSiluMuls(), list);
    addAll("router", namedRouters(), list);
    addAll("rope", namedRopes(), list);
    addAll("lora_fold", namedLoraFolds(), list);
    addAll("attention", namedAttentions(), list);
    return list;
}

}  // namespace

const std::vector<ArithmeticEntry>& arithmeticList() {
    static const std::vector<ArithmeticEntry> list = makeList();
    return list;
}

}  // namespace isobit
