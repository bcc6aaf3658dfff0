// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/sweep/run.h"

namespace isobit {

inline constexpr std::string_view kRunFormat = "isobit.run/1";

/// Element types of the datasets of a run file, all little-endian. Texts are U8.
enum class DatasetType : std::uint8_t { U8, U64, I64 };
[[nodiscard]] std::string_view nameOf(DatasetType type);  ///< "u8", "u64le", "i64le"
[[nodiscard]] std::size_t bytesOf(DatasetType type);

/// One dataset of a run file: raw little-endian elements in C order.
struct Dataset {
    std::string path;
    DatasetType type = DatasetType::U8;
    std::vector<std::uint64_t> shape;  ///< no size is 0
    std::vector<std::byte> bytes;
};

/// What may be in a run file and nothing else: a path, where * stands for the name of an output or an input, its type and
/// its shape. The table in run_layout.cpp is the layout; README.md explains it.
struct DatasetRule {
    std::string_view path;
    DatasetType type;
    std::vector<std::uint64_t> shape;  ///< kCells, kAny, or a fixed size
};
inline constexpr std::uint64_t kCells = 0;                 ///< one element a cell of the plan
inline constexpr std::uint64_t kAny = ~std::uint64_t(0);  ///< given by another dataset
[[nodiscard]] std::span<const DatasetRule> runFileRules();
/// The rule of a path, or nullptr.
[[nodiscard]] const DatasetRule* ruleOf(std::string_view path);

/// The datasets of a run, in the order in which they are written.
[[nodiscard]] std::vector<Dataset> datasetsOf(const Run& run);

/// The run of these datasets, whose paths, types and ranks follow runFileRules(). Checks every size and that the run does
/// not contradict itself: verdicts follow from counts, histograms add up. `name` says in errors what was read.
[[nodiscard]] Result<Run> runFromDatasets(const std::vector<Dataset>& datasets, std::string_view name);

}  // namespace isobit
