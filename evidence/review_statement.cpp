// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "evidence/review_statement.h"

#include <algorithm>
#include <initializer_list>

namespace isobit::evidence {
namespace {

bool isOneOf(std::string_view text, std::initializer_list<std::string_view> allowed) {
    return std::find(allowed.begin(), allowed.end(), text) != allowed.end();
}

std::string problemOf(const Review& review) {
    const ReviewPredicate& p = review.predicate;
    if (review.type != kStatementType)
        return fmt::format("_type is \"{}\", expected \"{}\"", review.type, kStatementType);
    if (review.predicateType != kReviewPredicate)
        return fmt::format("predicateType is \"{}\", expected \"{}\"", review.predicateType, kReviewPredicate);
    if (p.schema != 1) return fmt::format("predicate.schema is {}, expected 1", p.schema);
    if (review.subject.size() != 2 || review.subject[0].name != kManifestName ||
        review.subject[1].name != kSignatureName)
        return "subject is not exactly manifest.json and manifest.json.author.sshsig";
    if (!isOneOf(p.verdict, {"APPROVED", "REJECTED", "COMMENT"}))
        return fmt::format("unknown verdict \"{}\"", p.verdict);
    if (!isOneOf(p.selection.method, {"all", "random", "named", "none"}))
        return fmt::format("unknown selection method \"{}\"", p.selection.method);
    if (p.selection.method == "random" ? !isHex(p.selection.nonce, 32) : !p.selection.nonce.empty())
        return "the nonce does not fit the selection method";
    for (const RerunRecord& cell : p.rerun)
        if (!isOneOf(cell.outcome, {"EQUAL", "DIFFERENT", "NOT_COMPARABLE"}))
            return fmt::format("unknown outcome \"{}\" of cell {}", cell.outcome, cell.cellId);
    for (const CellNote& note : p.cellNotes)
        if (!isOneOf(note.mark, {"ACCEPT", "QUESTION", "REJECT"}))
            return fmt::format("unknown mark \"{}\" of cell {}", note.mark, note.cellId);
    return {};
}

}  // namespace

Result<Review> readReview(std::string_view text, std::string_view name) {
    const Result<CanonicalJson> document = readEj1(text, name);
    if (!document) return failureOf(document);
    Result<Review> review = recordOf<Review>(*document, name);
    if (!review) return review;
    if (const std::string problem = problemOf(*review); !problem.empty()) return failure("{}: {}", name, problem);
    return review;
}

std::string writeReview(const Review& review) { return writeEj1(jsonOf(review)); }

std::string reviewerOfFileName(std::string_view name) {
    if (!name.starts_with("review.") || !name.ends_with(".json") || name.size() <= 12) return {};
    const std::string_view reviewer = name.substr(7, name.size() - 12);
    return isPlainComponent(reviewer) ? std::string(reviewer) : std::string();
}

}  // namespace isobit::evidence
