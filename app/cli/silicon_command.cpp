// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <ostream>
#include <span>

#include "app/cli/commands.h"
#include "core/base/atomic_file.h"
#include "core/silicon/silicon_table.h"
#ifdef ISOBIT_HAVE_CUDA
#include "kernels/silicon_verification.h"
#endif

namespace isobit::cli {
namespace {

#ifndef ISOBIT_HAVE_CUDA
const Error kNoGpu{"this isobit was built without a CUDA toolkit, so it cannot reach a GPU"};
#endif

struct SiliconOptions {
    bool json = false;
    std::string out;
    std::string report;
    std::string table;
};

// The table to work with: a file, or the one in the program.
Result<SiliconTable> chosenTable(const std::string& path) {
    if (path.empty()) return embeddedSm90Table();
    const Result<std::string> text = readTextFile(path, 1u << 20);
    if (!text) return failureOf(text);
    return parseSiliconTable(std::as_bytes(std::span(*text)), path);
}

void show(Invocation& invocation, const SiliconOptions& options) {
    const Result<SiliconTable> table = chosenTable(options.table);
    if (!table) return invocation.cannotRun("silicon show", table.error());
    Json document = table->header;
    document["table_sha256"] = table->fileSha256;
    if (options.json) return invocation.print(document);
    invocation.out << fmt::format("sm_90   table sha256 {}\n", table->fileSha256);
    invocation.out << fmt::format("        measured on {}, driver {}, {}\n        sources sha256 {}\n",
                                  table->provenance.gpu, table->provenance.driver, table->provenance.toolkit,
                                  table->provenance.sourceSha256);
    for (const Json& entry : document["tables"])
        invocation.out << fmt::format("        {:<7} {:>4} integers  sha256 {}\n", entry["name"].get<std::string>(),
                                      entry["integers"].get<int>(), entry["sha256"].get<std::string>());
    invocation.out << "        functions:";
    for (const Json& function : document["functions"]) invocation.out << ' ' << function.get<std::string>();
    invocation.out << "\n        tensor-core steps: bf16 and fp16 (16 products), TF32 (8)\n"
                      "ieee    every function correctly rounded; a step is a chain of fused multiply-adds\n";
}

#ifdef ISOBIT_HAVE_CUDA
cuda::CheckProgress printer(Invocation& invocation) {
    return [&invocation](const cuda::SiliconCheck& check) {
        invocation.err << fmt::format("{:<36} {:>12} inputs  {} mismatches{}{}\n", check.name, check.inputs,
                                      check.mismatches, check.first.empty() ? "" : "  ", check.first);
        invocation.err.flush();
    };
}

void capture(Invocation& invocation, const SiliconOptions& options) {
    const Result<std::vector<std::byte>> file = cuda::captureSilicon(printer(invocation));
    if (!file) return invocation.cannotRun("silicon capture", file.error());
    const std::string_view text(reinterpret_cast<const char*>(file->data()), file->size());
    if (const Result<void> written = writeTextAtomically(options.out, text); !written)
        return invocation.cannotRun("silicon capture", written.error());
    invocation.out << fmt::format("{}: {} bytes\n", options.out, file->size());
}

void verify(Invocation& invocation, const SiliconOptions& options) {
    const Result<SiliconTable> table = chosenTable(options.table);
    if (!table) return invocation.cannotRun("silicon verify", table.error());
    const Result<cuda::SiliconReport> report = cuda::verifySilicon(*table, printer(invocation));
    if (!report) return invocation.cannotRun("silicon verify", report.error());
    const Json document = report->toJson();
    if (!options.report.empty())
        if (const Result<void> written = writeTextAtomically(options.report, document.dump(1) + "\n"); !written)
            return invocation.cannotRun("silicon verify", written.error());
    if (options.json)
        invocation.print(document);
    else
        invocation.out << fmt::format("{} checks, {} mismatches\n", report->checks.size(), report->mismatches());
    invocation.exitCode = report->mismatches() == 0 ? ExitCode::Holds : ExitCode::Violated;
}
#else
void capture(Invocation& invocation, const SiliconOptions&) { invocation.cannotRun("silicon capture", kNoGpu); }
void verify(Invocation& invocation, const SiliconOptions&) { invocation.cannotRun("silicon verify", kNoGpu); }
#endif

}  // namespace

void addSiliconCommand(CLI::App& parser, Invocation& invocation) {
    CLI::App* silicon = parser.add_subcommand("silicon", "what a chip computes: show, capture and verify its tables");
    silicon->require_subcommand(1);
    const auto options = std::make_shared<SiliconOptions>();

    CLI::App* showCommand = silicon->add_subcommand("show", "functions, digests and provenance of the sm_90 table");
    showCommand->add_flag("--json", options->json, "print one JSON document");
    showCommand->add_option("--table", options->table, "a table file instead of the one in this program");
    showCommand->callback([&invocation, options] { show(invocation, *options); });

    CLI::App* captureCommand =
        silicon->add_subcommand("capture", "measure sm_90 on this GPU, prove it, write the table");
    captureCommand->add_option("--out", options->out, "the table file to write")->required();
    captureCommand->callback([&invocation, options] { capture(invocation, *options); });

    CLI::App* verifyCommand = silicon->add_subcommand(
        "verify", "compare model and GPU on all 2^32 inputs and 2^30 tensor-core steps a class");
    verifyCommand->add_flag("--json", options->json, "print one JSON document");
    verifyCommand->add_option("--report", options->report, "also write the counts to this file");
    verifyCommand->add_option("--table", options->table, "a table file instead of the one in this program");
    verifyCommand->callback([&invocation, options] { verify(invocation, *options); });
}

}  // namespace isobit::cli
