// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"

namespace isobit {

// Where a server may read and write what it was told by a message, and which names it may use. Source: confinement.md.

using EnvironmentVariables = std::map<std::string, std::string>;

/// What the path is for: a load must exist; a save may name new folders, and never the root itself.
enum class PathUse { Load, Save };

/// The absolute path of `candidate` below `root`: relative to it, or absolute and written through its resolved spelling.
/// Every component that exists is opened relative to the one before without following a link; "..", an empty candidate and
/// whatever leads out are refused, naming both. The root's own links are followed. A check and a later open are two steps:
/// whoever reads should open below the root instead (openBelow).
[[nodiscard]] Result<std::string> resolveBelow(const std::string& root, const std::string& candidate, PathUse use);

/// The artifact root: one that the server's life cycle gives is authoritative; else XORL_SERVER_ARTIFACT_ROOT, trimmed; else
/// `checkpoints` below the working directory. No other variable is looked at, and none adds a search path.
[[nodiscard]] std::string artifactRoot(const std::string& explicitRoot, const EnvironmentVariables& environment,
                                       const std::string& workingDirectory);

/// An adapter's folder: the id is an identifier; without a path it is ROOT/ID. A save lies below `adapterRoot`; a load may
/// also lie below its parent folder or below `artifactRoot`.
struct AdapterRequest {
    std::string id;
    std::string path;  ///< empty: the default
    std::string adapterRoot;
    std::string artifactRoot;  ///< empty: none
    PathUse use = PathUse::Load;
};
[[nodiscard]] Result<std::string> adapterFolder(const AdapterRequest& request);

/// A model id of the HTTP layer: an identifier without a dot; "" is "default". An Error is the answer 400.
[[nodiscard]] Result<std::string> modelId(std::string_view text);

/// Plain JSON values of at most 32 levels, at most 100,000 items a container, no key that begins with two underscores.
[[nodiscard]] Result<void> checkConfigTree(const Json& value, std::string_view name);

}  // namespace isobit
