// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "app/cli/commands.h"
#include "app/cli/stop_on_signal.h"
#include "core/base/atomic_file.h"
#include "core/contracts/gemm_admission.h"
#ifdef ISOBIT_HAVE_CUDA
#include "kernels/admission.h"
#include "kernels/device.h"
#endif

namespace isobit::cli {
namespace {

struct AdmitArguments {
    std::vector<std::string> shapes;
    std::string out;
    std::string table;
    int seeds = 3;
    bool readmit = false;
    bool json = false;
};

struct Shape3 {
    std::int64_t rows, columns, depth;
};

Result<Shape3> parseProblem(const std::string& text) {
    Shape3 shape{};
    int used = 0;
    const int read = std::sscanf(text.c_str(), "%ld,%ld,%ld%n", &shape.rows, &shape.columns, &shape.depth, &used);
    constexpr std::int64_t most = 1 << 20;
    const auto fits = [](std::int64_t size) { return size >= 1 && size <= most; };
    if (read != 3 || static_cast<std::size_t>(used) != text.size() || !fits(shape.rows) || !fits(shape.columns) ||
        !fits(shape.depth))
        return failure("--shape {}: expected M,N,K, each from 1 to {}", text, most);
    return shape;
}

Result<std::vector<Shape3>> parseShapes(const std::vector<std::string>& texts) {
    std::vector<Shape3> shapes;
    for (const std::string& text : texts) {
        const auto shape = parseProblem(text);
        if (!shape) return failureOf(shape);
        shapes.push_back(*shape);
    }
    return shapes;
}

#ifdef ISOBIT_HAVE_CUDA
void print(std::ostream& out, const cuda::AdmissionReport& report) {
    std::size_t admitted = 0;
    for (const auto& candidate : report.candidates) admitted += candidate.refusal.empty() ? 1 : 0;
    const auto& best = report.candidates[report.fastest];
    out << fmt::format("M {} N {} K {}: {} of {} admitted; fastest {:.2f} us {}; the library's default {:.2f} us\n",
                       report.rows, report.columns, report.depth, admitted, report.candidates.size(), best.medianUs,
                       best.name == "cublasLt" ? textOf(best.algorithm) : "own kernel " + best.name, report.defaultUs);
    for (const auto& candidate : report.candidates)
        if (candidate.name != "cublasLt")
            out << fmt::format("    {:<8} {:>9.2f} us  {}\n", candidate.name, candidate.medianUs, candidate.refusal);
    const auto first = std::find_if(report.candidates.begin(), report.candidates.end(),
                                    [](const auto& candidate) { return candidate.name == "cublasLt"; });
    if (first != report.candidates.end() && !first->refusal.empty())
        out << fmt::format("    default refused: {}\n", first->refusal);
}

// The sentence that says why a table does not fit this machine; empty if it does.
Result<std::string> problemOf(const GemmAdmissionTable& table) {
    const auto device = cuda::discoverDevice();
    if (!device) return failureOf(device);
    const auto library = cuda::CublasLt::open();
    if (!library) return failureOf(library);
    const auto fits = requireSameMachine(table, device->name, (*library)->version());
    return fits ? std::string() : fits.error().message;
}

Result<Json> admit(const std::vector<Shape3>& shapes, int seeds, std::stop_token stop, std::ostream* out) {
    const auto device = cuda::discoverDevice();
    if (!device) return failureOf(device);
    const auto library = cuda::CublasLt::open();
    if (!library) return failureOf(library);
    Json table{{"format", "isobit.gemm-admission/1"},
               {"gpu", device->name},
               {"driver", device->driver},
               {"library", {{"name", "cublasLt"}, {"version", (*library)->version()}}},
               {"entries", Json::array()}};
    cuda::AdmissionOptions options;
    options.seeds = seeds;
    options.stop = stop;
    for (const Shape3& shape : shapes) {
        const auto report = cuda::admitGemmShape(*library, shape.rows, shape.columns, shape.depth, options);
        if (!report) return failureOf(report);
        table["entries"].push_back(cuda::entryOf(*report));
        if (out != nullptr) print(*out, *report), out->flush();
    }
    return table;
}
#else
Result<std::string> problemOf(const GemmAdmissionTable&) { return failure("this build has no CUDA engine"); }
Result<Json> admit(const std::vector<Shape3>&, int, std::stop_token, std::ostream*) {
    return failure("this build has no CUDA engine");
}
#endif

void admitShapes(const AdmitArguments& arguments, const std::vector<Shape3>& shapes, Invocation& invocation) {
    const StopOnSignal signal;
    const auto table = admit(shapes, arguments.seeds, signal.token(), arguments.json ? nullptr : &invocation.out);
    if (!table) return invocation.cannotRun("admit gemm", table.error());
    if (!arguments.out.empty())
        if (const auto written = writeTextAtomically(arguments.out, table->dump(1) + "\n"); !written)
            return invocation.cannotRun("admit gemm", written.error());
    if (arguments.json) invocation.print(*table);
}

// A table that fits is left alone; one that does not is refused, or its shapes are admitted again.
void checkTable(const AdmitArguments& arguments, Invocation& invocation) {
    const auto table = readGemmAdmission(arguments.table);
    if (!table) return invocation.cannotRun("admit gemm", table.error());
    const auto problem = problemOf(*table);
    if (!problem) return invocation.cannotRun("admit gemm", problem.error());
    if (!problem->empty() && arguments.readmit) {
        std::vector<Shape3> shapes;
        for (const AdmittedGemm& entry : table->entries) shapes.push_back({entry.rows, entry.columns, entry.depth});
        return admitShapes(arguments, shapes, invocation);
    }
    if (arguments.json)
        invocation.print({{"table", arguments.table}, {"fits", problem->empty()}, {"problem", *problem}});
    else if (problem->empty())
        invocation.out << fmt::format("{} fits this machine: {} shapes\n", arguments.table, table->entries.size());
    else
        invocation.out << *problem << "\n";
    invocation.exitCode = problem->empty() ? ExitCode::Holds : ExitCode::Violated;
}

void runAdmit(const AdmitArguments& arguments, Invocation& invocation) {
    if (arguments.shapes.empty() == arguments.table.empty())
        return invocation.cannotRun("admit gemm", Error{"expected either --shape or --table"});
    if (arguments.readmit && (arguments.table.empty() || arguments.out.empty()))
        return invocation.cannotRun("admit gemm", Error{"--readmit needs --table, and --out for the new one"});
    if (!arguments.table.empty()) return checkTable(arguments, invocation);
    const auto shapes = parseShapes(arguments.shapes);
    if (!shapes) return invocation.cannotRun("admit gemm", shapes.error());
    admitShapes(arguments, *shapes, invocation);
}

}  // namespace

void addAdmitCommand(CLI::App& parser, Invocation& invocation) {
    CLI::App* admit = parser.add_subcommand("admit", "find library algorithms whose words are the contract's");
    admit->require_subcommand(1);
    CLI::App* gemm = admit->add_subcommand("gemm", "cuBLASLt algorithms and own kernels at given shapes, on the GPU");
    gemm->footer(
        "An algorithm is admitted if its words are the contract's on every seed, through bf16 and FP32 output, and in\n"
        "batches of 1, 2, 8, 17, 64, 255, 256, 300, 1024 and 4096 rows where it runs. The fastest becomes the table's "
        "entry.\n"
        "Keys of --json and of the table: {format, gpu, driver, library: {name, version}, entries: [{M, N, K, "
        "words_sha256,\n"
        "  tried, admitted, default_us, fastest: {name, us, algorithm, rows_kept}}]}. Of --table: {table, fits, "
        "problem}.\n"
        "Exit code 0: admitted, or the table fits; 1: it does not fit; 2: could not run.");
    const auto arguments = std::make_shared<AdmitArguments>();
    gemm->add_option("--shape", arguments->shapes, "M,N,K; may be repeated");
    gemm->add_option("--table", arguments->table, "whether this table fits chip and library: exit code 0 if it does");
    gemm->add_flag("--readmit", arguments->readmit, "admit the shapes of a table that does not fit again, into --out");
    gemm->add_option("--seeds", arguments->seeds, "sets of operands")->capture_default_str()->check(CLI::Range(1, 100));
    gemm->add_option("--out", arguments->out, "write the table to this file");
    gemm->add_flag("--json", arguments->json, "print one JSON document");
    gemm->callback([arguments, &invocation] { runAdmit(*arguments, invocation); });
}

}  // namespace isobit::cli
