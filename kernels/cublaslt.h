// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "kernels/gemm_launch.h"

namespace isobit::cuda {

/// One way in which the library can compute a product: its opaque words, and its fields for people and tables.
struct LtAlgorithm {
    std::array<std::uint64_t, 8> words{};
    std::size_t workspace = 0;  ///< bytes
    std::int32_t id = 0;
    std::uint32_t tile = 0;
    std::uint32_t stages = 0;
    std::uint32_t splitK = 1;
    std::uint32_t reduction = 0;
    std::uint32_t swizzle = 0;
    std::uint32_t custom = 0;
    std::uint16_t inner = 0;
    std::uint16_t cluster = 0;
};
/// "algorithm 66, tile 20, stages 36, split-K 1, ..."
[[nodiscard]] std::string textOf(const LtAlgorithm& algorithm);

/// The library, opened at run time and never linked: a machine without it keeps every own kernel.
class CublasLt {
public:
    /// Opens ISOBIT_CUBLASLT, or libcublasLt.so.13 where the loader finds it. An Error names what was looked for.
    [[nodiscard]] static Result<std::shared_ptr<const CublasLt>> open();
    ~CublasLt();
    CublasLt(const CublasLt&) = delete;
    CublasLt& operator=(const CublasLt&) = delete;

    [[nodiscard]] std::size_t version() const { return m_version; }   ///< 130002 for 13.0.2
    [[nodiscard]] const std::string& file() const { return m_file; }  ///< what the loader opened

private:
    friend class LtProduct;
    struct Functions;
    CublasLt() = default;
    void* m_library = nullptr;
    void* m_handle = nullptr;
    std::unique_ptr<Functions> m_functions;
    std::size_t m_version = 0;
    std::string m_file;
};

/// out [M, N] = a [M, K] w [N, K]^T, bf16 in, FP32 accumulation, bf16 or FP32 out, all contiguous, no bias.
class LtProduct {
public:
    [[nodiscard]] static Result<LtProduct> create(std::shared_ptr<const CublasLt> library, std::int64_t rows,
                                                  std::int64_t columns, std::int64_t depth, GemmOutputType output);
    LtProduct(LtProduct&& other) noexcept;
    LtProduct& operator=(LtProduct&&) = delete;
    ~LtProduct();

    /// What the library's heuristic proposes, best first; the first is its default.
    [[nodiscard]] Result<std::vector<LtAlgorithm>> heuristics(int most, std::size_t workspaceLimit) const;
    /// Every algorithm, tile and stage count that the library lists, with one K range: configurations that the
    /// heuristic may not propose. Those that cannot run at this shape are left out.
    [[nodiscard]] std::vector<LtAlgorithm> unsplitConfigurations(std::size_t workspaceLimit, std::size_t most) const;
    /// Whether the library would run it at this shape and output type.
    [[nodiscard]] bool supports(const LtAlgorithm& algorithm) const;
    [[nodiscard]] Result<void> run(const LtAlgorithm& algorithm, const void* a, const void* w, void* out,
                                   void* workspace, StreamHandle stream) const;

private:
    LtProduct() = default;
    std::shared_ptr<const CublasLt> m_library;
    void* m_operation = nullptr;
    void* m_weightLayout = nullptr;
    void* m_aLayout = nullptr;
    void* m_outLayout = nullptr;
    GemmOutputType m_output = GemmOutputType::Bf16;
};

}  // namespace isobit::cuda
