// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "core/sweep/dispatch_table.h"

namespace isobit {
namespace {

constexpr double kHalfUnit = 0.0005;  // recorded times and ratios have three decimals
constexpr std::size_t kMostArtifactCells = 100'000;

double roundedToThousandths(double value) { return std::nearbyint(value * 1000.0) / 1000.0; }

std::string_view legacyChoice(std::int64_t rows) { return rows > 256 ? "split" : "fused"; }

class ArtifactReader {
public:
    ArtifactReader(const Json& document, std::string_view source) : m_document(document) {
        m_artifact.table.source = source;
        m_artifact.table.statistic = "minimum of 11 replays";  // how that record was taken, norm.md 10.1
    }

    Result<DispatchArtifact> read() {
        // The JSON library throws on a key or type that is not there; that is one sentence here.
        try {
            readAll();
        } catch (const Json::exception& problem) {
            return failure("{}: not a dispatch artifact: {}", m_artifact.table.source, problem.what());
        }
        if (!m_problem.empty()) return failure("{}: {}", m_artifact.table.source, m_problem);
        return std::move(m_artifact);
    }

private:
    void readAll() {
        const Json& environment = m_document.at("env");
        m_artifact.table.device = environment.at("gpu").get<std::string>();
        const auto multiprocessors = environment.at("sms").get<std::int64_t>();
        const Json& cells = m_document.at("cells");
        if (!cells.is_array() || cells.size() > kMostArtifactCells) {
            m_problem = fmt::format("cells is no list of at most {} entries", kMostArtifactCells);
            return;
        }
        for (std::size_t index = 0; index < cells.size() && m_problem.empty(); ++index)
            readCell(cells[index], fmt::format("cells[{}]", index), multiprocessors);
        if (m_problem.empty()) checkTotals();
    }

    void readCell(const Json& cell, const std::string& where, std::int64_t multiprocessors) {
        DispatchCell measured;
        measured.facts = {cell.at("M").get<std::int64_t>(), cell.at("H").get<std::int64_t>(), multiprocessors};
        const double fused = cell.at("fused_us").get<double>(), split = cell.at("split_us").get<double>();
        if (measured.facts.rows < 1 || measured.facts.columns < 1 || !(fused > 0.0) || !(split > 0.0)) {
            m_problem = fmt::format("{} has a shape or a time that is not positive", where);
            return;
        }
        measured.timeUs = {{"fused", fused}, {"split", split}};
        const std::string name = fmt::format("{} (H {}, M {})", where, measured.facts.columns, measured.facts.rows);
        const std::string_view oracle = split < fused ? "split" : "fused";
        const std::string_view picked = m_shipped->choose(measured.facts);
        const std::string_view legacy = legacyChoice(measured.facts.rows);
        check(name + " n_tiles", cell.at("n_tiles").get<std::int64_t>(), measured.facts.tiles());
        check(name + " oracle", cell.at("oracle").get<std::string>(), std::string(oracle));
        check(name + " picked", cell.at("picked").get<std::string>(), std::string(picked));
        check(name + " legacy_picked", cell.at("legacy_picked").get<std::string>(), std::string(legacy));
        const double regret =
            checkRatio(name + " regret_x", cell.at("regret_x").get<double>(), picked == oracle, fused, split);
        const double legacyRegret = checkRatio(name + " legacy_regret_x", cell.at("legacy_regret_x").get<double>(),
                                               legacy == oracle, fused, split);
        if (regret > 1.0) m_misclassified.push_back(cell);
        if (legacyRegret > 1.0) ++m_legacyMisclassified;
        m_worst = std::max(m_worst, cell.at("regret_x").get<double>());
        m_legacyWorst = std::max(m_legacyWorst, cell.at("legacy_regret_x").get<double>());
        m_artifact.table.cells.push_back(std::move(measured));
    }

    void checkTotals() {
        check("misclassified", m_document.at("misclassified"), Json(m_misclassified));
        check("worst_regret_x", m_document.at("worst_regret_x").get<double>(), m_worst);
        check("legacy_misclassified_count", m_document.at("legacy_misclassified_count").get<std::int64_t>(),
              m_legacyMisclassified);
        check("legacy_worst_regret_x", m_document.at("legacy_worst_regret_x").get<double>(), m_legacyWorst);
        check("cell_count", m_document.at("cell_count").get<std::int64_t>(),
              static_cast<std::int64_t>(m_artifact.table.cells.size()));
    }

    template <class T>
    void check(std::string where, const T& recorded, const T& recomputed) {
        ++m_artifact.fieldsChecked;
        if (recorded != recomputed)
            m_artifact.deviations.push_back({std::move(where), Json(recorded).dump(), Json(recomputed).dump(), false});
    }

    /// The ratio of the slower to the faster time, 1 where the choice is the oracle. The ratio was taken before the
    /// times were rounded, so a recorded value may be anything that times within half a unit of the recorded ones give.
    double checkRatio(std::string where, double recorded, bool isOracle, double fused, double split) {
        const double slow = std::max(fused, split), fast = std::min(fused, split);
        const double recomputed = isOracle ? 1.0 : roundedToThousandths(slow / fast);
        ++m_artifact.fieldsChecked;
        if (recorded != recomputed) {
            const double least = (slow - kHalfUnit) / (fast + kHalfUnit) - kHalfUnit;
            const double most = (slow + kHalfUnit) / (fast - kHalfUnit) + kHalfUnit;
            m_artifact.deviations.push_back({std::move(where), Json(recorded).dump(), Json(recomputed).dump(),
                                             !isOracle && recorded >= least && recorded <= most});
        }
        return recorded;
    }

    const Json& m_document;
    const Result<DispatchRule> m_shipped = parseDispatchRule(recordedDispatchRules().front().text);
    DispatchArtifact m_artifact;
    std::string m_problem;
    std::vector<Json> m_misclassified;
    std::int64_t m_legacyMisclassified = 0;
    double m_worst = 1.0;
    double m_legacyWorst = 1.0;
};

}  // namespace

Result<DispatchArtifact> readDispatchArtifact(const Json& document, std::string_view source) {
    return ArtifactReader(document, source).read();
}

}  // namespace isobit
