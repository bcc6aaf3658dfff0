// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "evidence/report.h"

#include <openssl/evp.h>
#include <openssl/pem.h>

#include <map>
#include <memory>

#include "core/base/atomic_file.h"
#include "evidence/artifact_folder.h"
#include "evidence/dsse.h"
#include "evidence/test_key.h"

namespace isobit::evidence {
namespace {

struct Look {
    const char* glyph;
    const char* fill;
};

Look lookOf(const std::string& status) {
    if (status == "EQUAL") return {"=", "#d9e8f5"};
    if (status == "DIFFERENT") return {"\xe2\x89\xa0", "#f2b279"};  // not equal
    if (status == "ERROR") return {"!", "#cccccc"};
    return {"\xc2\xb7", "#ffffff"};  // a middle dot: not there
}

std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        switch (c) {
            case '<':
                result += "&lt;";
                break;
            case '>':
                result += "&gt;";
                break;
            case '&':
                result += "&amp;";
                break;
            case '"':
                result += "&quot;";
                break;
            default:
                result += c;
        }
    }
    return result;
}

// Text of an artifact between backquotes cannot end them, nor become a link or an image.
std::string code(std::string_view text) {
    std::string plain(text);
    for (char& c : plain)
        if (c == '`' || c == '|') c = '\'';
    return "`" + plain + "`";
}

std::string row(std::string_view name, std::string_view value) {
    return fmt::format("<tr><th>{}</th><td>{}</td></tr>\n", escaped(name), escaped(value));
}

std::string signerOf(const Verification& verification) {
    const std::string who = verification.author.empty() ? "an unknown key" : verification.author;
    return who + " " + fingerprintText(verification.fingerprint);
}

std::string verdictLine(const ResultPredicate& p) {
    return fmt::format("{}: {} of {} cells bit-equal, {} different, {} failed, {} missing", p.result,
                       p.sweep.cellsBitEqual, p.sweep.cellsExpected, p.sweep.cellsBitDifferent, p.sweep.cellsError,
                       p.sweep.cellsExpected - p.sweep.cellsPresent);
}

constexpr const char* kStyle =
    "body{font:15px sans-serif;max-width:70em;margin:2em auto;padding:0 1em;color:#111}"
    "table{border-collapse:collapse;margin:1em 0}th,td{border:1px solid #bbb;padding:.2em "
    ".5em;text-align:left;vertical-align:top}"
    "td,code,pre{font-family:monospace;font-size:13px;overflow-wrap:anywhere}h1{font-size:1.4em}h2{font-size:1.1em}";

std::string checksTable(const Verification& verification) {
    std::string html = "<h2>Checks</h2>\n<table><tr><th>check</th><th>outcome</th><th>found</th><th>repeat</th></tr>\n";
    for (const Check& check : verification.checks)
        html += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n", escaped(check.id),
                            nameOf(check.outcome), escaped(check.detail), escaped(check.command));
    return html + "</table>\n";
}

std::string cellsTable(const ResultPredicate& p) {
    std::string html =
        "<h2>Cells</h2>\n<table><tr><th>cell</th><th>status</th><th>output</th><th>different</th><th>first</th>"
        "<th>max ULP</th><th>trainer</th><th>sampler</th></tr>\n";
    for (const CellRecord& cell : p.cells) {
        if (cell.outputs.empty())
            html += fmt::format("<tr><td>{}</td><td>{}</td></tr>\n", escaped(cell.id), escaped(cell.status));
        for (const OutputRecord& output : cell.outputs)
            html += fmt::format(
                "<tr><td>{}</td><td>{}</td><td>{}</td><td>{} of "
                "{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                escaped(cell.id), escaped(cell.status), escaped(output.name), output.elementsDifferent, output.elements,
                escaped(output.firstDifferent), escaped(output.maxUlp), output.trainerSha256, output.samplerSha256);
    }
    return html + "</table>\n";
}

std::string howToVerify(const std::string& folder) {
    return fmt::format(
        "git show origin/main:evidence/policy/allowed_signers > signers\n"
        "resources/verify-evidence.sh {0} signers\nisobit evidence verify {0}\n"
        "isobit evidence rerun {0} --cells all\n",
        shellWord(folder));
}

}  // namespace

