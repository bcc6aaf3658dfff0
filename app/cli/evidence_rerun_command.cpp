// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ostream>

#include "app/cli/evidence_commands.h"
#include "app/cli/programs.h"
#include "evidence/manifest_diff.h"
#include "evidence/reviewing.h"
#include "evidence/signing.h"

namespace isobit::cli {
namespace {

using evidence::RerunReport;

struct RerunRequest {
    std::string folder;
    std::vector<std::string> cells;
    std::string engine = "reference";
    bool json = false;
    bool stream = false;
};

struct ReviewRequest : RerunRequest {
    evidence::ReviewOptions options;
    std::string verdict = "approve";
    std::vector<std::string> notes;
};

void addRerunOptions(CLI::App& command, RerunRequest& request) {
    command.add_option("DIR", request.folder, "the artifact")->required();
    command.add_option("--cells", request.cells, "all, random:N, none or ids (default: all)");
    command.add_option("--engine", request.engine, "reference (the CPU model, no GPU) or cuda");
    command.add_flag("--json", request.json, "print one JSON document");
    command.add_flag("--stream", request.stream, "print one JSON document a line: each cell when it is done, then the end");
}

void printLine(Invocation& invocation, const char* kind, Json value) {
    invocation.out << Json{{"kind", kind}, {kind, std::move(value)}}.dump() << std::endl;
}

Result<RerunReport> rerun(Invocation& invocation, const RerunRequest& request, const evidence::Manifest& manifest,
                          const evidence::Selection& selection) {
    const Result<const ProgramList*> programs = programsOf(request.engine);
    if (!programs) return failureOf(programs);
    evidence::RerunOptions options;
    options.engine = request.engine;
    options.cellDone = [&invocation, &request](const evidence::CellRerun& cell, std::size_t done, std::size_t all) {
        if (request.stream)
            printLine(invocation, "cell",
                      {{"id", cell.id}, {"outcome", cell.outcome}, {"detail", cell.detail}, {"done", done}, {"all", all}});
        if (invocation.progressBar)
            invocation.err << fmt::format("\r{} of {} cells  {:<24}", done, all, cell.id) << std::flush;
    };
    Result<RerunReport> report = rerunCells(manifest, selection.cellIds, **programs, options);
    if (invocation.progressBar) invocation.err << '\n';
    return report;
}

void printReport(std::ostream& out, const RerunReport& report, const evidence::Selection& selection) {
    for (const evidence::CellRerun& cell : report.cells)
        if (cell.outcome != "EQUAL") out << fmt::format("{:<15} {}: {}\n", cell.outcome, cell.id, cell.detail);
    out << fmt::format("{} of {} cells computed again on engine {}: {} equal, {} different, {} not comparable\n",
                       report.cells.size(), report.cellsTotal, report.engine, report.count("EQUAL"),
                       report.count("DIFFERENT"), report.count("NOT_COMPARABLE"));
    if (selection.method != "random" || report.cells.size() >= report.cellsTotal) return;
    out << fmt::format(
        "{} cells drawn at random show one forged cell with {:.0f} %, forgery of every tenth with {:.0f} %\n",
        report.cells.size(), 100 * evidence::detectionChance(report.cellsTotal, 1, report.cells.size()),
        100 * evidence::detectionChance(report.cellsTotal, (report.cellsTotal + 9) / 10, report.cells.size()));
}

Result<evidence::CellNote> readNote(const std::string& text) {
    const std::size_t equals = text.find('=');
    const std::size_t colon = std::min(text.find(':', equals == std::string::npos ? 0 : equals), text.size());
    if (equals == std::string::npos) return failure("\"{}\": expected CELL=accept|question|reject[:comment]", text);
    const std::string mark = text.substr(equals + 1, colon - equals - 1);
    evidence::CellNote note{text.substr(0, equals), "", colon < text.size() ? text.substr(colon + 1) : ""};
    if (mark == "accept") note.mark = "ACCEPT";
    if (mark == "question") note.mark = "QUESTION";
    if (mark == "reject") note.mark = "REJECT";
    if (note.mark.empty()) return failure("\"{}\": expected CELL=accept|question|reject[:comment]", text);
    return note;
}

Result<std::string> readVerdict(const std::string& word) {
    if (word == "approve" || word == "APPROVED") return std::string("APPROVED");
    if (word == "reject" || word == "REJECTED") return std::string("REJECTED");
    if (word == "comment" || word == "COMMENT") return std::string("COMMENT");
    return failure("verdict \"{}\" is none of approve, reject, comment", word);
}

Result<evidence::WrittenReview> review(Invocation& invocation, const evidence::VerifyOptions& policy,
                                       ReviewRequest& request) {
    evidence::ReviewOptions& options = request.options;
    const Result<std::string> verdict = readVerdict(request.verdict);
    if (!verdict) return failureOf(verdict);
    options.verdict = *verdict;
    for (const std::string& text : request.notes) {
        const Result<evidence::CellNote> note = readNote(text);
        if (!note) return failureOf(note);
        options.cellNotes.push_back(*note);
    }
    const Result<std::string> key =
        options.keyFile.empty() ? evidence::defaultSigningKey() : Result<std::string>(options.keyFile);
    if (!key) return failureOf(key);
    options.keyFile = *key;
    const auto session = evidence::VerifySession::open(request.folder, policy);
    if (!session) return failureOf(session);
    const auto verification = session->verify(request.folder);
    if (!verification) return failureOf(verification);
    printChecks(invocation.err, verification->checks);
    const bool wanted = request.cells != std::vector<std::string>{"none"};
    if (wanted && verification->manifest) {
        const auto selection = evidence::selectCells(request.cells, *verification->manifest);
        if (!selection) return failureOf(selection);
        options.selection = *selection;
        const Result<RerunReport> report = rerun(invocation, request, *verification->manifest, *selection);
        if (!report) return failureOf(report);
        printReport(invocation.err, *report, *selection);
        options.rerun = *report;
    }
    return reviewArtifact(*session, *verification, options);
}

}  // namespace

void addEvidenceRerun(CLI::App& parser, Invocation& invocation) {
    CLI::App* command =
        parser.add_subcommand("rerun", "compute cells of an artifact again and compare their words' digests");
    const auto request = std::make_shared<RerunRequest>();
    addRerunOptions(*command, *request);
    command->callback([&invocation, request] {
        const auto fail = [&](const Error& error) { invocation.cannotRun("evidence rerun", error); };
        const auto manifest = evidence::readManifestOf(request->folder);
        if (!manifest) return fail(manifest.error());
        const auto selection = evidence::selectCells(request->cells, *manifest);
        if (!selection) return fail(selection.error());
        const Result<RerunReport> report = rerun(invocation, *request, *manifest, *selection);
        if (!report) return fail(report.error());
        Json document = toJson(*report);
        document["selection"] = {{"method", selection->method}, {"nonce", selection->nonce}};
        if (request->stream) {
            printLine(invocation, "report", std::move(document));
        } else if (request->json) {
            invocation.print(document);
        } else {
            printReport(invocation.out, *report, *selection);
        }
        invocation.exitCode = report->count("EQUAL") == report->cells.size() ? ExitCode::Holds : ExitCode::Violated;
    });
}

void addEvidenceReview(CLI::App& parser, Invocation& invocation) {
    CLI::App* command = parser.add_subcommand("review", "verify, compute cells again, and counter-sign what was found");
    const auto request = std::make_shared<ReviewRequest>();
    addRerunOptions(*command, *request);
    const auto policy = addPolicyOptions(*command);
    command->add_option("--verdict", request->verdict,
                        "approve, reject or comment (default: approve, if everything holds)");
    command->add_option("--key", request->options.keyFile, "as for sign");
    command->add_option("--name", request->options.reviewer,
                        "in review.NAME.json (default: from the signer's principal)");
    command->add_option("--change", request->options.changeRef, "the pull request");
    command->add_option("--comment", request->options.comment, "one line");
    command->add_option("--note", request->notes, "CELL=accept|question|reject[:comment]")->allow_extra_args(false);
    command->callback([&invocation, request, policy] {
        const auto written = review(invocation, *policy, *request);
        if (!written) return invocation.cannotRun("evidence review", written.error());
        const Json document{{"file", written->path},
                            {"reviewer", written->principal},
                            {"verdict", written->review.predicate.verdict}};
        if (request->stream) return printLine(invocation, "review", document);
        if (request->json) return invocation.print(document);
        invocation.out << fmt::format("{}: {} by {}\n", written->path, written->review.predicate.verdict,
                                      written->principal);
    });
}

}  // namespace isobit::cli
