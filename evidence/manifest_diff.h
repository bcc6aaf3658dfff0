// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "evidence/manifest.h"

namespace isobit::evidence {

/// One field that two manifests do not share.
struct ManifestChange {
    std::string place;   ///< "predicate.cells[h2048_m1].status"
    std::string before;  ///< empty: only the newer one has it
    std::string after;   ///< empty: only the older one has it
};

/// Every field that differs, in the order of the canonical form. Elements of lists are matched by their id, name or
/// path, so that one more cell is one change.
[[nodiscard]] std::vector<ManifestChange> changesBetween(const Manifest& before, const Manifest& after);

/// The manifest of an artifact's folder, read as strictly as for a verification, but not authenticated.
[[nodiscard]] Result<Manifest> readManifestOf(const std::string& folder);

/// The folder of the artifact that this one supersedes, looked for in the folders beside it. An Error if it names none, or
/// the one that it names is not there.
[[nodiscard]] Result<std::string> supersededFolder(const std::string& folder, const Manifest& manifest);

}  // namespace isobit::evidence
