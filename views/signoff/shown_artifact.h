// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMap>
#include <QString>
#include <QStringList>
#include <memory>
#include <vector>

#include "core/base/json.h"
#include "evidence/manifest.h"

namespace isobit::views {

/// One check of a verification, as `isobit evidence verify --json` says it.
struct ShownCheck {
    QString id;
    QString outcome;  ///< "PASS", "FAIL", "SKIPPED"
    QString detail;
    QString command;  ///< repeats the check without Isobit, from the repository's root
};

struct ShownReview {
    QString file;
    QString reviewer;
    QString fingerprint;
    QString state;
    QString verdict;
    QString detail;
};

/// What a verification found.
struct ShownVerification {
    QString state;  ///< "VERIFIED" and the other states; empty before the first verification
    QString folder;
    QString manifestSha256;
    QString author;
    QString fingerprint;
    std::vector<ShownCheck> checks;
    std::vector<ShownReview> reviews;
};

/// A text or a number of an object; empty or 0 if it is not there or something else.
[[nodiscard]] QString textIn(const Json& object, const char* key);
[[nodiscard]] int numberIn(const Json& object, const char* key);

/// What the child printed for one artifact; an Error if it is not that.
[[nodiscard]] Result<ShownVerification> verificationFromJson(const Json& json);

/// One field that an artifact and the one before it do not share.
struct ShownChange {
    QString place;  ///< "predicate.cells[h2048_m1].status"
    QString before;
    QString after;
};

/// An artifact as the window holds it. The manifest is authentic only if the state says so.
struct ShownArtifact {
    ShownVerification verification;
    std::shared_ptr<const evidence::Manifest> manifest;  ///< nullptr if it cannot be read
    std::vector<ShownChange> changes;  ///< since the artifact that it supersedes
    QString changesProblem;            ///< why they are not known; empty if they are, or if it supersedes nothing
};

/// The changes in what `isobit evidence diff --json` printed.
[[nodiscard]] Result<std::vector<ShownChange>> changesFromJson(const Json& json);

/// What the reviewer says of a cell.
struct CellOpinion {
    QString mark;  ///< "accept", "question", "reject"; empty: none yet
    QString comment;
};

/// Outcome of computing a cell again: "EQUAL", "DIFFERENT", "NOT_COMPARABLE".
struct CellAgain {
    QString outcome;
    QString detail;
};

/// "✓  VERIFIED", "!  VERIFIED-STALE", "✗  TAMPERED": never a colour alone.
[[nodiscard]] QString stateText(const QString& state);
/// One sentence that says what a state means for a reader.
[[nodiscard]] QString stateMeaning(const QString& state);
/// What `drawn` of `total` cells, drawn after the author signed, can and cannot show.
[[nodiscard]] QString detectionText(std::uint64_t total, std::uint64_t drawn);

}  // namespace isobit::views
