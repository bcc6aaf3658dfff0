// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/command.h"

namespace isobit::cli {

/// Adds `rope fit` to the command `rope`.
void addRopeFitCommand(CLI::App& rope, Invocation& invocation);

}  // namespace isobit::cli
