// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/admission.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/sha256.h"
#include "core/programs/input_generator.h"
#include "kernels/device_call.h"
#include "kernels/own_gemms.h"

namespace isobit::cuda {
namespace {

constexpr int kExponentLo = 118;  // of the operands: values near one, as normal-range goldens have
constexpr int kExponentHi = 128;

std::size_t elementBytes(GemmOutputType output) { return output == GemmOutputType::Fp32 ? 4 : 2; }

// The operands, the contract's words and room for a candidate's, for one shape and one seed after the other.
class Bench {
public:
    Bench(std::shared_ptr<const CublasLt> library, std::int64_t rows, std::int64_t columns, std::int64_t depth,
          const AdmissionOptions& options)
        : m_library(std::move(library)), m_columns(columns), m_depth(depth) {
        m_mostRows = std::max(rows, *std::max_element(options.rows.begin(), options.rows.end()));
        const auto elements = static_cast<std::size_t>(m_mostRows * columns);
        m_a = m_call.allocate(static_cast<std::size_t>(m_mostRows * depth) * 2);
        m_weight = m_call.allocate(static_cast<std::size_t>(columns * depth) * 2);
        m_contract16 = m_call.allocate(elements * 2);
        m_contract32 = m_call.allocate(elements * 4);
        m_out = m_call.allocate(elements * 4);
        m_workspace = m_call.allocate(options.workspaceLimit);
        m_count = static_cast<unsigned long long*>(m_call.allocate(sizeof(unsigned long long)));
    }

    // Operands of the seed, and the contract's words for them.
    Result<void> load(int seed) {
        const auto a = generate(m_mostRows, 2 * seed + 1);
        if (!a) return failureOf(a);
        const auto weight = generate(m_columns, 2 * seed + 2);
        if (!weight) return failureOf(weight);
        m_call.copy(m_a, std::as_const(*a).bytes());
        m_call.copy(m_weight, std::as_const(*weight).bytes());
        for (const GemmOutputType output : {GemmOutputType::Bf16, GemmOutputType::Fp32}) {
            GemmArguments p = arguments(m_mostRows, output);
            p.out = contract(output);
            if (!m_call.failed())
                m_call.launched(launchMmaGemm(p, tileRowsFor(p.rows), m_call.options()), "launching a GEMM kernel");
        }
        return m_call.finish("computing the contract's words");
    }

    [[nodiscard]] Result<std::string> contractSha256(std::int64_t rows) {
        std::vector<std::byte> words(static_cast<std::size_t>(rows * m_columns) * 2);
        m_call.download(words.data(), m_contract16, words.size());
        if (auto done = m_call.finish("reading the contract's words"); !done) return failureOf(done);
        return sha256Hex(words);
    }

    // Words of the output that differ from the contract's. The output is poisoned first.
    Result<std::uint64_t> differing(std::int64_t rows, GemmOutputType output,
                                    const std::function<Result<void>(void* out)>& run) {
        const auto elements = rows * m_columns;
        m_call.fill(m_out, 0xA5, static_cast<std::size_t>(elements) * elementBytes(output));
        m_call.fill(m_count, 0, sizeof(unsigned long long));
        if (auto ran = run(m_out); !ran) return failureOf(ran);
        m_call.launched(launchCountDifferences(m_out, contract(output), elements,
                                               static_cast<int>(elementBytes(output)), m_count, m_call.options()),
                        "counting differences");
        unsigned long long count = 0;
        m_call.download(&count, m_count, sizeof count);
        if (auto done = m_call.finish("running a candidate"); !done) return failureOf(done);
        return std::uint64_t(count);
    }

    Result<std::uint64_t> differing(const LtAlgorithm& algorithm, std::int64_t rows, GemmOutputType output) {
        const auto product = LtProduct::create(m_library, rows, m_columns, m_depth, output);
        if (!product) return failureOf(product);
        if (!product->supports(algorithm)) return failure("not supported at {} rows", rows);
        return differing(rows, output, [&](void* out) {
            return product->run(algorithm, m_a, m_weight, out, m_workspace, m_call.options().stream);
        });
    }

    [[nodiscard]] bool supports(const LtAlgorithm& algorithm, std::int64_t rows, GemmOutputType output) const {
        const auto product = LtProduct::create(m_library, rows, m_columns, m_depth, output);
        return product && product->supports(algorithm);
    }

