// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/arithmetic/rope_table.h"
#include "core/base/json.h"
#include "core/numeric/dtype.h"

namespace isobit {

/// One cast that a table, or the frequencies it was made of, went through.
struct RopeTableCast {
    std::string by;    ///< the unit or action: "layers.2", "model.to(bfloat16)"
    std::string what;  ///< "cos, sin" or "inv_freq"
    DType from = DType::Fp32;
    DType to = DType::Fp32;
    friend bool operator==(const RopeTableCast&, const RopeTableCast&) = default;
};

/// How a table came to be and what happened to it since: what a receipt needs beside a count of calls. Source: rope.md
/// 7.
struct RopeTableProvenance {
    std::string type;     ///< "default"
    std::string builder;  ///< "host_libm"
    std::string library;  ///< "glibc 2.36"
    std::string device;   ///< where cos and sin were evaluated: "cpu", "cuda"
    double theta = 0;
    std::int64_t rotarySize = 0;
    std::int64_t length = 0;
    double scale = 1.0;
    std::string layout;  ///< "halved"
    std::string sha256;  ///< of the FP32 words as they were built
    std::vector<RopeTableCast> transport;
    friend bool operator==(const RopeTableProvenance&, const RopeTableProvenance&) = default;
};

[[nodiscard]] RopeTableProvenance provenanceOf(const RopeTable& table);
[[nodiscard]] Json toJson(const RopeTableProvenance& provenance);

/// A table as it stands before a Class-B apply.
struct ArrivedRopeTable {
    DType cosine = DType::Fp32;
    DType sine = DType::Fp32;
    std::string sha256;  ///< of its words as they arrived
    RopeTableProvenance provenance;
};

/// The check at the apply boundary, before counting, layout or launch: both types FP32, no cast on the way that rounds
/// (widening back to FP32 restores nothing), the words those that were built, and a builder that is named. One sentence
/// says which of these failed.
[[nodiscard]] Result<void> checkClassBTable(const ArrivedRopeTable& table);

}  // namespace isobit
