// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "app/cli/command.h"
#include "core/capture/compare_captures.h"

namespace isobit::cli {

/// What says which tensors and tokens of two captures belong together.
struct PairingArguments {
    std::string graph;        ///< an isobit.graph/1 file or the name of a built-in graph; empty: the one that fits best
    std::string pairing;      ///< an isobit.pairing/1 file to read
    std::string savePairing;  ///< where to write the pairing that was used
    std::optional<std::int64_t> row, trainerRow, samplerRow;  ///< of the batch

    /// The same for core; a row of one side goes before the row of both.
    [[nodiscard]] CaptureChoices choices() const;
};

/// Adds --graph, --pairing, --save-pairing, --row, --trainer-row, --sampler-row.
std::shared_ptr<PairingArguments> addPairingArguments(CLI::App& command);

/// How two captures are compared.
struct CaptureArguments {
    PairingArguments pairing;
    std::string order;  ///< graph, layers, file, or a file with one name a line; empty: graph
    std::string only;   ///< regular expression; only tensors whose name it finds are printed, all are compared
    bool allTensors = false;
    unsigned threads = 0;
    std::string inputRoot;
    bool json = false;
};

/// Pairs as the arguments ask for; writes the pairing where that is asked for.
[[nodiscard]] Result<PairedCaptures> pairCaptures(const TensorFile& trainer, const TensorFile& sampler,
                                                  const PairingArguments& arguments);

/// Compares the tensors of two opened files in execution order and prints the walk; the exit code is 0 if all are equal,
/// 1 if any differs, 2 if they are not comparable or could not be read.
void compareCaptures(Invocation& invocation, const TensorFile& trainer, const TensorFile& sampler,
                     const CaptureArguments& arguments);

}  // namespace isobit::cli
