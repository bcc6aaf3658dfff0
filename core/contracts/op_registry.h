// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace isobit {

// The batch-invariant operations that an engine overrides globally, and the text that selects them. Source: gemm.md 8.

/// "addmm", "bmm", "log_softmax", "mean", "mm", "mm_dtype", "rms_norm": sorted.
[[nodiscard]] std::span<const std::string_view> batchInvariantOps();

/// The operations that a value of XORL_BATCH_INVARIANT_OPS selects, sorted. The whole value "", 1, true, yes or all:
/// every one; 0, false, no or none: none. Else parts between ',' and ';', with '-' for '_' and the aliases matmul,
/// logsoftmax and rmsnorm; mm brings mm_dtype. Letters' case and surrounding space do not matter. An unknown part is an
/// Error that quotes it and lists the names; a value of separators alone selects nothing.
[[nodiscard]] Result<std::vector<std::string>> parseBatchInvariantOps(std::string_view value);

/// The global mode of one process, as described: which operations are overridden, and whether the mode is on at all (it
/// is on with an empty selection too).
class BatchInvariantMode {
public:
    /// Idempotent: while on, a second call changes nothing.
    [[nodiscard]] Result<void> enable(std::string_view value = "all");
    void disable();

    [[nodiscard]] bool enabled() const { return m_enabled; }
    /// Sorted; empty while off.
    [[nodiscard]] std::vector<std::string> activeOps() const;
    /// Takes aliases; an unknown name is never active.
    [[nodiscard]] bool isActive(std::string_view op) const;

    /// What the override of `op` does with tensors of which one requires a gradient: refused while gradients are
    /// recorded, since the override records no graph.
    [[nodiscard]] Result<void> checkGradient(std::string_view op, bool gradientMode, bool anyRequiresGradient) const;

private:
    bool m_enabled = false;
    std::vector<std::string> m_ops;
};

}  // namespace isobit
