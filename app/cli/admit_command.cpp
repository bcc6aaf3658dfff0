// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "app/cli/commands.h"
#include "app/cli/stop_on_signal.h"
#include "core/base/atomic_file.h"
#ifdef ISOBIT_HAVE_CUDA
#include "kernels/admission.h"
#include "kernels/device.h"
#endif

namespace isobit::cli {
namespace {

struct AdmitArguments {
    std::vector<std::string> shapes;
    std::string out;
    int seeds = 3;
    bool json = false;
};

struct Shape3 {
    std::int64_t rows, columns, depth;
};

Result<Shape3> parseShape(const std::string& text) {
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
        const auto shape = parseShape(text);
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
Result<Json> admit(const std::vector<Shape3>&, int, std::stop_token, std::ostream*) {
    return failure("this build has no CUDA engine");
}
#endif

void runAdmit(const AdmitArguments& arguments, Invocation& invocation) {
    const auto shapes = parseShapes(arguments.shapes);
    if (!shapes) return invocation.cannotRun("admit gemm", shapes.error());
    const StopOnSignal signal;
    const auto table = admit(*shapes, arguments.seeds, signal.token(), arguments.json ? nullptr : &invocation.out);
    if (!table) return invocation.cannotRun("admit gemm", table.error());
    if (!arguments.out.empty())
        if (const auto written = writeTextAtomically(arguments.out, table->dump(1) + "\n"); !written)
            return invocation.cannotRun("admit gemm", written.error());
    if (arguments.json) invocation.print(*table);
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
        "  tried, admitted, default_us, fastest: {name, us, algorithm, rows_kept}}]}.");
    const auto arguments = std::make_shared<AdmitArguments>();
    gemm->add_option("--shape", arguments->shapes, "M,N,K; may be repeated")->required();
    gemm->add_option("--seeds", arguments->seeds, "sets of operands")->capture_default_str()->check(CLI::Range(1, 100));
    gemm->add_option("--out", arguments->out, "write the table to this file");
    gemm->add_flag("--json", arguments->json, "print one JSON document");
    gemm->callback([arguments, &invocation] { runAdmit(*arguments, invocation); });
}

}  // namespace isobit::cli
