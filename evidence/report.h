// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/base/result.h"
#include "evidence/verification.h"

namespace isobit::evidence {

/// The grid as SVG: one square a cell with its glyph, so that nothing depends on colour; the last axis runs to the
/// right.
[[nodiscard]] std::string gridSvg(const Manifest& manifest);

/// A summary for a pull request: state, verdict, non-claims, digests, how to verify. GitHub's Markdown.
[[nodiscard]] std::string markdownSummary(const Verification& verification);

/// The same with the grid and every cell, one HTML file with nothing to fetch and no script.
[[nodiscard]] std::string htmlReport(const Verification& verification);

/// A DSSE envelope of the manifest, signed with an Ed25519 private key in a PEM file (PKCS 8, no passphrase).
[[nodiscard]] Result<std::string> dsseEnvelope(const std::string& folder, const std::string& pemFile);

}  // namespace isobit::evidence
