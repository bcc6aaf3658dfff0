// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/engagement/engagement.h"

namespace isobit {

// The byte contract of a pipeline, on its description. Source: engagement.md 7, "Pipeline byte contract".

/// One stage, in ascending order of stages.
struct PipelineStage {
    std::vector<std::int64_t> layers;   ///< global indices that it owns
    std::vector<std::int64_t> indices;  ///< the layers' own indices after pruning; empty: as `layers`
    bool input = false;                 ///< owns the embedding
    bool norm = false;                  ///< owns the final norm
    bool head = false;
    std::vector<std::int64_t> declared;  ///< first and last layer of the legal range that it declares; empty: none
};

/// Cumulative and maximal lengths of one side, q or k.
struct SequenceLengths {
    std::vector<std::int64_t> cumulative;
    std::string dtype;
    std::int64_t dimensions = 1;
    std::int64_t longest = 0;
};

/// What a marked stage is given beside hidden states. Absent members are what the contract refuses.
struct StageMetadata {
    std::int64_t localTokens = 0;
    std::optional<std::int64_t> positions;  ///< how many
    std::string positionDtype;
    std::optional<SequenceLengths> q;
    std::optional<SequenceLengths> k;
};

/// A tensor between two stages.
struct WireTensor {
    std::string name;
    std::string dtype;
    std::vector<std::int64_t> shape;
    std::int64_t declaredDimensions = 0;  ///< of a non-standard boundary state; 0: hidden states
    std::string declaredDtype;
    std::int64_t declaredTrailing = 0;
};

struct PipelineDescription {
    std::int64_t layers = 0;
    bool exact = false;  ///< a model of an exact family; a generic one is validated and not marked
    std::int64_t sequenceParallel = 1;
    std::vector<PipelineStage> stages;
    std::vector<std::vector<std::int64_t>> groups;  ///< layers of each active expert or head group
    std::optional<StageMetadata> metadata;
    std::vector<WireTensor> wire;
    double paddingTemperature = 1;
};

struct PipelineReport {
    Findings findings;
    std::vector<std::size_t> marked;  ///< stages; none where there is any finding, none of a generic model
};

/// Reads an "isobit.pipeline/1" description.
[[nodiscard]] Result<PipelineDescription> readPipeline(const Json& document, const std::string& name);

/// Checks all parts before any is marked.
[[nodiscard]] PipelineReport checkPipeline(const PipelineDescription& pipeline);

}  // namespace isobit
