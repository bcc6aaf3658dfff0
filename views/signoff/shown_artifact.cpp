// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/signoff/shown_artifact.h"

#include "evidence/rerun.h"

namespace isobit::views {

namespace {

bool isListOfObjects(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_array() &&
           std::all_of(found->begin(), found->end(), [](const Json& entry) { return entry.is_object(); });
}

}  // namespace

QString textIn(const Json& object, const char* key) {
    const auto found = object.is_object() ? object.find(key) : object.end();
    return found != object.end() && found->is_string() ? QString::fromStdString(found->get<std::string>()) : QString();
}

int numberIn(const Json& object, const char* key) {
    const auto found = object.is_object() ? object.find(key) : object.end();
    return found != object.end() && found->is_number_integer() ? found->get<int>() : 0;
}

Result<ShownVerification> verificationFromJson(const Json& json) {
    if (!json.is_object() || textIn(json, "state").isEmpty() || !isListOfObjects(json, "checks") ||
        !isListOfObjects(json, "reviews"))
        return failure("the verification cannot be read: expected state, checks and reviews");
    ShownVerification shown{textIn(json, "state"),  textIn(json, "folder"),      textIn(json, "manifest_sha256"),
                            textIn(json, "author"), textIn(json, "fingerprint"), {}, {}};
    for (const Json& check : json["checks"])
        shown.checks.push_back({textIn(check, "id"), textIn(check, "outcome"), textIn(check, "detail"), textIn(check, "command")});
    for (const Json& review : json["reviews"])
        shown.reviews.push_back({textIn(review, "file"), textIn(review, "reviewer"), textIn(review, "fingerprint"),
                                 textIn(review, "state"), textIn(review, "verdict"), textIn(review, "detail")});
    return shown;
}

Result<std::vector<ShownChange>> changesFromJson(const Json& json) {
    if (!json.is_object() || !isListOfObjects(json, "changes")) return failure("the changes cannot be read");
    std::vector<ShownChange> changes;
    for (const Json& change : json["changes"])
        changes.push_back({textIn(change, "place"), textIn(change, "before"), textIn(change, "after")});
    return changes;
}

QString stateText(const QString& state) {
    if (state == QLatin1String("VERIFIED")) return QStringLiteral("✓  VERIFIED");
    if (state == QLatin1String("VERIFIED-STALE")) return QStringLiteral("!  VERIFIED-STALE");
    return QStringLiteral("✗  ") + state;
}

QString stateMeaning(const QString& state) {
    static const QMap<QString, QString> meanings{
        {"VERIFIED", "Every byte is what was signed, by a key that may sign it, for the sources of this checkout."},
        {"VERIFIED-STALE", "Authentic, but the sources that it stands for have changed since."},
        {"EXPIRED", "Signed by a key outside its time."},
        {"UNKNOWN-KEY", "Signed by a key that the policy does not let sign in this role."},
        {"REVOKED", "Signed by a key that was revoked: it needs a new review."},
        {"UNSIGNED", "NOT VERIFIED: a signature is missing, nobody vouches for this."},
        {"MALFORMED", "NOT VERIFIED: something is not in its one accepted form."},
        {"TAMPERED", "NOT VERIFIED: these are not the bytes that were signed."},
    };
    return meanings.value(state);
}

QString detectionText(std::uint64_t total, std::uint64_t drawn) {
    if (total == 0 || drawn == 0) return {};
    if (drawn >= total) return QStringLiteral("All %1 cells: a forged cell cannot stay hidden.").arg(total);
    const auto percent = [&](std::uint64_t forged) {
        return QString::number(100 * evidence::detectionChance(total, forged, drawn), 'f', 0);
    };
    return QStringLiteral("%1 of %2 cells drawn at random show one forged cell with %3 %, forgery of every tenth with %4 %. "
                          "They cannot show that no single cell is forged.")
        .arg(drawn).arg(total).arg(percent(1), percent((total + 9) / 10));
}

}  // namespace isobit::views
