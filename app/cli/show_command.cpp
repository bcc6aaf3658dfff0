// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ostream>

#include "app/cli/commands.h"
#include "core/sweep/cell_times.h"
#include "core/sweep/json_form.h"
#include "core/sweep/run_file.h"
#include "core/sweep/run_text.h"
#include "core/sweep/times_text.h"

namespace isobit::cli {
namespace {

constexpr const char* kShowFooter =
    "Keys of --json: those of `isobit sweep --json` without seconds, and plan; with --cell the cell alone. Of --times:\n"
    "  provenance, series, cells: [{id, one key an axis, median_us: {one key a series}}].\n"
    "Exit codes: 0 every cell (or this one) is equal and batch-invariant, 1 not, 2 the file could not be read, or has no\n"
    "times to show. Times take no part in the verdict.";

struct ShowArguments {
    std::string file;
    std::string cell;
    bool times = false;
    bool json = false;
    bool markdown = false;
};

bool holds(const CellResult& cell) {
    const auto fine = [](const BatchInvariance& side) { return !side.checked || side.holds; };
    return cell.status == CellStatus::Equal && fine(cell.trainerInvariance) && fine(cell.samplerInvariance);
}

void showCell(const ShowArguments& arguments, const Run& run, Invocation& invocation) {
    const Result<const CellResult*> cell = cellById(run, arguments.cell);
    if (!cell) return invocation.cannotRun("show", {fmt::format("{}: {}", arguments.file, cell.error().message)});
    invocation.exitCode = holds(**cell) ? ExitCode::Holds : ExitCode::Violated;
    if (arguments.json) return invocation.print(toJson(run.plan, **cell));
    invocation.out << (arguments.markdown ? markdownOf(run, **cell) : textOf(run, **cell));
}

bool allHold(const Run& run) { return std::ranges::all_of(run.cells, [](const CellResult& cell) { return holds(cell); }); }

void showTimes(const ShowArguments& arguments, const Run& run, Invocation& invocation) {
    if (seriesNames(run).empty())
        return invocation.cannotRun(
            "show", Error{fmt::format("{}: no times; `isobit sweep --time` keeps them in the file", arguments.file)});
    invocation.exitCode = allHold(run) ? ExitCode::Holds : ExitCode::Violated;
    if (arguments.json) return invocation.print(timesJson(run));
    invocation.out << (arguments.markdown ? timesMarkdown(run) : timesText(run));
}

void showRun(const ShowArguments& arguments, const RunFile& file, Invocation& invocation) {
    invocation.exitCode = allHold(file.run) ? ExitCode::Holds : ExitCode::Violated;
    if (arguments.json) {
        Json document = toJson(file.run);
        document["run_file"] = arguments.file;
        document["run_sha256"] = file.sha256;
        document["plan"] = toJson(file.run.plan);
        return invocation.print(document);
    }
    invocation.out << (arguments.markdown ? markdownOf(file.run) : textOf(file.run));
    invocation.out << (arguments.markdown ? fmt::format("\n`{}` sha256 `{}`\n", arguments.file, file.sha256)
                                          : fmt::format("{}  sha256 {}\n", arguments.file, file.sha256));
}

void runShowCommand(const ShowArguments& arguments, Invocation& invocation) {
    const Result<RunFile> file = readRunFile(arguments.file);
    if (!file) return invocation.cannotRun("show", file.error());
    if (arguments.times) return showTimes(arguments, file->run, invocation);
    if (arguments.cell.empty()) return showRun(arguments, *file, invocation);
    showCell(arguments, file->run, invocation);
}

}  // namespace

void addShowCommand(CLI::App& parser, Invocation& invocation) {
    CLI::App* command = parser.add_subcommand("show", "what a run file says: the grid, its edges, or one cell in full");
    command->footer(kShowFooter);
    const auto arguments = std::make_shared<ShowArguments>();
    command->add_option("run", arguments->file, "a run file of `isobit sweep`")->required();
    const auto cell = command->add_option("--cell", arguments->cell, "one cell, by its id: h2048_m1");
    command->add_flag("--times", arguments->times, "median time of a call, by series, of every cell that was timed")
        ->excludes(cell);
    const auto json = command->add_flag("--json", arguments->json, "print one JSON document");
    command->add_flag("--markdown", arguments->markdown, "print Markdown")->excludes(json);
    command->callback([arguments, &invocation] { runShowCommand(*arguments, invocation); });
}

}  // namespace isobit::cli
