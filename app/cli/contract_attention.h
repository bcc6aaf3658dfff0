// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/command.h"

namespace isobit::cli {

/// `isobit contract attention`.
void addContractAttention(CLI::App& contract, Invocation& invocation);

}  // namespace isobit::cli
