// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engagement/engagement.h"

namespace isobit {

/// Counts, backends and identities of every selected contract of one receipt. Source: engagement.md 2.
[[nodiscard]] Findings contractFindings(const Receipt& receipt);

/// Tables: a contract that reads one names one that the receipt describes; its provenance is complete; nothing on its way
/// or at the apply boundary was narrower than FP32 where the contract needs FP32 (Class B); arrivals are as many as the
/// contract's calls. A perfect count over a downcast table is found here. Source: rope.md 6 and 7.
[[nodiscard]] Findings tableFindings(const Receipt& receipt);

/// Whether a rotary contract needs its table as FP32 words: every one but Class A.
[[nodiscard]] bool needsFp32Table(const ContractReceipt& contract);

}  // namespace isobit
