// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/command.h"
#include "core/capture/walk.h"

namespace isobit::cli {

/// How two captures are compared.
struct CaptureArguments {
    std::string graphPath;  ///< an isobit.graph/1 file; empty: the built-in decoder
    std::string only;       ///< regular expression; only tensors whose name it finds are printed, all are compared
    unsigned threads = 0;
    bool json = false;
};

/// Compares the tensors of two opened files in execution order and prints the walk; the exit code is 0 if all are equal,
/// 1 if any differs, 2 if they are not comparable or could not be read.
void compareCaptures(Invocation& invocation, const TensorFile& trainer, const TensorFile& sampler,
                     const CaptureArguments& arguments);

}  // namespace isobit::cli
