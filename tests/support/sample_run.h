// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "core/base/sha256.h"
#include "core/compare/comparison.h"
#include "core/sweep/plan.h"
#include "core/sweep/run.h"

namespace isobit::support {

/// A plan of two axes and three bf16 inputs, as the norms have; programs with these names need not exist.
inline Plan samplePlan() {
    Plan plan;
    plan.preset = "sample";
    plan.operation = "rms_norm";
    plan.axes = {{"H", {64, 96}}, {"M", {1, 3, 8}}};
    plan.rowAxis = "M";
    plan.pairing = {"fused against materialised",
                    {"fake:trainer", "norm.v2", "reference", 1, false},
                    {"fake:sampler", "norm.v2", "reference", 1, false}};
    plan.inputs = {{"x", "bf16", {"M", "H"}, 118, 127, 0, 0},
                   {"r", "bf16", {"M", "H"}, 118, 127, 0, 1},
                   {"w", "bf16", {"H"}, 126, 128, 0, 2}};
    plan.parameters = {{"epsilon", "1e-6"}};
    plan.seedBase = 1000;
    plan.seedStep = 10;
    plan.silicon = "sm_90";
    plan.siliconSha256 = std::string(64, 'a');
    return plan;
}

/// One output whose sampler side differs from the trainer's in the elements of `flipped`, lowest bit each.
inline OutputResult sampleOutput(std::string name, Shape shape, const std::vector<std::size_t>& flipped) {
    std::vector<std::uint16_t> trainer(static_cast<std::size_t>(elementsOf(shape)));
    for (std::size_t i = 0; i < trainer.size(); ++i) trainer[i] = static_cast<std::uint16_t>(0x3F80 + i % 97);
    std::vector<std::uint16_t> sampler = trainer;
    for (const std::size_t index : flipped) sampler[index] ^= 1;
    OutputResult output;
    output.name = std::move(name);
    output.shape = std::move(shape);
    output.comparison = compareWords(DType::Bf16, std::as_bytes(std::span(trainer)), std::as_bytes(std::span(sampler)));
    output.trainerSha256 = sha256Hex(std::as_bytes(std::span(trainer)));
    output.samplerSha256 = sha256Hex(std::as_bytes(std::span(sampler)));
    return output;
}

/// Every kind of cell: equal, different, failed, not run; one edge.
inline Run sampleRun() {
    Run run;
    run.plan = samplePlan();
    for (std::int64_t i = 0; i < cellCount(run.plan); ++i) {
        CellResult cell;
        cell.coordinates = coordinatesOf(run.plan, i);
        cell.id = cellId(run.plan, cell.coordinates);
        const Shape shape{cell.coordinates[1], cell.coordinates[0]};
        cell.status = i == 1 ? CellStatus::Different : i == 4 ? CellStatus::Failed : i == 5 ? CellStatus::NotRun
                                                                                          : CellStatus::Equal;
        if (cell.status == CellStatus::Failed) cell.error = "the device has no memory left";
        if (cell.status == CellStatus::Equal || cell.status == CellStatus::Different) {
            const bool differs = cell.status == CellStatus::Different;
            cell.outputs.push_back(sampleOutput("out", shape, differs ? std::vector<std::size_t>{5, 70} : std::vector<std::size_t>{}));
            cell.outputs.push_back(sampleOutput("residual_out", shape, {}));
            cell.trainerInvariance = {true, true, 0, -1, ""};
            cell.samplerInvariance = differs ? BatchInvariance{true, false, 2, 1, "out"} : BatchInvariance{true, true, 0, -1, ""};
            const auto inputs = inputsOf(run.plan, cell.coordinates, i);
            for (std::size_t k = 0; k < inputs.size(); ++k)
                cell.inputs.push_back({run.plan.inputs[k].name, inputs[k].seed, sha256Hex(std::to_string(inputs[k].seed))});
        }
        run.cells.push_back(std::move(cell));
    }
    Edge edge{"M", 1, 2, {{"H", 64}}, CellStatus::Equal, CellStatus::Different, {"out"}, {"residual_out"}};
    run.edges = {edge};
    return run;
}

}  // namespace isobit::support
