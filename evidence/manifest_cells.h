// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "evidence/manifest_plan.h"

// The parts of a manifest that say what was found: the grid, its cells and their words, edges, datasets, further runs.

namespace isobit::evidence {

struct AxisRecord {
    std::string name;
    std::vector<std::uint64_t> values;
};
template <class V>
void visitFields(AxisRecord& r, V&& visit) {
    visit("name", r.name, rule::notEmpty);
    visit("values", r.values);
}

/// The grid and the counts of its cells; missing cells are counted, never left out.
struct SweepRecord {
    std::vector<AxisRecord> axes;  ///< outermost first
    std::string batchInvariant;    ///< "holds", "violated" or "not checked"
    std::uint64_t cellsExpected = 0;
    std::uint64_t cellsPresent = 0;
    std::uint64_t cellsBitEqual = 0;
    std::uint64_t cellsBitDifferent = 0;
    std::uint64_t cellsError = 0;
};
template <class V>
void visitFields(SweepRecord& r, V&& visit) {
    visit("axes", r.axes);
    visit("batch_invariant", r.batchInvariant, rule::notEmpty);
    visit("cells_expected", r.cellsExpected);
    visit("cells_present", r.cellsPresent);
    visit("cells_bit_equal", r.cellsBitEqual);
    visit("cells_bit_different", r.cellsBitDifferent);
    visit("cells_error", r.cellsError);
}

/// Both sides' words of one output of one cell.
struct OutputRecord {
    std::string name;
    std::string trainerSha256;
    std::string samplerSha256;
    std::uint64_t elements = 0;
    std::uint64_t elementsDifferent = 0;
    std::string firstDifferent;  ///< row-major index, empty for none
    std::string maxUlp;
};
template <class V>
void visitFields(OutputRecord& r, V&& visit) {
    visit("name", r.name, rule::notEmpty);
    visit("trainer_sha256", r.trainerSha256, rule::sha256);
    visit("sampler_sha256", r.samplerSha256, rule::sha256);
    visit("elements", r.elements);
    visit("elements_different", r.elementsDifferent);
    visit("first_different", r.firstDifferent, rule::decimalOrEmpty);
    visit("max_ulp", r.maxUlp, rule::decimal);
}

/// Times of one realisation in one cell: a claim that takes no part in the verdict.
struct TimingRecord {
    std::string name;
    std::uint64_t samples = 0;
    std::uint64_t timeNsMin = 0;
    std::uint64_t timeNsMedian = 0;
};
template <class V>
void visitFields(TimingRecord& r, V&& visit) {
    visit("name", r.name, rule::notEmpty);
    visit("samples", r.samples);
    visit("time_ns_min", r.timeNsMin);
    visit("time_ns_median", r.timeNsMedian);
}

struct CellRecord {
    std::string id;
    std::string status;  ///< "EQUAL", "DIFFERENT", "ERROR" or "MISSING"
    std::vector<OutputRecord> outputs;
    std::uint64_t samples = 0;  ///< of the realisation with the smallest median; 0 if nothing was timed
    std::uint64_t timeNsMin = 0;
    std::uint64_t timeNsMedian = 0;
    std::vector<TimingRecord> timings;  ///< of every realisation that was timed, sorted by name
};
template <class V>
void visitFields(CellRecord& r, V&& visit) {
    visit("id", r.id, rule::component);
    visit("status", r.status, rule::notEmpty);
    visit("outputs", r.outputs);
    visit("samples", r.samples);
    visit("time_ns_min", r.timeNsMin);
    visit("time_ns_median", r.timeNsMedian);
    visit("timings", r.timings);
}

/// One dataset of an HDF5 file below data/.
struct DatasetRecord {
    std::string file;
    std::string path;
    std::string type;  ///< "u64le", "u8", "compound" ...
    std::vector<std::uint64_t> shape;
    std::string contentSha256;  ///< of the elements in C order, little-endian, as `h5dump -b LE -o` writes them
};
template <class V>
void visitFields(DatasetRecord& r, V&& visit) {
    visit("file", r.file, rule::dataName);
    visit("path", r.path, rule::notEmpty);
    visit("type", r.type, rule::notEmpty);
    visit("shape", r.shape);
    visit("content_sha256", r.contentSha256, rule::sha256);
}

struct Protocol {
    std::uint64_t warmUps = 0;
    std::uint64_t samples = 0;
    std::string timer;
    std::string comparison;
    std::string nanRule;
    std::string tolerance;
};
template <class V>
void visitFields(Protocol& r, V&& visit) {
    visit("warm_ups", r.warmUps);
    visit("samples", r.samples);
    visit("timer", r.timer, rule::notEmpty);
    visit("comparison", r.comparison, rule::notEmpty);
    visit("nan_rule", r.nanRule, rule::notEmpty);
    visit("tolerance", r.tolerance, rule::notEmpty);
}

/// Two neighbouring values of an axis between which the verdict changes.
struct EdgeRecord {
    std::string axis;
    std::uint64_t below = 0;
    std::uint64_t above = 0;
    std::vector<NamedValue> at;
    std::vector<std::string> outputs;
    std::vector<std::string> unchangedOutputs;
};
template <class V>
void visitFields(EdgeRecord& r, V&& visit) {
    visit("axis", r.axis, rule::notEmpty);
    visit("below", r.below);
    visit("above", r.above);
    visit("at", r.at);
    visit("outputs", r.outputs);
    visit("unchanged_outputs", r.unchangedOutputs);
}

/// Another run of the same plan, sealed beside the first: how many of its cells gave the same words.
struct ReplayRecord {
    std::string file;
    std::string engine;
    std::uint64_t cellsEqual = 0;
    std::uint64_t cellsDifferent = 0;
    std::uint64_t cellsNotComparable = 0;
};
template <class V>
void visitFields(ReplayRecord& r, V&& visit) {
    visit("file", r.file, rule::dataName);
    visit("engine", r.engine, rule::notEmpty);
    visit("cells_equal", r.cellsEqual);
    visit("cells_different", r.cellsDifferent);
    visit("cells_not_comparable", r.cellsNotComparable);
}

}  // namespace isobit::evidence
