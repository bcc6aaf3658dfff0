// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "core/programs/attention_inputs.h"
#include "core/programs/reference_program.h"
#include "core/silicon/silicon.h"

namespace isobit {

/// "reference:NAME", "reference:NAME.chunked", "reference:NAME.paged"; what they take and give: attention_inputs.h.
[[nodiscard]] std::unique_ptr<const Program> makeAttentionProgram(const NamedAttention& attention, AttentionRoute route,
                                                                  const Silicon& silicon);

/// Program::runRowsAlone for a batched call; of a packed one no first dimension counts requests, which is an Error.
[[nodiscard]] Result<std::vector<NamedTensor>> requestsAlone(const Program& program, const OperationCall& call,
                                                             const RunOptions& options);

}  // namespace isobit
