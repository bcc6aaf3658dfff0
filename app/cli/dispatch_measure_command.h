// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/command.h"

namespace isobit::cli {

/// Adds `measure` to the dispatch command: bits and times of norm v2 on the 72-cell grid, as a run file.
void addDispatchMeasureCommand(CLI::App& dispatch, Invocation& invocation);

}  // namespace isobit::cli
