// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <ostream>

#include "app/cli/capture_comparison.h"
#include "app/cli/commands.h"
#include "app/cli/open_arguments.h"
#include "core/compare/comparison_json.h"
#include "core/compare/comparison_text.h"
#include "core/compare/self_test.h"
#include "core/sweep/run_comparison.h"
#include "core/sweep/run_file.h"
#include "core/tensors/formats.h"

namespace isobit::cli {
namespace {

constexpr const char* kCompareFooter =
    "The verdict is equality of the stored words: +0 and -0 differ, equal NaN words do not. Nothing is tolerated.\n"
    "Two raw arrays:\n"
    "  isobit compare trainer.bin sampler.bin --dtype bfloat16 --shape 64,3840\n"
    "Two captures (safetensors, npz, torch archives, HDF5, folders), tensor by tensor in execution order:\n"
    "  isobit compare trainer.safetensors sampler.safetensors\n"
    "  marks: = equal, # culprit (inputs equal, output differs), ~ inherited, ? cannot say, - missing, ! not comparable\n"
    "  Checks come first: other token ids, positions or weights block every number; other types, engines, backends or\n"
    "  sampling parameters label it. Metadata is of the file, or of a JSON object beside it (NAME.json).\n"
    "  Tensors pair by name, alias, as slice of a fused projection, or by place; --save-pairing writes how, --pairing\n"
    "  reads it back after editing. Pieces of several steps are lined up by token position.\n"
    "Two run files, cell by cell by the digests of their words:\n"
    "  isobit compare first.h5 second.h5\n"
    "Keys of --json for arrays: verdict (equal, different), dtype, elements, different, max_ulp (of the pairs\n"
    "  without a NaN); first, largest: null or {index, trainer, sampler (words, hexadecimal), trainer_value,\n"
    "  sampler_value (decimal text), ulp (null: NaN), absolute}; ulp_histogram: [{bin, count}] with bins equal,\n"
    "  sign_of_zero, 1, 2, 3-4, 5-16, 17-256, 257-65536, 65537-, sign_or_class; flips_per_bit: lowest bit first;\n"
    "  classes: {sign_of_zero, nan_payload, infinity_or_nan, subnormal, ordinary}; sampler_above, sampler_below:\n"
    "  pairs by magnitude; bias; precision: a sentence, or \"\"; listed: the first differences; trainer_sha256, sampler_sha256: null without\n"
    "  --sha256; shape; not_compared: sentences.\n"
    "For captures: verdict (also not_comparable), labels, tensors_total, tensors_different, first_divergence: null or\n"
    "  {tensor, different, elements, max_ulp, first_index, first, shape, role, operation, why, capture_next, owned},\n"
    "  k3, first_divergent_token, replay, routing (experts chosen), graph, order, uncovered, checks: [{name, result, effect, found}], notes,\n"
    "  tensors: [{name, match, status, different, elements, max_ulp}] with how, aligned, reason, operation, role, why.\n"
    "For run files: verdict (also incomplete), same_plan, cells_total, cells_equal, cells_different,\n"
    "  cells_only_first, cells_only_second, cells_no_words, cells: [{id, match, differing, different_first,\n"
    "  different_second}].\n"
    "With --self-test: passed, cases: [{name, passed, expected_different, different, max_ulp, worst_bin,\n"
    "  tolerance_says_equal, sum_says_equal, row_hash_says_equal}].\n"
    "Exit codes: 0 all words are equal, 1 not all are, 2 it could not be compared.";

struct CompareArguments {
    std::string trainer;
    std::string sampler;
    std::string dtype;
    std::string shape;
    std::uint64_t offset = 0;
    std::optional<std::uint64_t> samplerOffset;
    std::size_t list = 0;
    std::string as;
    std::string inputRoot;
    std::string linkRoot;
    std::string order;
    std::string only;
    std::shared_ptr<PairingArguments> pairing;
    bool allTensors = false;
    unsigned threads = 0;
    bool sha256 = false;
    bool selfTest = false;
    bool json = false;
};

Result<RawLayout> layoutOf(const CompareArguments& arguments) {
    if (arguments.dtype.empty()) return failure("a raw array needs --dtype, such as bfloat16");
    RawLayout layout;
    const auto dtype = dtypeByName(arguments.dtype);
    if (!dtype)
        return failure(
            "--dtype '{}': expected bfloat16, float16, float8_e4m3fn, float8_e5m2, float32, float64, "
            "int8 to int64, uint8 to uint64 or bool",
            arguments.dtype);
    layout.dtype = *dtype;
    layout.offset = arguments.offset;
    if (arguments.shape.empty()) return layout;
    const auto shape = parseShape(arguments.shape);
    if (!shape) return failureOf(shape);
    layout.shape = *shape;
    return layout;
}

// One raw file, mapped.
struct Side {
    TensorFile file;
    TensorView words;
};

Result<Side> openSide(const std::string& path, const RawLayout& layout) {
    OpenOptions options;
    options.raw = layout;
    auto file = openTensorFile(path, options);
    if (!file) return failureOf(file);
    auto words = file->view(0);
    if (!words) return failureOf(words);
    std::error_code problem;
    const std::uint64_t size = std::filesystem::file_size(path, problem);
    if (!problem && layout.shape.empty() && (size - layout.offset) % bytesOf(layout.dtype) != 0)
        return failure("{}: {} bytes from offset {} on, expected a whole number of {} words", path,
                       size - layout.offset, layout.offset, nameOf(layout.dtype));
    if (words->elements() == 0) return failure("{}: no elements, so there is nothing to compare", path);
    return Side{std::move(*file), std::move(*words)};
}

struct Sides {
    Side trainer;
    Side sampler;
};

Result<Sides> openSides(const CompareArguments& arguments) {
    auto layout = layoutOf(arguments);
    if (!layout) return failureOf(layout);
    auto trainer = openSide(arguments.trainer, *layout);
    if (!trainer) return failureOf(trainer);
    layout->offset = arguments.samplerOffset.value_or(arguments.offset);
    auto sampler = openSide(arguments.sampler, *layout);
    if (!sampler) return failureOf(sampler);
    if (trainer->words.elements() != sampler->words.elements())
        return failure("{} holds {} elements and {} holds {}; --shape says how many to compare", arguments.trainer,
                       trainer->words.elements(), arguments.sampler, sampler->words.elements());
    return Sides{std::move(*trainer), std::move(*sampler)};
}

// Draws the share that is done, on a terminal only.
std::function<void(std::uint64_t)> progressOn(Invocation& invocation, std::uint64_t elements) {
    if (!invocation.progressBar) return {};
    const auto shown = std::make_shared<std::atomic<std::uint64_t>>(0);
    return [&invocation, shown, elements](std::uint64_t done) {
        const std::uint64_t percent = done / std::max<std::uint64_t>(1, elements / 100);
        std::uint64_t before = shown->load();
        if (percent > before && percent < 100 && shown->compare_exchange_strong(before, percent))
            invocation.err << fmt::format("\r{:>3}%", percent) << std::flush;
        if (done == elements) invocation.err << "\r    \r" << std::flush;
    };
}

Result<Comparison> compareSides(Invocation& invocation, const CompareArguments& arguments, const Sides& sides) {
    CompareOptions options;
    options.digests = arguments.sha256;
    options.threads = arguments.threads;
    options.listLimit = std::max<std::size_t>(arguments.list, options.listLimit);
    options.progress = progressOn(invocation, static_cast<std::uint64_t>(sides.trainer.words.elements()));
    const TensorView& trainer = sides.trainer.words;
    Comparison comparison = compareWords(trainer.dtype, trainer.bytes(), sides.sampler.words.bytes(), options);
    for (const Side* side : {&sides.trainer, &sides.sampler})
        if (auto intact = side->file.intact(0); !intact) return failureOf(intact);
    return comparison;
}

std::vector<std::string> notCompared(const CompareArguments& arguments, const Sides& sides) {
    std::vector<std::string> sentences;
    for (const std::string& ignored : sides.trainer.file.ignored())
        sentences.push_back(arguments.trainer + ": " + ignored);
    for (const std::string& ignored : sides.sampler.file.ignored())
        sentences.push_back(arguments.sampler + ": " + ignored);
    return sentences;
}

void printComparison(Invocation& invocation, const CompareArguments& arguments, const Sides& sides,
                     Comparison comparison) {
    const Shape& shape = sides.trainer.words.shape;
    const std::vector<std::string> left = notCompared(arguments, sides);
    if (arguments.json) {
        Json document = toJson(comparison);
        document["shape"] = shape;
        document["not_compared"] = left;
        return invocation.print(document);
    }
    invocation.out << textOf(comparison, shape);
    for (const std::string& sentence : left) invocation.out << fmt::format("not compared {}\n", sentence);
    comparison.listed.resize(std::min(arguments.list, comparison.listed.size()));
    invocation.out << listText(comparison, shape);
}

// Run files are told by their content; whatever is not a regular file is left to the reader's own sentence.
bool isHdf5(const std::string& path) {
    std::error_code problem;
    if (!std::filesystem::is_regular_file(path, problem)) return false;
    std::array<char, 8> head{};
    std::ifstream(path, std::ios::binary).read(head.data(), head.size());
    return std::string_view(head.data(), head.size()) == "\x89HDF\r\n\x1A\n";
}

template <class ReadRun>
void compareRunFiles(Invocation& invocation, const CompareArguments& arguments, const ReadRun& first,
                     const ReadRun& second) {
    if (!first) return invocation.cannotRun("compare", first.error());
    if (!second) return invocation.cannotRun("compare", second.error());
    const RunComparison comparison = compareRuns(first->run, second->run);
    if (comparison.cells.empty())
        return invocation.cannotRun("compare", {"neither run holds a cell, so there is nothing to compare"});
    if (arguments.json)
        invocation.print(toJson(comparison));
    else
        invocation.out << textOf(comparison);
    invocation.exitCode = comparison.equal() ? ExitCode::Holds : ExitCode::Violated;
}

// Runs or captures, told apart by content: an HDF5 file is a run unless it opens as tensors only.
void compareFiles(Invocation& invocation, const CompareArguments& arguments) {
    if (isHdf5(arguments.trainer) && isHdf5(arguments.sampler)) {
        const auto first = readRunFile(arguments.trainer);
        const auto second = readRunFile(arguments.sampler);
        if (first || second) return compareRunFiles(invocation, arguments, first, second);
    }
    OpenArguments open;
    open.as = arguments.as;
    open.inputRoot = arguments.inputRoot;
    open.linkRoot = arguments.linkRoot;
    const auto trainer = openFile(arguments.trainer, open);
    const auto sampler = openFile(arguments.sampler, open);
    for (const auto* file : {&trainer, &sampler})
        if (!*file)
            return invocation.cannotRun("compare", {file->error().message + "; a headerless array needs --dtype"});
    compareCaptures(invocation, *trainer, *sampler,
                    {*arguments.pairing, arguments.order, arguments.only, arguments.allTensors, arguments.threads,
                     arguments.inputRoot, arguments.json});
}

void runSelfTest(Invocation& invocation, const CompareArguments& arguments) {
    const std::vector<TrapResult> traps = runCompareSelfTest(arguments.threads);
    const Json document = toJson(traps);
    if (arguments.json)
        invocation.print(document);
    else
        invocation.out << textOf(traps);
    invocation.exitCode = document["passed"].get<bool>() ? ExitCode::Holds : ExitCode::Violated;
}

void runCompare(Invocation& invocation, const CompareArguments& arguments) {
    if (arguments.selfTest) return runSelfTest(invocation, arguments);
    if (arguments.trainer.empty() || arguments.sampler.empty())
        return invocation.cannotRun(
            "compare", {"two files are needed, the trainer's and the sampler's; see isobit compare --help"});
    if (arguments.dtype.empty()) return compareFiles(invocation, arguments);
    const auto sides = openSides(arguments);
    if (!sides) return invocation.cannotRun("compare", sides.error());
    auto comparison = compareSides(invocation, arguments, *sides);
    if (!comparison) return invocation.cannotRun("compare", comparison.error());
    invocation.exitCode = comparison->equal() ? ExitCode::Holds : ExitCode::Violated;
    printComparison(invocation, arguments, *sides, std::move(*comparison));
}

}  // namespace

void addCompareCommand(CLI::App& parser, Invocation& invocation) {
    CLI::App* command =
        parser.add_subcommand("compare", "are the words of two captures, runs or arrays the same, and if not, where");
    command->footer(kCompareFooter);
    const auto arguments = std::make_shared<CompareArguments>();
    command->add_option("TRAINER", arguments->trainer, "the trainer's file");
    command->add_option("SAMPLER", arguments->sampler, "the sampler's file");
    command->add_option("--dtype", arguments->dtype, "element type of both raw arrays");
    command->add_option("--shape", arguments->shape,
                        "sizes of both raw arrays, such as 64,3840; default: all of a file");
    command->add_option("--offset", arguments->offset, "bytes before the array in both files")
        ->check(CLI::NonNegativeNumber);
    command->add_option("--sampler-offset", arguments->samplerOffset, "bytes before it in the sampler's, if others")
        ->check(CLI::NonNegativeNumber);
    command->add_option("--list", arguments->list, "print that many differing elements, the first by index");
    command->add_option("--as", arguments->as, "captures: read raw or integer words of this width as this type");
    command->add_option("--order", arguments->order,
                        "captures: graph (default), layers, file, or a file with one name a line");
    command->add_option("--only", arguments->only,
                        "captures: show only tensors whose name this regular expression finds");
    command->add_flag("--all", arguments->allTensors, "captures: show every tensor, not a screen of them");
    arguments->pairing = addPairingArguments(*command);
    command->add_option("--input-root", arguments->inputRoot, "captures: only files of this user below this folder");
    command->add_option("--follow-links", arguments->linkRoot, "captures: links in a folder or set may lead below this folder");
    command->add_option("--threads", arguments->threads, "threads to compare with; default: all")
        ->check(CLI::Range(1, 256));
    command->add_flag("--sha256", arguments->sha256, "also the SHA-256 of each side's words");
    command->add_flag("--self-test", arguments->selfTest, "check this command on the seven known traps");
    command->add_flag("--json", arguments->json, "print one JSON document");
    command->callback([&invocation, arguments] { runCompare(invocation, *arguments); });
}

}  // namespace isobit::cli
