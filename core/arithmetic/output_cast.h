// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

#include "core/numeric/word.h"

namespace isobit {

/// What the device's converter stores for one FP32 value: bf16 to nearest even, any NaN as 0x7FFF. rows::castBf16 is the
/// same for a row.
[[nodiscard]] inline std::uint16_t storedBf16(float value) { return std::isnan(value) ? 0x7FFF : bf16Bits(value); }

/// The same for fp16.
[[nodiscard]] inline std::uint16_t storedFp16(float value) {
    return std::isnan(value) ? 0x7FFF : narrow<Fp16Format>(value).bits;
}

}  // namespace isobit
