// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "app/cli/commands.h"
#include "app/cli/open_arguments.h"
#include "app/cli/stop_on_signal.h"
#include "core/golden/lora_fit.h"
#include "core/tensors/confinement.h"

namespace isobit::cli {
namespace {

struct LoraFitArguments {
    std::string base, adapter, merged;
    std::string weight, mergedWeight, a, b;
    double alpha = 0;
    unsigned threads = 0;
    bool all = false;
    bool json = false;
};

// As adapters are saved: the weight "x.weight" has the factors "base_model.model.x.lora_A.weight" and
// "...lora_B.weight".
std::string factorOf(const std::string& weight, char which) {
    const std::string_view ending = ".weight";
    const std::string stem = weight.ends_with(ending) ? weight.substr(0, weight.size() - ending.size()) : weight;
    return fmt::format("base_model.model.{}.lora_{}.weight", stem, which);
}

Result<Tensor> readCapturedTensor(const std::string& path, const std::string& name, const OpenArguments& open) {
    const auto file = openFile(path, open);
    if (!file) return failureOf(file);
    const auto index = file->find(name);
    if (!index)
        return failure("{}: has no tensor \"{}\" among its {}; isobit open lists them", printable(file->path()),
                       printable(name), file->tensors().size());
    const TensorInfo& info = file->tensors()[*index];
    Tensor tensor(info.dtype, info.shape);
    if (const auto read = file->read(*index, 0, tensor.bytes()); !read) return failureOf(read);
    return tensor;
}

Result<LoraFit> fitOf(const LoraFitArguments& arguments, const OpenArguments& open) {
    const auto orElse = [](const std::string& given, const std::string& otherwise) {
        return given.empty() ? otherwise : given;
    };
    const auto weight = readCapturedTensor(arguments.base, arguments.weight, open);
    if (!weight) return failureOf(weight);
    const auto a = readCapturedTensor(arguments.adapter, orElse(arguments.a, factorOf(arguments.weight, 'A')), open);
    if (!a) return failureOf(a);
    const auto b = readCapturedTensor(arguments.adapter, orElse(arguments.b, factorOf(arguments.weight, 'B')), open);
    if (!b) return failureOf(b);
    const auto merged = readCapturedTensor(arguments.merged, orElse(arguments.mergedWeight, arguments.weight), open);
    if (!merged) return failureOf(merged);
    const StopOnSignal signal;
    return fitLora({weight->view(), a->view(), b->view(), merged->view(), arguments.alpha},
                   {arguments.threads, signal.token()});
}

Json documentOf(const LoraFit& fit) {
    Json document{{"holds", fit.holds()},     {"rank", fit.rank},       {"elements", fit.elements},
                  {"expected", fit.expected}, {"fitted", fit.fitted},   {"scaling", fit.scaling},
                  {"updated", fit.updated},   {"unmoved", fit.unmoved}, {"unrestored", fit.unrestored},
                  {"folds", Json::array()}};
    for (const LoraFold& fold : fit.folds)
        document["folds"].push_back({{"product", fold.product},
                                     {"place", nameOfChoice(fold.place)},
                                     {"sum", nameOfChoice(fold.sum)},
                                     {"base_rounded", fold.baseRounded},
                                     {"scaling", fold.scaling},
                                     {"fits", fold.fits()},
                                     {"differing", fold.differing}});
    return document;
}

std::string foldText(const LoraFold& fold, std::uint64_t elements) {
    return fmt::format(
        "{:<21} {:<14} {:<13}{} c = {:<15} {}\n", fold.product, nameOfChoice(fold.place), nameOfChoice(fold.sum),
        fold.baseRounded ? " base rounded first," : "", fold.scaling,
        fold.fits() ? "fits: every word" : fmt::format("{} of {} words differ", fold.differing, elements));
}

void print(std::ostream& out, const LoraFit& fit, bool all) {
    constexpr std::size_t kShown = 8;
    out << fmt::format(
        "merged - weight = c B A: c is {:.6g} by least squares, alpha / r is {:.6g} (r = {})\nscaling: {}\n",
        fit.fitted, fit.expected, fit.rank, fit.scaling);
    out << fmt::format(
        "did not move: {} of {} weights with an update; the merge lost {:.3g}% of them (|delta| below half an ULP)\n",
        fit.unmoved, fit.updated,
        fit.updated == 0 ? 0.0 : 100.0 * static_cast<double>(fit.unmoved) / static_cast<double>(fit.updated));
    out << fmt::format("taking delta away again: {}\n",
                       fit.unrestored == 0
                           ? "restores every word"
                           : fmt::format("not restored, {} of {} elements", fit.unrestored, fit.elements));
    for (std::size_t i = 0; i < fit.folds.size() && (all || i < kShown); ++i) out << foldText(fit.folds[i], fit.elements);
    if (!all && fit.folds.size() > kShown)
        out << fmt::format("{} more folds; --all lists every one\n", fit.folds.size() - kShown);
}

void runLoraFit(const LoraFitArguments& arguments, const OpenArguments& open, Invocation& invocation) {
    const auto found = fitOf(arguments, open);
    if (!found) return invocation.cannotRun("lora fit", found.error());
    if (arguments.json)
        invocation.print(documentOf(*found));
    else
        print(invocation.out, *found, arguments.all);
    invocation.exitCode = found->holds() ? ExitCode::Holds : ExitCode::Violated;
}

}  // namespace

void addLoraCommand(CLI::App& parser, Invocation& invocation) {
    CLI::App* lora = parser.add_subcommand("lora", "LoRA: which fold and scaling a merged weight has");
    lora->require_subcommand(1);
    CLI::App* command =
        lora->add_subcommand("fit", "which fold and scaling reproduce a merged weight, and what of the update is lost");
    command->footer(
        "The files may be one. Exit 0: a fold scaled by alpha / r reproduces every word; 1: none does; 2: could not "
        "run.\n"
        "Keys of --json: {holds, rank, elements, expected, fitted, scaling, updated, unmoved, unrestored,\n"
        "  folds: [{product, place, sum, base_rounded, scaling, fits, differing}]}, nearest first.");
    const auto a = std::make_shared<LoraFitArguments>();
    command->add_option("BASE", a->base, "file with the weight before")->required();
    command->add_option("ADAPTER", a->adapter, "file with A [r, in] and B [out, r]")->required();
    command->add_option("MERGED", a->merged, "file with the weight after")->required();
    command->add_option("--weight", a->weight, "tensor [out, in], bf16 or FP32")->required();
    command->add_option("--alpha", a->alpha, "of the adapter's configuration; none is assumed")->required();
    command->add_option("--merged-weight", a->mergedWeight, "its name in MERGED; as --weight if not given");
    command->add_option("--a", a->a, "base_model.model.WEIGHT.lora_A.weight if not given");
    command->add_option("--b", a->b, "base_model.model.WEIGHT.lora_B.weight if not given");
    command->add_option("--threads", a->threads, "CPU threads, 0 for all");
    command->add_flag("--all", a->all, "list every fold that was tried");
    command->add_flag("--json", a->json, "print one JSON document");
    const auto open = addOpenArguments(*command);
    command->callback([a, open, &invocation] { runLoraFit(*a, *open, invocation); });
}

}  // namespace isobit::cli