std::string gridSvg(const Manifest& manifest) {
    constexpr int size = 28;
    constexpr int margin = 90;
    const std::vector<AxisRecord>& axes = manifest.predicate.sweep.axes;
    if (axes.empty()) return {};
    std::map<std::string, std::string> statusOf;
    for (const CellRecord& cell : manifest.predicate.cells) statusOf[cell.id] = cell.status;
    const AxisRecord& columns = axes.back();
    std::vector<AxisRecord> rowAxes(axes.begin(), axes.end() - 1);
    if (rowAxes.empty()) rowAxes.push_back({"all", {1}});
    const auto lower = [](std::string name) {
        for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        return name;
    };
    // Rows in the order of the grid, outermost axis first.
    std::vector<std::string> rows(1);
    if (axes.size() > 1)
        for (const AxisRecord& axis : rowAxes) {
            std::vector<std::string> longer;
            for (const std::string& prefix : rows)
                for (const std::uint64_t value : axis.values)
                    longer.push_back(prefix + (prefix.empty() ? "" : "_") + lower(axis.name) + std::to_string(value));
            rows = longer;
        }
    const std::size_t width = margin + size * columns.values.size() + 10;
    const std::size_t height = size * (rows.size() + 1) + 10;
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
        "font-family=\"sans-serif\" font-size=\"11\" text-anchor=\"middle\">\n",
        width, height);
    for (std::size_t c = 0; c < columns.values.size(); ++c)
        svg += fmt::format("<text x=\"{}\" y=\"18\">{}{}</text>\n", margin + size * c + size / 2,
                           c == 0 ? escaped(columns.name) + "=" : "", columns.values[c]);
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const std::size_t y = size * (r + 1);
        svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n", margin - 6, y + 18,
                           escaped(rows[r]));
        for (std::size_t c = 0; c < columns.values.size(); ++c) {
            const std::string id =
                rows[r] + (rows[r].empty() ? "" : "_") + lower(columns.name) + std::to_string(columns.values[c]);
            const Look look = lookOf(statusOf[id]);
            const std::size_t x = margin + size * c;
            svg += fmt::format(
                "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\" stroke=\"#888\"><title>{}: "
                "{}</title></rect>"
                "<text x=\"{}\" y=\"{}\">{}</text>\n",
                x, y, size - 2, size - 2, look.fill, escaped(id), escaped(statusOf[id]), x + size / 2 - 1, y + 18,
                look.glyph);
        }
    }
    return svg + "</svg>\n";
}

std::string markdownSummary(const Verification& verification) {
    std::string text = fmt::format("## Evidence {}: {}\n\n", code(verification.folder), nameOf(verification.state));
    if (!verification.manifest) {
        for (const Check& check : verification.checks)
            if (check.outcome == Outcome::Fail) text += fmt::format("- {}: {}\n", check.id, code(check.detail));
        return text;
    }
    const ResultPredicate& p = verification.manifest->predicate;
    text += fmt::format("**{}**\n\n| | |\n|---|---|\n", verdictLine(p));
    const auto line = [&](std::string_view name, std::string_view value) {
        text += fmt::format("| {} | {} |\n", name, code(value));
    };
    line("claim", fmt::format("{}: {} against {}", p.plan.preset, p.plan.trainer.name, p.plan.sampler.name));
    line("engine", p.environment.engine + (p.environment.gpuName == "none" ? "" : ", " + p.environment.gpuName));
    line("batch invariance", p.sweep.batchInvariant);
    line("manifest sha256", verification.manifestSha256);
    line("signature sha256", verification.signatureSha256);
    line("signed by", signerOf(verification));
    for (const ReviewResult& review : verification.reviews)
        line("review", fmt::format("{} {} {} {}", review.reviewer, review.review ? review.review->predicate.verdict : "",
                                   nameOf(review.state), fingerprintText(review.fingerprint)));
    for (const Check& check : verification.checks)
        if (check.outcome == Outcome::Fail) line("fails: " + check.id, check.detail);
    text += "\nNot claimed:\n\n";
    for (const std::string& nonClaim : p.nonClaims) text += fmt::format("- {}\n", code(nonClaim));
    return text + "\nTo verify, from the root of the repository:\n\n```sh\n" + howToVerify(verification.folder) +
           "```\n";
}

