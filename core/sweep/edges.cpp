// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/sweep/edges.h"

#include <algorithm>
#include <map>

#include "core/sweep/plan.h"
#include "core/sweep/run_columns.h"

namespace isobit {
namespace {

/// A cell on one line of the grid along the row axis.
struct Station {
    std::int64_t rows = 0;
    std::int64_t seedIndex = 0;
    CellResult cell;
};

class EdgeSearch {
public:
    EdgeSearch(const Run& run, const PairingPrograms& programs, unsigned threads, const std::stop_token& stop)
        : m_plan(run.plan), m_programs(programs), m_threads(threads), m_stop(stop),
          m_axis(static_cast<std::size_t>(axisIndex(run.plan, run.plan.rowAxis))) {
        m_plan.checkBatchInvariance = false;  // a probe only asks for the verdict
        for (std::size_t i = 0; i < run.cells.size(); ++i) {
            const CellResult& cell = run.cells[i];
            std::vector<std::int64_t> line = cell.coordinates;
            line[m_axis] = 0;
            if (hasOutputs(cell.status))
                m_lines[lineNumber(line)].push_back({cell.coordinates[m_axis], static_cast<std::int64_t>(i), cell});
        }
    }

    std::vector<Edge> find() {
        std::vector<Edge> edges;
        for (auto& [number, line] : m_lines) {
            std::sort(line.begin(), line.end(), [](const Station& a, const Station& b) { return a.rows < b.rows; });
            for (std::size_t i = 1; i < line.size() && !m_stop.stop_requested(); ++i)
                if (line[i - 1].cell.status != line[i].cell.status) edges.push_back(bisect(line[i - 1], line[i]));
        }
        if (m_stop.stop_requested()) return {};
        return edges;
    }

private:
    /// Lines in the order of the grid: a number a set of the other axes' values, in order of first appearance.
    std::size_t lineNumber(const std::vector<std::int64_t>& line) {
        const auto known = std::find(m_known.begin(), m_known.end(), line);
        if (known != m_known.end()) return static_cast<std::size_t>(known - m_known.begin());
        m_known.push_back(line);
        return m_known.size() - 1;
    }

    Edge bisect(Station below, Station above) const {
        while (above.rows - below.rows > 1) {
            Station middle{below.rows + (above.rows - below.rows) / 2, above.seedIndex, {}};
            std::vector<std::int64_t> coordinates = above.cell.coordinates;
            coordinates[m_axis] = middle.rows;
            auto cell = runCell(m_plan, m_programs, {coordinates, middle.seedIndex}, m_threads, m_stop);
            if (!cell || !hasOutputs(cell->status)) break;
            middle.cell = std::move(*cell);
            (middle.cell.status == below.cell.status ? below : above) = std::move(middle);
        }
        return edgeBetween(below, above);
    }

    Edge edgeBetween(const Station& below, const Station& above) const {
        Edge edge;
        edge.axis = m_plan.rowAxis;
        edge.below = below.rows;
        edge.above = above.rows;
        for (std::size_t i = 0; i < m_plan.axes.size(); ++i)
            if (i != m_axis) edge.at[m_plan.axes[i].name] = above.cell.coordinates[i];
        edge.statusBelow = below.cell.status;
        edge.statusAbove = above.cell.status;
        for (std::size_t i = 0; i < above.cell.outputs.size(); ++i) {
            const bool changed = below.cell.outputs[i].comparison.equal() != above.cell.outputs[i].comparison.equal();
            (changed ? edge.outputs : edge.unchangedOutputs).push_back(above.cell.outputs[i].name);
        }
        return edge;
    }

    Plan m_plan;
    const PairingPrograms& m_programs;
    unsigned m_threads;
    const std::stop_token& m_stop;
    std::size_t m_axis;
    std::vector<std::vector<std::int64_t>> m_known;
    std::map<std::size_t, std::vector<Station>> m_lines;
};

}  // namespace

std::vector<Edge> findEdges(const Run& run, const PairingPrograms& programs, unsigned threads,
                            const std::stop_token& stop) {
    if (run.plan.rowAxis.empty()) return {};
    return EdgeSearch(run, programs, threads, stop).find();
}

}  // namespace isobit
