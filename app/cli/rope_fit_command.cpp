// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/rope_fit_command.h"

#include <algorithm>
#include <ostream>

#include "app/cli/open_arguments.h"
#include "app/cli/programs.h"
#include "app/cli/stop_on_signal.h"
#include "core/golden/rope_fit.h"
#include "core/tensors/confinement.h"

namespace isobit::cli {
namespace {

struct FitArguments {
    std::string path;
    std::string x = "x";
    std::string cosine = "cos";
    std::string sine = "sin";
    std::string out;
    std::string engine = "reference";
    unsigned threads = 0;
    bool json = false;
};

Result<Tensor> readTensor(const TensorFile& file, const std::string& name) {
    const auto index = file.find(name);
    if (!index)
        return failure("{}: has no tensor \"{}\" among its {}; isobit open lists them", printable(file.path()),
                       printable(name), file.tensors().size());
    const TensorInfo& info = file.tensors()[*index];
    Tensor tensor(info.dtype, info.shape);
    if (const auto read = file.read(*index, 0, tensor.bytes()); !read) return failureOf(read);
    return tensor;
}

Result<std::vector<RopeFit>> fitsOf(const FitArguments& arguments, const OpenArguments& open) {
    const auto file = openFile(arguments.path, open);
    if (!file) return failureOf(file);
    std::vector<Tensor> tensors;
    for (const std::string* name : {&arguments.x, &arguments.cosine, &arguments.sine, &arguments.out}) {
        auto tensor = readTensor(*file, *name);
        if (!tensor) return failureOf(tensor);
        tensors.push_back(std::move(*tensor));
    }
    const auto programs = programsOf(arguments.engine);
    if (!programs) return failureOf(programs);
    const StopOnSignal signal;
    auto fits = fitRope(**programs, tensors[0].view(), tensors[1].view(), tensors[2].view(), tensors[3].view(),
                        {arguments.threads, signal.token()});
    if (!fits) return failure("{}: {}", printable(arguments.path), fits.error().message);
    if (fits->empty()) return failure("engine \"{}\" has no program for rope", arguments.engine);
    if (!fits->front().refusal.empty()) return failure("{}: {}", printable(arguments.path), fits->front().refusal);
    return fits;
}

Json documentOf(const std::vector<RopeFit>& fits) {
    Json list = Json::array();
    for (const RopeFit& fit : fits)
        list.push_back({{"program", fit.program},
                        {"pairing", fit.pairing},
                        {"fits", fit.fits()},
                        {"differing", fit.refusal.empty() ? Json(fit.differing) : Json()},
                        {"refusal", fit.refusal}});
    return {{"fits", std::ranges::count_if(fits, &RopeFit::fits)}, {"programs", std::move(list)}};
}

void print(std::ostream& out, const std::vector<RopeFit>& fits) {
    for (const RopeFit& fit : fits)
        out << fmt::format("{:<48} {:<11} {}\n", fit.program, fit.pairing,
                           fit.fits()            ? "fits: every word"
                           : fit.refusal.empty() ? fmt::format("{} words differ", fit.differing)
                                                 : "refused: " + fit.refusal);
}

void runFit(const FitArguments& arguments, const OpenArguments& open, Invocation& invocation) {
    const auto fits = fitsOf(arguments, open);
    if (!fits) return invocation.cannotRun("rope fit", fits.error());
    if (arguments.json)
        invocation.print(documentOf(*fits));
    else
        print(invocation.out, *fits);
    invocation.exitCode = fits->front().fits() ? ExitCode::Holds : ExitCode::Violated;
}

}  // namespace

void addRopeFitCommand(CLI::App& rope, Invocation& invocation) {
    CLI::App* command = rope.add_subcommand("fit", "which arithmetic and pairing reproduce a captured rotation");
    command->footer(
        "FILE holds the heads before and after, and cos and sin of every token, halved or doubled.\n"
        "Exit 0: one reproduces every word; 1: none does; 2: could not run.\n"
        "Keys of --json: {fits, programs: [{program, pairing, fits, differing, refusal}]}, nearest first.");
    const auto a = std::make_shared<FitArguments>();
    command->add_option("FILE", a->path, "file of tensors")->required();
    command->add_option("--x", a->x, "tensor [T, heads, D] or [B, S, heads, D] before")->capture_default_str();
    command->add_option("--cos", a->cosine, "tensor [T, R / 2] or [T, R]")->capture_default_str();
    command->add_option("--sin", a->sine, "likewise")->capture_default_str();
    command->add_option("--out", a->out, "tensor after the rotation")->required();
    command->add_option("--engine", a->engine, "whose programs are tried")->capture_default_str();
    command->add_option("--threads", a->threads, "CPU threads, 0 for all");
    command->add_flag("--json", a->json, "print one JSON document");
    const auto open = addOpenArguments(*command);
    command->callback([a, open, &invocation] { runFit(*a, *open, invocation); });
}

}  // namespace isobit::cli
