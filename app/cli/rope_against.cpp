// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/rope_against.h"

#include <ostream>

#include "core/tensors/confinement.h"

namespace isobit::cli {
namespace {

Result<TableReport> reportOf(const AgainstArguments& arguments, const OpenArguments& open, const RopeTableRecipe& recipe) {
    const auto file = openFile(arguments.path, open);
    if (!file) return failureOf(file);
    const auto index = file->find(arguments.cosine);
    if (!index)
        return failure("{}: has no tensor \"{}\" among its {}; isobit open lists them", printable(file->path()),
                       printable(arguments.cosine), file->tensors().size());
    const TensorInfo& info = file->tensors()[*index];
    Tensor cosine(info.dtype, info.shape);
    if (const auto read = file->read(*index, 0, cosine.bytes()); !read) return failureOf(read);
    auto report = fitRopeTable(recipe, cosine.view(), arguments.first);
    if (!report) return failure("{}: {}", printable(file->path()), report.error().message);
    return report;
}

Json documentOf(const TableReport& report) {
    Json fits = Json::array();
    for (const TableFit& fit : report.fits)
        fits.push_back({{"how", fit.how},
                        {"fits", fit.fits()},
                        {"differing", fit.differing},
                        {"max_ulp", fit.maxUlp},
                        {"first_position", fit.firstPosition ? Json(*fit.firstPosition) : Json()}});
    return {{"as_built", report.asBuilt()},
            {"repeated_rows", report.repeatedRows},
            {"first_repeated", report.firstRepeated ? Json(*report.firstRepeated) : Json()},
            {"fits", std::move(fits)}};
}

void print(std::ostream& out, const TableReport& report) {
    for (const TableFit& fit : report.fits)
        out << fmt::format("{:<50} {}\n", fit.how,
                           fit.fits() ? "fits: every word"
                                      : fmt::format("{} words differ by up to {} ULP, from position {} on", fit.differing,
                                                     fit.maxUlp, *fit.firstPosition));
    if (report.firstRepeated)
        out << fmt::format("rows {} and {} of the cos table are bit-identical; {} rows repeat the one before\n",
                           *report.firstRepeated - 1, *report.firstRepeated, report.repeatedRows);
}

}  // namespace

void addAgainstOptions(CLI::App& table, AgainstArguments& arguments) {
    table.add_option("--against", arguments.path, "file with a captured table: how was it made?");
    table.add_option("--cos", arguments.cosine, "its tensor [T, R / 2] or [T, R], FP32 or bf16")->capture_default_str();
    table.add_option("--first", arguments.first, "position of its first row")->capture_default_str();
}

void runAgainst(const AgainstArguments& arguments, const OpenArguments& open, const RopeTableRecipe& recipe, bool json,
                Invocation& invocation) {
    const auto report = reportOf(arguments, open, recipe);
    if (!report) return invocation.cannotRun("rope table", report.error());
    if (json)
        invocation.print(documentOf(*report));
    else
        print(invocation.out, *report);
    invocation.exitCode = report->asBuilt() ? ExitCode::Holds : ExitCode::Violated;
}

}  // namespace isobit::cli
