// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <regex>
#include <string>

#include "core/capture/replay.h"
#include "core/capture/routing.h"
#include "core/capture/walk.h"

namespace isobit {

struct WalkTextOptions {
    bool allTensors = false;         ///< a line for every tensor; else about a screen, equal ones summed up
    std::optional<std::regex> only;  ///< a line for every tensor whose name it finds, and no other
    std::string order;               ///< what the words of the first divergence say of their order, see reordering.h
};

/// The walk for people, one screen: what blocks it, the verdict, the first divergence with its words, role, what to capture
/// next, log-probabilities, checks, then the tensors. Names are escaped, so that a file cannot steer a terminal.
[[nodiscard]] std::string textOf(const CaptureWalk& walk, const std::optional<Replay>& replay,
                                 const WalkTextOptions& options = {});

/// The routers for people, one line for all layers together and one for the first that chose other experts.
[[nodiscard]] std::string textOf(const RoutingReport& report);

/// The replay for people.
[[nodiscard]] std::string textOf(const Replay& replay);

}  // namespace isobit