    // A call of the candidate on this bench's buffers, as graphs want it.
    [[nodiscard]] Result<LaunchCall> callOf(const AdmissionCandidate& candidate, std::int64_t rows) const {
        if (candidate.name != "cublasLt") {
            GemmArguments p = arguments(rows, GemmOutputType::Bf16);
            p.out = m_out;
            const OwnGemm& own = *findOwnGemm(candidate.name);
            return LaunchCall([p, &own](const LaunchOptions& options) {
                return checked(own.launch(p, options), "launching a GEMM kernel");
            });
        }
        auto made = LtProduct::create(m_library, rows, m_columns, m_depth, GemmOutputType::Bf16);
        if (!made) return failureOf(made);
        const auto product = std::make_shared<LtProduct>(std::move(*made));
        return LaunchCall([this, product, algorithm = candidate.algorithm](const LaunchOptions& options) {
            return product->run(algorithm, m_a, m_weight, m_out, m_workspace, options.stream);
        });
    }

    Result<std::uint64_t> differing(const OwnGemm& own, std::int64_t rows, GemmOutputType output) {
        return differing(rows, output, [&](void* out) {
            GemmArguments p = arguments(rows, output);
            p.out = out;
            return checked(own.launch(p, m_call.options()), "launching a GEMM kernel");
        });
    }

    [[nodiscard]] bool worthTrying(const OwnGemm& own, std::int64_t rows) const {
        const GemmArguments p = arguments(rows, GemmOutputType::Bf16);
        return own.admits(p) && own.worthTiming(p);
    }

private:
    [[nodiscard]] Result<Tensor> generate(std::int64_t lines, int seed) const {
        return generateInput({.generator = "bf16",
                              .shape = {lines, m_depth},
                              .seed = static_cast<std::uint64_t>(seed),
                              .exponentLo = kExponentLo,
                              .exponentHi = kExponentHi});
    }

    [[nodiscard]] GemmArguments arguments(std::int64_t rows, GemmOutputType output) const {
        GemmArguments p;
        p.a = m_a;
        p.b = m_weight;
        p.rows = rows;
        p.columns = m_columns;
        p.depth = m_depth;
        p.aRowStride = m_depth;
        p.bDepthStride = 1;
        p.bColumnStride = m_depth;
        p.outStride = m_columns;
        p.output = output;
        return p;
    }

    [[nodiscard]] void* contract(GemmOutputType output) const {
        return output == GemmOutputType::Fp32 ? m_contract32 : m_contract16;
    }

