// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/compare/comparison.h"
#include "core/numeric/dtype.h"
#include "core/tensors/tensor.h"

namespace isobit {

/// One dimension of the grid. The first axis of a plan is the outermost loop.
struct Axis {
    std::string name;  ///< "H", "M"
    std::vector<std::int64_t> values;
    friend bool operator==(const Axis&, const Axis&) = default;
};

/// A program as a plan names it, and how it is called.
struct ProgramRef {
    std::string name;        ///< "reference:norm.v2"
    std::string arithmetic;  ///< "norm.v2"
    std::string engine;      ///< "reference", "cuda"
    int version = 0;
    bool rowsAlone = false;  ///< called once a row, M = 1: scoring or decoding alone; else all rows of a cell in one call
    friend bool operator==(const ProgramRef&, const ProgramRef&) = default;
};

struct Pairing {
    std::string name;
    ProgramRef trainer;
    ProgramRef sampler;
    friend bool operator==(const Pairing&, const Pairing&) = default;
};

/// One input tensor of every cell, made by the integer generator (core/programs/input_generator.h).
struct InputSpec {
    std::string name;       ///< "x"
    std::string generator;  ///< "bf16", "bf16_edge_rows", "fp32", "index"
    std::vector<std::string> shape;  ///< outermost first; each an axis name or a decimal number
    int exponentLo = 0;              ///< biased exponents of the float generators, both ends included
    int exponentHi = 0;
    std::int64_t modulus = 0;      ///< of "index"
    std::uint64_t seedOffset = 0;  ///< seed in cell number i: plan.seedBase + plan.seedStep * i + seedOffset
    friend bool operator==(const InputSpec&, const InputSpec&) = default;
};

/// Everything that decides the bits of a sweep. Two equal plans give the same run file, byte for byte.
struct Plan {
    std::string preset;     ///< "rmsnorm-72"; a changed grid or pairing keeps the name of what it was made from
    std::string operation;  ///< "rms_norm"
    std::vector<Axis> axes;
    /// The axis that counts the independent rows of one call, "M"; empty if the operation has none. Where the inputs have
    /// a fixed number of rows instead of this axis, those are computed in calls of so many rows each; the last call is
    /// filled up with rows before it.
    std::string rowAxis;
    Pairing pairing;
    std::vector<InputSpec> inputs;
    /// Decimal text, read as double, or the name of an axis: {"epsilon": "1e-6"}, {"layer": "L"}.
    std::map<std::string, std::string> parameters;
    std::uint64_t seedBase = 0;
    std::uint64_t seedStep = 0;
    bool checkBatchInvariance = true;  ///< each side: every row alone against the same row in company
    bool findEdges = false;            ///< bisect along rowAxis between neighbours whose verdicts differ
    std::string silicon;               ///< "sm_90"
    std::string siliconSha256;         ///< of its table; empty for a silicon without one
    friend bool operator==(const Plan&, const Plan&) = default;
};

/// Both sides' words of one output tensor.
struct OutputResult {
    std::string name;  ///< "out", "residual_out"
    DType dtype = DType::Bf16;
    Shape shape;
    Comparison comparison;  ///< its own digests are empty: they are the two below
    std::string trainerSha256;
    std::string samplerSha256;
};

/// Whether a row's bits depend on the rows that share its call.
struct BatchInvariance {
    bool checked = false;
    bool holds = false;
    std::int64_t rowsViolating = 0;
    std::int64_t firstRow = -1;  ///< first violating row, -1 for none
    std::string output;          ///< first output (in declared order) that violates it, empty for none
};

struct InputDigest {
    std::string name;
    std::uint64_t seed = 0;
    std::string sha256;
};

enum class CellStatus : std::uint8_t {
    NotRun = 0,     ///< stopped before this cell
    Equal = 1,      ///< every word of every output is the same on both sides
    Different = 2,  ///< an answer: at least one word differs
    Failed = 3,     ///< could not be run, see `error`
};

struct CellResult {
    std::string id;                         ///< "h2048_m1": lower-case ASCII, unique in the run
    std::vector<std::int64_t> coordinates;  ///< one value an axis, in the plan's order
    CellStatus status = CellStatus::NotRun;
    std::string error;                  ///< one sentence if Failed
    std::vector<OutputResult> outputs;  ///< in the order the operation declares
    BatchInvariance trainerInvariance;
    BatchInvariance samplerInvariance;
    std::vector<InputDigest> inputs;  ///< in the plan's order
};

/// Two neighbouring values of an axis between which the verdict changes, all other axes held.
struct Edge {
    std::string axis;
    std::int64_t below = 0;
    std::int64_t above = 0;                  ///< below + 1: found by bisection down to neighbouring integers
    std::map<std::string, std::int64_t> at;  ///< values of the other axes
    CellStatus statusBelow = CellStatus::NotRun;
    CellStatus statusAbove = CellStatus::NotRun;
    std::vector<std::string> outputs;           ///< outputs whose verdict changes: {"out"}
    std::vector<std::string> unchangedOutputs;  ///< outputs whose verdict does not: {"residual_out"}
};

/// Timing samples of one realisation in one cell.
struct SampleSeries {
    std::string cell;                 ///< id of the cell
    std::string name;                 ///< realisation or program: "fused", "split"
    std::vector<std::uint64_t> timeNs;  ///< all samples in the order they were taken
};

/// What a measured run adds. It never takes part in a verdict, and lies in a group of its own in the run file.
struct Measurement {
    std::map<std::string, std::string> provenance;  ///< "gpu_name", "driver", "sm_clock_khz", "method", ...
    std::vector<SampleSeries> samples;
};

struct Run {
    Plan plan;
    std::vector<CellResult> cells;  ///< one a grid point, in plan order; cells not run are there too
    std::vector<Edge> edges;
    std::optional<Measurement> measurement;
};

/// Number of cells with a status.
[[nodiscard]] std::int64_t countCells(const Run& run, CellStatus status);
/// True if both sides' batch invariance was checked and holds in every cell.
[[nodiscard]] bool isBatchInvariant(const Run& run);

}  // namespace isobit
