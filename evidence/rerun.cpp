// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "evidence/rerun.h"

#include <algorithm>
#include <map>

#include "core/base/sha256.h"
#include "core/sweep/cell.h"
#include "core/sweep/plan.h"
#include "evidence/run_claims.h"
#include "evidence/seal.h"

namespace isobit::evidence {
namespace {

std::vector<std::string> idsOf(const Manifest& manifest) {
    std::vector<std::string> ids;
    for (const CellRecord& cell : manifest.predicate.cells) ids.push_back(cell.id);
    return ids;
}

// The program of the same name on that engine ("reference:norm.v2" for "cuda:norm.v2"), else the first of its
// arithmetic.
const Program* programFor(const ProgramList& programs, const Plan& plan, const ProgramRef& wanted,
                          const std::string& engine) {
    const std::string name = engine + wanted.name.substr(std::min(wanted.name.find(':'), wanted.name.size()));
    const Program* found = nullptr;
    for (const auto& program : programs) {
        const bool fits = program->operation() == plan.operation && program->arithmetic() == wanted.arithmetic &&
                          program->engine() == engine;
        if (fits && (program->name() == name || program->name() == wanted.name)) return program.get();
        if (fits && found == nullptr) found = program.get();
    }
    return found;
}

// The inputs first: other inputs make other words, which says nothing about the arithmetic.
std::string inputProblem(const std::map<std::string, std::string>& signedInputs, const CellResult& cell) {
    for (const InputDigest& input : cell.inputs) {
        const auto found = signedInputs.find(cell.id + "/" + input.name);
        if (found == signedInputs.end() || found->second != input.sha256)
            return fmt::format("input \"{}\" has the digest {} here", input.name, input.sha256);
    }
    return {};
}

std::string outputProblem(const CellRecord& claimed, const CellResult& cell) {
    if (claimed.outputs.size() != cell.outputs.size()) return fmt::format("{} outputs here", cell.outputs.size());
    for (std::size_t i = 0; i < cell.outputs.size(); ++i) {
        const OutputResult& here = cell.outputs[i];
        const OutputRecord& signedOutput = claimed.outputs[i];
        if (here.name != signedOutput.name) return fmt::format("output {} is \"{}\" here", i, here.name);
        if (here.trainerSha256 != signedOutput.trainerSha256)
            return fmt::format("the trainer's \"{}\" has the digest {} here", here.name, here.trainerSha256);
        if (here.samplerSha256 != signedOutput.samplerSha256)
            return fmt::format("the sampler's \"{}\" has the digest {} here", here.name, here.samplerSha256);
    }
    return {};
}

std::string outputsDigest(const CellResult& cell) {
    std::string lines;
    for (const OutputResult& output : cell.outputs)
        lines += fmt::format("{} {} {}\n", output.name, output.trainerSha256, output.samplerSha256);
    return sha256Hex(std::string_view(lines));
}

}  // namespace

std::vector<std::string> drawCells(const std::vector<std::string>& ids, const std::string& nonce, std::size_t count) {
    std::vector<std::pair<std::string, std::string>> drawn;
    for (const std::string& id : ids) drawn.emplace_back(sha256Hex(std::string_view(nonce + id)), id);
    std::sort(drawn.begin(), drawn.end());
    std::vector<std::string> picked;
    for (std::size_t i = 0; i < std::min(count, drawn.size()); ++i) picked.push_back(drawn[i].second);
    std::sort(picked.begin(), picked.end());
    return picked;
}

Result<Selection> selectCells(const std::vector<std::string>& request, const Manifest& manifest) {
    const std::vector<std::string> ids = idsOf(manifest);
    if (request.empty() || (request.size() == 1 && request[0] == "all")) return Selection{"all", "", ids};
    if (request.size() == 1 && request[0].starts_with("random:")) {
        const std::string number = request[0].substr(7);
        if (!isDecimal64(number) || number == "0")
            return failure("\"{}\": expected random:N with N at least 1", request[0]);
        const Result<std::string> nonce = randomToken();
        if (!nonce) return failureOf(nonce);
        return Selection{"random", *nonce, drawCells(ids, *nonce, std::stoull(number))};
    }
    Selection selection{"named", "", request};
    std::sort(selection.cellIds.begin(), selection.cellIds.end());
    selection.cellIds.erase(std::unique(selection.cellIds.begin(), selection.cellIds.end()), selection.cellIds.end());
    for (const std::string& id : selection.cellIds)
        if (!std::binary_search(ids.begin(), ids.end(), id)) return failure("\"{}\" is no cell of this artifact", id);
    return selection;
}

double detectionChance(std::uint64_t total, std::uint64_t forged, std::uint64_t drawn) {
    if (forged == 0 || drawn == 0) return 0;
    if (forged + drawn > total) return 1;
    double missed = 1;  // C(total - forged, drawn) / C(total, drawn), factor by factor
    for (std::uint64_t i = 0; i < drawn; ++i)
        missed *= static_cast<double>(total - forged - i) / static_cast<double>(total - i);
    return 1 - missed;
}

std::uint64_t RerunReport::count(std::string_view outcome) const {
    return static_cast<std::uint64_t>(
        std::count_if(cells.begin(), cells.end(), [&](const CellRerun& cell) { return cell.outcome == outcome; }));
}

Result<RerunReport> rerunCells(const Manifest& manifest, const std::vector<std::string>& ids,
                               const ProgramList& programs, const RerunOptions& options) {
    const Result<Plan> plan = planOf(manifest.predicate, kManifestName);
    if (!plan) return failureOf(plan);
    const PairingPrograms pair{programFor(programs, *plan, plan->pairing.trainer, options.engine),
                               programFor(programs, *plan, plan->pairing.sampler, options.engine)};
    std::string missing;
    if (pair.trainer == nullptr || pair.sampler == nullptr)
        missing = fmt::format("engine {} has no program for {}", options.engine,
                              (pair.trainer == nullptr ? plan->pairing.trainer : plan->pairing.sampler).arithmetic);

    std::map<std::string, std::int64_t> indexOf;
    for (std::int64_t i = 0; i < cellCount(*plan); ++i) indexOf.emplace(cellId(*plan, coordinatesOf(*plan, i)), i);
    std::map<std::string, std::string> inputs;
    for (const InputRecord& input : manifest.predicate.inputs) inputs.emplace(input.name, input.contentSha256);
    RerunReport report;
    report.engine = options.engine;
    report.cellsTotal = manifest.predicate.cells.size();
    const std::string environment =
        missing.empty() ? fmt::format("engine {}\ntrainer {} {}\nsampler {} {}\n", options.engine, pair.trainer->name(),
                                      pair.trainer->version(), pair.sampler->name(), pair.sampler->version())
                        : missing;
    report.environmentSha256 = sha256Hex(std::string_view(environment));
    for (const CellRecord& claimed : manifest.predicate.cells) {
        if (std::find(ids.begin(), ids.end(), claimed.id) == ids.end()) continue;
        CellRerun rerun{claimed.id, "NOT_COMPARABLE", missing, ""};
        if (missing.empty() && claimed.outputs.empty()) rerun.detail = "the artifact holds no words of this cell";
        if (rerun.detail.empty()) {
            const std::int64_t index = indexOf.at(claimed.id);
            const auto cell = runCell(*plan, pair, {coordinatesOf(*plan, index), index}, options.threads, options.stop);
            if (!cell) return failure("stopped before cell {}", claimed.id);
            if (cell->status == CellStatus::Failed) {
                rerun.detail = cell->error;
            } else {
                rerun.detail = inputProblem(inputs, *cell);
                if (rerun.detail.empty()) rerun.detail = outputProblem(claimed, *cell);
                rerun.outcome = rerun.detail.empty() ? "EQUAL" : "DIFFERENT";
                rerun.outputSha256 = outputsDigest(*cell);
            }
        }
        report.cells.push_back(rerun);
        if (options.cellDone) options.cellDone(report.cells.back(), report.cells.size(), ids.size());
    }
    return report;
}

nlohmann::ordered_json toJson(const RerunReport& report) {
    nlohmann::ordered_json document;
    document["engine"] = report.engine;
    document["cells_total"] = report.cellsTotal;
    document["cells_rerun"] = report.cells.size();
    document["equal"] = report.count("EQUAL");
    document["different"] = report.count("DIFFERENT");
    document["not_comparable"] = report.count("NOT_COMPARABLE");
    document["cells"] = nlohmann::ordered_json::array();
    for (const CellRerun& cell : report.cells)
        document["cells"].push_back({{"id", cell.id}, {"outcome", cell.outcome}, {"detail", cell.detail}});
    return document;
}

}  // namespace isobit::evidence
