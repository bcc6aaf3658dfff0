// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "evidence/manifest.h"
#include "evidence/utc.h"

namespace isobit::evidence {

/// What the product knows and a run file does not: the arithmetics as values, and the contract they belong to.
struct Knowledge {
    std::function<std::vector<NamedValue>(const std::string& arithmetic)> fieldsOf;
    std::function<std::string(const PlanRecord& plan)> contractOf;  ///< "none" if the plan belongs to none
};

struct SealOptions {
    std::vector<std::string> runs;         ///< run files; the first is the claim, the others further runs of its plan
    std::vector<std::string> attachments;  ///< files to put beside them, each with a plain name
    std::string qualification;             ///< a qualified document to put beside them as data/qualification.json; empty: none
    std::string out;                       ///< the artifact's folder; must not exist yet
    std::vector<std::string> bind;         ///< paths that the result stands for; empty: defaultBoundPaths
    std::vector<std::string> nonClaims;    ///< beside those that follow from the run
    std::string supersedes;                ///< SHA-256 of the manifest that this one replaces
    std::string runId;                     ///< 32 hexadecimal digits; empty: random
    std::optional<UtcSeconds> time;        ///< claimed time of the run unless the run tells; nothing: now
    Producer producer;
    Knowledge knowledge;
};

struct Sealed {
    std::string folder;
    std::string manifestSha256;
    Manifest manifest;
};

/// Makes an artifact from run files in a clean Git work tree (the one around `out`): copies the data, binds the
/// sources, writes manifest.json. Sealing one run twice gives the same bytes but for run_id and the claimed times. The
/// folder appears whole or not at all.
[[nodiscard]] Result<Sealed> sealArtifact(const SealOptions& options);

/// Where this project keeps what decides the bits of an operation, as far as it is in HEAD; in another project
/// everything at the top of HEAD but evidence/.
[[nodiscard]] std::vector<std::string> defaultBoundPaths(const std::vector<std::string>& topLevel,
                                                         const std::function<bool(const std::string&)>& isInHead,
                                                         const PlanRecord& plan);

/// 32 hexadecimal digits from the operating system.
[[nodiscard]] Result<std::string> randomToken();

}  // namespace isobit::evidence
