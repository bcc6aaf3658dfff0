// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/arithmetic/attention_arithmetic.h"
#include "core/base/result.h"
#include "core/programs/program.h"

namespace isobit {

/// One request computed in another way, against the same request alone and in one piece.
struct InvarianceVariant {
    std::string name;     ///< "in chunks of 64"
    bool promised = false;  ///< the arithmetic's words do not depend on what this changes
    std::uint64_t words = 0;
    std::uint64_t differing = 0;
    std::string problem;  ///< one sentence where it could not be run
    [[nodiscard]] bool holds() const { return differing == 0 && problem.empty(); }
};

struct ProgramInvariance {
    std::string program;
    AttentionDependence dependence = AttentionDependence::Nothing;
    std::vector<InvarianceVariant> variants;
    /// Everything that the arithmetic promises.
    [[nodiscard]] bool keepsItsPromise() const;
};

struct InvarianceOptions {
    std::string engine = "reference";
    std::int64_t length = 600;  ///< of the request; its neighbours are longer and shorter
    std::int64_t headDim = 128;
    std::int64_t queryHeads = 4;
    std::int64_t kvHeads = 1;
    std::uint64_t seed = 1;
    unsigned threads = 0;
    std::stop_token stop;
    std::function<void(const ProgramInvariance& finished)> progress;
};

/// The same request alone, in company, in chunks of 1 to 512, token by token, on pages of several sizes and behind a
/// prefix that another request shares, by every attention program of the list that goes in one piece.
[[nodiscard]] Result<std::vector<ProgramInvariance>> measureInvariance(const ProgramList& programs,
                                                                       const InvarianceOptions& options);

}  // namespace isobit
