// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/opening.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "core/sweep/run_file.h"
#include "views/engagement/shown_engagement.h"

namespace isobit::workbench {

namespace {

constexpr std::string_view kHdf5Signature("\x89HDF\r\n\x1A\n", 8);

enum class Hdf5Kind { None, Old, New };

/// Sweeps write superblock version 3, the byte after the signature. Only a regular file is read: a FIFO would wait.
Hdf5Kind hdf5KindOf(const std::string& path) {
    std::error_code problem;
    std::array<char, 9> head{};
    if (std::filesystem::is_regular_file(path, problem)) std::ifstream(path, std::ios::binary).read(head.data(), head.size());
    if (!std::string_view(head.data(), head.size()).starts_with(kHdf5Signature)) return Hdf5Kind::None;
    return head[8] == 3 ? Hdf5Kind::New : Hdf5Kind::Old;
}

/// A run file whose bytes are damaged still is HDF5 with tensors in it; to show those would hide the damage.
bool callsItselfARun(const TensorFile& file) {
    return std::ranges::any_of(file.metadata(), [](const auto& entry) { return entry.second.starts_with("isobit.run/"); });
}

}  // namespace

Result<views::Opened> openPath(const std::string& path, const OpenOptions& options) {
    const auto receipt = views::readEngagement({path});
    if (!receipt) return failureOf(receipt);
    if (*receipt) return views::Opened(*receipt);
    const bool maybeRun = !options.raw && hdf5KindOf(path) == Hdf5Kind::New;
    Result<RunFile> run = failure("{}: no run file", path);
    if (maybeRun) run = readRunFile(path);
    if (run) return views::Opened(views::OpenedRun{std::move(run->run), std::move(run->sha256)});
    auto tensors = openTensorFile(path, options);
    if (maybeRun && (!tensors || callsItselfARun(*tensors))) return failureOf(run);
    if (!tensors) return failureOf(tensors);
    return views::Opened(std::move(*tensors));
}

}  // namespace isobit::workbench
