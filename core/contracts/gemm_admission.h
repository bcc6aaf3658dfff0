// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace isobit {

/// A library's algorithm as a table holds it: the opaque words are what runs, the rest is for people.
struct AdmittedAlgorithm {
    std::array<std::uint64_t, 8> words{};
    std::uint64_t workspace = 0;  ///< bytes, at most 1 GiB
    std::int64_t id = 0;
    std::int64_t tile = 0;
    std::int64_t stages = 0;
    std::int64_t splitK = 1;
    std::int64_t reduction = 0;
    std::int64_t swizzle = 0;
    std::int64_t custom = 0;
    std::int64_t inner = 0;
    std::int64_t cluster = 0;

    friend bool operator==(const AdmittedAlgorithm&, const AdmittedAlgorithm&) = default;
};

/// What was the fastest at one shape of those that keep the contract's words (gemm.md 3).
struct AdmittedGemm {
    std::int64_t rows = 0;                       ///< M
    std::int64_t columns = 0;                    ///< N
    std::int64_t depth = 0;                      ///< K
    std::string realisation;                     ///< "cublasLt", or an own kernel: "narrow", "rows64"
    double us = 0;                               ///< microseconds a call when it was admitted
    double defaultUs = 0;                        ///< of the library's default, whatever its words
    std::string wordsSha256;                     ///< of the contract's bf16 words at the shape, first seed
    std::optional<AdmittedAlgorithm> algorithm;  ///< of the library; none for an own kernel
    std::vector<std::int64_t> rowsKept;          ///< numbers of rows at which the algorithm kept every row's words
};

/// A table of format isobit.gemm-admission/1, made by `isobit admit gemm` on one chip with one library.
struct GemmAdmissionTable {
    std::string source;  ///< what to call it: its path
    std::string gpu;     ///< "NVIDIA H200"
    std::string driver;
    std::string library;  ///< "cublasLt"
    std::uint64_t libraryVersion = 0;
    std::vector<AdmittedGemm> entries;

    /// The entry of exactly that shape; nullptr where there is none. What is fastest at one number of rows may be the
    /// slowest at another, and the words of an algorithm are known only where it was tried.
    [[nodiscard]] const AdmittedGemm* find(std::int64_t rows, std::int64_t columns, std::int64_t depth) const;
};

/// Reads a table strictly: an unknown key, a size outside [1, 2^20], a shape twice or an algorithm with more than one K
/// range is refused, since nothing of a table is to be trusted by chance. `name` names the text in errors.
[[nodiscard]] Result<GemmAdmissionTable> parseGemmAdmission(std::string_view text, std::string_view name);
[[nodiscard]] Result<GemmAdmissionTable> readGemmAdmission(const std::string& path);

/// An Error if the table was made on another chip or for another version of the library than those at hand: its
/// algorithms may then have other words, so it is admitted again or not used.
[[nodiscard]] Result<void> requireSameMachine(const GemmAdmissionTable& table, std::string_view gpu,
                                              std::uint64_t libraryVersion);

}  // namespace isobit
