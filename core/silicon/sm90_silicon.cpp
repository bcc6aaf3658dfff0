// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "core/silicon/ieee_operations.h"
#include "core/silicon/silicon.h"
#include "core/silicon/silicon_table.h"
#include "core/silicon/sm90_library.h"
#include "core/silicon/sm90_tensor_core.h"
#include "core/silicon/tensor_chain.h"

namespace isobit {
namespace {

class Sm90Silicon final : public Silicon {
public:
    explicit Sm90Silicon(const SiliconTable& table) : m_table(table) {}

    std::string_view name() const override { return "sm_90"; }
    std::string_view tableSha256() const override { return m_table.fileSha256; }

    float rcp(float x, Subnormals mode) const override {
        return mode == Subnormals::Keep ? sm90::rcpKeep(m_table.tables, x) : sm90::rcpFlush(m_table.tables, x);
    }
    float rsqrt(float x, Subnormals mode) const override {
        return mode == Subnormals::Keep ? sm90::rsqrtKeep(m_table.tables, x) : sm90::rsqrtFlush(m_table.tables, x);
    }
    float sqrt(float x, Subnormals mode) const override {
        return mode == Subnormals::Keep ? sm90::sqrtKeep(m_table.tables, x) : sm90::sqrtFlush(m_table.tables, x);
    }
    float ex2(float x, Subnormals mode) const override {
        return mode == Subnormals::Keep ? sm90::ex2Keep(m_table.tables, x) : sm90::ex2Flush(m_table.tables, x);
    }
    float lg2(float x, Subnormals mode) const override {
        return mode == Subnormals::Keep ? sm90::lg2Keep(m_table.tables, x) : sm90::lg2Flush(m_table.tables, x);
    }
    float divFull(float numerator, float denominator, Subnormals mode) const override {
        return mode == Subnormals::Keep ? sm90::divideFullKeep(m_table.tables, numerator, denominator)
                                        : sm90::divideFullFlush(m_table.tables, numerator, denominator);
    }
    float logf(float x, Subnormals mode) const override { return sm90::cudaLogf(x, mode == Subnormals::Flush); }
    float expf(float x, Subnormals mode) const override {
        return sm90::cudaExpf(m_table.tables, x, mode == Subnormals::Flush);
    }
    float tensorStepBf16(float accumulator, std::span<const std::uint16_t, 16> a,
                         std::span<const std::uint16_t, 16> b) const override {
        return step<sm90::TensorBf16>(accumulator, a, b);
    }
    float tensorStepFp16(float accumulator, std::span<const std::uint16_t, 16> a,
                         std::span<const std::uint16_t, 16> b) const override {
        return step<sm90::TensorFp16>(accumulator, a, b);
    }
    float tensorStepTf32(float accumulator, std::span<const float, 8> a, std::span<const float, 8> b) const override {
        std::array<std::uint32_t, 8> left;
        std::array<std::uint32_t, 8> right;
        for (std::size_t k = 0; k < 8; ++k) {
            left[k] = ieee::bitsOf(a[k]) >> 13;
            right[k] = ieee::bitsOf(b[k]) >> 13;
        }
        return ieee::floatOf(
            sm90::tensorStep<sm90::TensorTf32, 8>(ieee::bitsOf(accumulator), left.data(), right.data()));
    }
    void tensorChain(std::span<const TensorRow> rows, const TensorColumns& b,
                     std::span<float> accumulators) const override {
        sm90TensorChain(rows, b, accumulators);
    }

private:
    template <class Format>
    static float step(float accumulator, std::span<const std::uint16_t, 16> a, std::span<const std::uint16_t, 16> b) {
        std::array<std::uint32_t, 16> left;
        std::array<std::uint32_t, 16> right;
        for (std::size_t k = 0; k < 16; ++k) {
            left[k] = a[k];
            right[k] = b[k];
        }
        return ieee::floatOf(sm90::tensorStep<Format, 16>(ieee::bitsOf(accumulator), left.data(), right.data()));
    }

    const SiliconTable& m_table;
};

}  // namespace

Result<const Silicon*> sm90Silicon() {
    const Result<SiliconTable>& table = embeddedSm90Table();
    if (!table) return failureOf(table);
    static const Sm90Silicon silicon(*table);
    return &silicon;
}

}  // namespace isobit
