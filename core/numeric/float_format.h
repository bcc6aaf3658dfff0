// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace isobit {

/// The layout of one binary floating-point format: sign, exponent, mantissa from the top bit down, subnormals kept.
/// `hasInfinity` false means that the format follows E4M3 "fn": no infinity, the one NaN magnitude is all ones.
template <class StorageType, int exponentBits, int mantissaBits, bool infinities = true>
struct FloatFormat {
    using Storage = StorageType;
    static constexpr int kBits = 1 + exponentBits + mantissaBits;
    static constexpr int kExponentBits = exponentBits;
    static constexpr int kMantissaBits = mantissaBits;
    static constexpr int kBias = (1 << (exponentBits - 1)) - 1;
    static constexpr bool kHasInfinity = infinities;

    static constexpr Storage kSignMask = Storage(Storage(1) << (kBits - 1));
    static constexpr Storage kMantissaMask = Storage((Storage(1) << mantissaBits) - 1);
    static constexpr Storage kExponentMask = Storage(Storage(kSignMask - 1) & Storage(~kMantissaMask));
    static constexpr Storage kMagnitudeMask = Storage(kSignMask - 1);
    /// Magnitude of infinity; for E4M3 the magnitude of its NaN, which is what lies above the largest finite value.
    static constexpr Storage kAboveFinite = infinities ? kExponentMask : kMagnitudeMask;
    static constexpr Storage kQuietBit = Storage(Storage(1) << (mantissaBits - 1));
    /// The NaN that a conversion gives where the format can say no more about the payload.
    static constexpr Storage kCanonicalNan = infinities ? Storage(kExponentMask | kQuietBit) : kMagnitudeMask;
};

using Bf16Format = FloatFormat<std::uint16_t, 8, 7>;
using Fp16Format = FloatFormat<std::uint16_t, 5, 10>;
using Fp8E4M3Format = FloatFormat<std::uint8_t, 4, 3, false>;
using Fp8E5M2Format = FloatFormat<std::uint8_t, 5, 2>;
using Fp32Format = FloatFormat<std::uint32_t, 8, 23>;
using Fp64Format = FloatFormat<std::uint64_t, 11, 52>;

}  // namespace isobit
