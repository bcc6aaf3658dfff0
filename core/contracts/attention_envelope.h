// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/contracts/contract.h"

namespace isobit {

/// q [T, heads, d], k and v [Tk, kv heads, d] packed, or [pages, page size, kv heads, d] with page_table; bf16 on the GPU,
/// unit last stride; d 64, 128 or 256; query heads a multiple of the kv heads; cumulative lengths and page table int32 or
/// int64. Parameters softcap other than 0, num_splits other than 1, sinks and dropout are refused. Source: attention.md 3.
[[nodiscard]] Result<void> admitAttention(const CallDescription& call);

}  // namespace isobit