std::string htmlReport(const Verification& verification) {
    const std::string title = fmt::format("Evidence {}: {}", verification.folder, nameOf(verification.state));
    std::string html = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title>\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        "<style>{1}</style></head><body>\n<h1>{0}</h1>\n",
        escaped(title), kStyle);
    if (isPublicTestKey(verification.fingerprint))
        html += fmt::format("<p><strong>Signed with a {}</strong></p>\n", testKeyNote(verification.fingerprint));
    if (verification.manifest) {
        const ResultPredicate& p = verification.manifest->predicate;
        html += fmt::format("<p><strong>{}</strong></p>\n{}<table>\n", escaped(verdictLine(p)),
                            gridSvg(*verification.manifest));
        html += row("claim", fmt::format("{}: {} against {}", p.plan.preset, p.plan.trainer.name, p.plan.sampler.name));
        html += row("engine", p.environment.engine) + row("GPU", p.environment.gpuName) +
                row("driver", p.environment.driver);
        html += row("batch invariance", p.sweep.batchInvariant) + row("dispatch rule", p.dispatch.rule);
        html += row("claimed times", p.claimedStartedUtc + " to " + p.claimedFinishedUtc);
        html +=
            row("manifest sha256", verification.manifestSha256) + row("signature sha256", verification.signatureSha256);
        html += row("signed by", signerOf(verification));
        for (const ReviewResult& review : verification.reviews)
            html += row("review", fmt::format("{} ({}): {}, {}", review.file, nameOf(review.state), review.detail,
                                              fingerprintText(review.fingerprint)));
        html += "</table>\n<h2>Not claimed</h2>\n<ul>\n";
        for (const std::string& nonClaim : p.nonClaims) html += fmt::format("<li>{}</li>\n", escaped(nonClaim));
        html += "</ul>\n";
    }
    html += checksTable(verification);
    if (verification.manifest) html += cellsTable(verification.manifest->predicate);
    return html + "<h2>To verify, from the root of the repository</h2>\n<pre>" +
           escaped(howToVerify(verification.folder)) + "</pre>\n</body></html>\n";
}

Result<std::string> dsseEnvelope(const std::string& folder, const std::string& pemFile) {
    const Result<ArtifactFolder> artifact = ArtifactFolder::open(folder);
    if (!artifact) return failureOf(artifact);
    const Result<std::string> manifest = artifact->read(kManifestName, kEj1LimitBytes);
    if (!manifest) return failure("{}: {}", folder, manifest.error().message);
    if (const Result<Manifest> read = readManifest(*manifest, folder); !read) return failureOf(read);
    const Result<std::string> pem = readTextFile(pemFile, 65536);
    if (!pem) return failureOf(pem);
    const std::unique_ptr<BIO, decltype(&BIO_free)> source(BIO_new_mem_buf(pem->data(), static_cast<int>(pem->size())),
                                                           BIO_free);
    char noPassphrase[] = "";  // as its own user data it is the passphrase, so that OpenSSL never asks on the terminal
    const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(
        PEM_read_bio_PrivateKey(source.get(), nullptr, nullptr, noPassphrase), EVP_PKEY_free);
    if (key == nullptr || EVP_PKEY_get_id(key.get()) != EVP_PKEY_ED25519)
        return failure("{}: is not an Ed25519 private key in PEM without a passphrase", pemFile);
    const std::string type(kInTotoPayloadType);
    const std::string encoded = dssePreAuthenticationEncoding(type, *manifest);
    std::string signature(64, '\0');
    std::size_t length = signature.size();
    const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
    if (EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key.get()) != 1 ||
        EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(signature.data()), &length,
                       reinterpret_cast<const unsigned char*>(encoded.data()), encoded.size()) != 1)
        return failure("{}: OpenSSL does not sign with it", pemFile);
    return writeDsse({type, *manifest, {{"", signature}}});
}

}  // namespace isobit::evidence