    std::shared_ptr<const CublasLt> m_library;
    std::int64_t m_columns;
    std::int64_t m_depth;
    std::int64_t m_mostRows = 0;
    DeviceCall m_call;
    void* m_a = nullptr;
    void* m_weight = nullptr;
    void* m_contract16 = nullptr;
    void* m_contract32 = nullptr;
    void* m_out = nullptr;
    void* m_workspace = nullptr;
    unsigned long long* m_count = nullptr;
};

// One test of a candidate: the refusal it earns, empty if it passes.
std::string refusalAt(Bench& bench, const LtAlgorithm& algorithm, std::int64_t rows, GemmOutputType output, int seed) {
    const auto differing = bench.differing(algorithm, rows, output);
    const char* const type = output == GemmOutputType::Fp32 ? "FP32" : "bf16";
    if (!differing) return fmt::format("{} out, {} rows: {}", type, rows, differing.error().message);
    if (*differing == 0) return "";
    return fmt::format("{} out, {} rows, seed {}: {} words differ", type, rows, seed, *differing);
}

bool same(const LtAlgorithm& a, const LtAlgorithm& b) { return a.words == b.words; }

Result<std::vector<LtAlgorithm>> algorithmsFor(const std::shared_ptr<const CublasLt>& library,
                                               const AdmissionReport& report, const AdmissionOptions& options) {
    const auto product = LtProduct::create(library, report.rows, report.columns, report.depth, GemmOutputType::Bf16);
    if (!product) return failureOf(product);
    auto algorithms = product->heuristics(options.heuristics, options.workspaceLimit);
    if (!algorithms || report.rows >= 256) return algorithms;
    for (const LtAlgorithm& more : product->unsplitConfigurations(options.workspaceLimit, options.configurations))
        if (std::none_of(algorithms->begin(), algorithms->end(), [&](const LtAlgorithm& a) { return same(a, more); }))
            algorithms->push_back(more);
    return algorithms;
}

// The tests of the first seed at the shape itself.
Result<void> addCandidates(Bench& bench, const std::vector<LtAlgorithm>& algorithms, AdmissionReport& report) {
    for (const OwnGemm& own : ownGemms()) {
        if (!bench.worthTrying(own, report.rows)) continue;
        AdmissionCandidate candidate{.name = std::string(own.name)};
        for (const GemmOutputType output : {GemmOutputType::Fp32, GemmOutputType::Bf16}) {
            const auto differing = bench.differing(own, report.rows, output);
            if (!differing) return failureOf(differing);
            candidate.differing = *differing;
            if (*differing != 0) candidate.refusal = fmt::format("{} words differ from the tiled kernel's", *differing);
        }
        report.candidates.push_back(std::move(candidate));
    }
    for (const LtAlgorithm& algorithm : algorithms) {
        AdmissionCandidate candidate{.name = "cublasLt", .algorithm = algorithm};
        const auto differing = bench.differing(algorithm, report.rows, GemmOutputType::Bf16);
        candidate.differing = differing ? *differing : 0;
        if (!differing) candidate.refusal = differing.error().message;
        if (differing && *differing != 0) candidate.refusal = fmt::format("{} words differ", *differing);
        report.candidates.push_back(std::move(candidate));
    }
    return {};
}

// What the first seed left standing, on one seed: FP32 output and the other numbers of rows.
void testFurther(Bench& bench, int seed, const AdmissionOptions& options, AdmissionReport& report) {
    for (AdmissionCandidate& candidate : report.candidates) {
        if (candidate.name != "cublasLt" || !candidate.refusal.empty() || options.stop.stop_requested()) continue;
        candidate.refusal = refusalAt(bench, candidate.algorithm, report.rows, GemmOutputType::Bf16, seed);
        // An algorithm belongs to one output type; where the library runs it for the other too, that one must agree.
        if (candidate.refusal.empty() && bench.supports(candidate.algorithm, report.rows, GemmOutputType::Fp32))
            candidate.refusal = refusalAt(bench, candidate.algorithm, report.rows, GemmOutputType::Fp32, seed);
        for (const std::int64_t rows : options.rows) {
            if (!candidate.refusal.empty()) break;
            if (!bench.supports(candidate.algorithm, rows, GemmOutputType::Bf16)) continue;
            const auto differing = bench.differing(candidate.algorithm, rows, GemmOutputType::Bf16);
            if (!differing)
                candidate.refusal = differing.error().message;
            else if (*differing != 0)
                candidate.refusal = fmt::format("rows change in a batch of {}: {} words", rows, *differing);
            else if (seed == 0)
                candidate.rowsKept.push_back(rows);
        }
    }
}

// Times the candidates of those numbers, their replays in turns.
Result<void> timeTogether(const Bench& bench, const std::vector<std::size_t>& which, const TimingProtocol& protocol,
                          AdmissionReport& report) {
    std::vector<LaunchCall> calls;
    for (const std::size_t i : which) {
        auto call = bench.callOf(report.candidates[i], report.rows);
        if (!call) return failureOf(call);
        calls.push_back(std::move(*call));
    }
    const auto samples = timeInTurns(calls, protocol);
    if (!samples) return failureOf(samples);
    for (std::size_t i = 0; i < which.size(); ++i) report.candidates[which[i]].medianUs = (*samples)[i].medianUs();
    return {};
}

// As many calls a replay as take two milliseconds at the rate of a large product: longer ones heat the card.
TimingProtocol protocolFor(const AdmissionReport& report, TimingProtocol protocol) {
    constexpr double kOperations = 7e14 * 2e-3;
    const double operations = 2.0 * static_cast<double>(report.rows) * static_cast<double>(report.columns) *
                              static_cast<double>(report.depth);
    protocol.calls = std::min(protocol.calls, std::max(2, static_cast<int>(std::min(kOperations / operations, 1e6))));
    return protocol;
}

// All that are admitted and the library's default, each by itself; then the fastest and the default once more, in
// turns.
Result<void> timeAdmitted(const Bench& bench, const AdmissionOptions& options, AdmissionReport& report) {
    constexpr std::size_t kFinalists = 4;
    const TimingProtocol protocol = protocolFor(report, options.protocol);
    std::vector<std::size_t> admitted;
    std::size_t byDefault = report.candidates.size();
    for (std::size_t i = 0; i < report.candidates.size(); ++i) {
        const AdmissionCandidate& candidate = report.candidates[i];
        if (candidate.name == "cublasLt" && byDefault == report.candidates.size()) byDefault = i;
        if (!candidate.refusal.empty() && i != byDefault) continue;
        if (auto timed = timeTogether(bench, {i}, protocol, report); !timed) return timed;
        if (candidate.refusal.empty()) admitted.push_back(i);
    }
    if (admitted.empty()) return failure("nothing is admitted at {} rows", report.rows);
    const auto time = [&](std::size_t i) { return report.candidates[i].medianUs; };
    std::ranges::sort(admitted, {}, time);
    if (admitted.size() > kFinalists) admitted.resize(kFinalists);
    std::vector<std::size_t> finalists = admitted;
    if (byDefault < report.candidates.size() && std::ranges::find(finalists, byDefault) == finalists.end())
        finalists.push_back(byDefault);
    if (auto timed = timeTogether(bench, finalists, protocol, report); !timed) return timed;
    report.fastest = *std::ranges::min_element(admitted, {}, time);
    if (byDefault < report.candidates.size()) report.defaultUs = time(byDefault);
    return {};
}

}  // namespace

Result<AdmissionReport> admitGemmShape(const std::shared_ptr<const CublasLt>& library, std::int64_t rows,
                                       std::int64_t columns, std::int64_t depth, const AdmissionOptions& options) {
    AdmissionReport report{.rows = rows, .columns = columns, .depth = depth};
    Bench bench(library, rows, columns, depth, options);
    if (auto loaded = bench.load(0); !loaded) return failureOf(loaded);
    auto sha256 = bench.contractSha256(rows);
    if (!sha256) return failureOf(sha256);
    report.wordsSha256 = std::move(*sha256);
    const auto algorithms = algorithmsFor(library, report, options);
    if (!algorithms) return failureOf(algorithms);
    if (auto added = addCandidates(bench, *algorithms, report); !added) return failureOf(added);
    testFurther(bench, 0, options, report);
    for (int seed = 1; seed < options.seeds && !options.stop.stop_requested(); ++seed) {
        if (auto loaded = bench.load(seed); !loaded) return failureOf(loaded);
        testFurther(bench, seed, options, report);
    }
    if (options.stop.stop_requested()) return failure("stopped");
    if (auto timed = timeAdmitted(bench, options, report); !timed) return failureOf(timed);
    return report;
}

Json entryOf(const AdmissionReport& report) {
    const auto candidateOf = [](const AdmissionCandidate& candidate) {
        Json entry{{"name", candidate.name}, {"us", candidate.medianUs}};
        if (!candidate.refusal.empty()) entry["refusal"] = candidate.refusal;
        if (candidate.name != "cublasLt") return entry;
        const LtAlgorithm& a = candidate.algorithm;
        entry["algorithm"] = {{"id", a.id},
                              {"tile", a.tile},
                              {"stages", a.stages},
                              {"split_k", a.splitK},
                              {"reduction", a.reduction},
                              {"swizzle", a.swizzle},
                              {"custom", a.custom},
                              {"inner", a.inner},
                              {"cluster", a.cluster},
                              {"workspace", a.workspace}};
        Json words = Json::array();
        for (const std::uint64_t word : a.words) words.push_back(fmt::format("{:016x}", word));
        entry["algorithm"]["words"] = words;
        entry["rows_kept"] = candidate.rowsKept;
        return entry;
    };
    const auto admitted = std::count_if(report.candidates.begin(), report.candidates.end(),
                                        [](const AdmissionCandidate& c) { return c.refusal.empty(); });
    return {{"M", report.rows},
            {"N", report.columns},
            {"K", report.depth},
            {"words_sha256", report.wordsSha256},
            {"tried", report.candidates.size()},
            {"admitted", admitted},
            {"default_us", report.defaultUs},
            {"fastest", candidateOf(report.candidates[report.fastest])}};
}

}  // namespace isobit::cuda
