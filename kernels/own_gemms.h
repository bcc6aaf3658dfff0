// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "kernels/gemm_launch.h"

namespace isobit::cuda {

/// One of this project's kernels with the contract's words: a tensor-core chain an element, k ascending. To add one is
/// one line in own_gemms.cpp: programs, admission and measurements then have it.
struct OwnGemm {
    std::string_view name;                           ///< "narrow", "rows16"
    bool (*admits)(const GemmArguments& call);       ///< whether it can run the product
    bool (*worthTiming)(const GemmArguments& call);  ///< whether it may be the fastest for the product, roughly
    CudaStatus (*launch)(const GemmArguments& call, LaunchOptions options);
    bool bf16Only;  ///< else fp16 too
};

/// All of them; the last ones run every product of 16-bit operands.
[[nodiscard]] std::span<const OwnGemm> ownGemms();
/// The one of that name; nullptr if there is none.
[[nodiscard]] const OwnGemm* findOwnGemm(std::string_view name);
/// The one that suits a product; no bit depends on it.
[[nodiscard]] const OwnGemm& suitedGemm(const GemmArguments& call);

}  // namespace isobit::cuda
