// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/silicon/silicon_table.h"

namespace isobit::cuda {

/// One function or class of operands, compared word for word between the model and the hardware.
struct SiliconCheck {
    std::string name;              ///< "rcp.approx.ftz", "wgmma bf16, cancelling"
    std::uint64_t inputs = 0;      ///< operands compared
    std::uint64_t mismatches = 0;  ///< results whose words differ
    std::string first;             ///< the first of them in words; empty if there is none
};

struct SiliconReport {
    SiliconProvenance provenance;  ///< of this comparison: GPU, driver, toolkit, sources
    std::string tableSha256;
    std::vector<SiliconCheck> checks;

    [[nodiscard]] std::uint64_t mismatches() const;
    /// {silicon, table_sha256, provenance, mismatches, checks: [{name, inputs, mismatches, first?}]}
    [[nodiscard]] Json toJson() const;
};

using CheckProgress = std::function<void(const SiliconCheck& finished)>;

/// The GPU that this process would use, its driver and the toolkit; the Error says that there is none, or that it is
/// not of compute capability 9.0.
[[nodiscard]] Result<SiliconProvenance> describeHopper();

/// Measures the reference binades of every approximation, finds their integers, and proves them on the device over all
/// 2^32 operands of every function in both modes. The Error names the first function that does not hold.
[[nodiscard]] Result<std::vector<std::byte>> captureSilicon(const CheckProgress& progress);

/// Every function and mode on all 2^32 operands, div.full on 2^33 pairs a mode, and 2^30 tensor-core steps of every
/// class and format by mma.sync and by wgmma. A few seconds on an H200.
[[nodiscard]] Result<SiliconReport> verifySilicon(const SiliconTable& table, const CheckProgress& progress);

}  // namespace isobit::cuda
