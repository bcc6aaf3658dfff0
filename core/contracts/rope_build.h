// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "core/arithmetic/rope_table.h"
#include "core/contracts/families_switch.h"

namespace isobit {

// Which class a model rotates in. The selectors are values of a build: nothing here is global. Source: rope.md 5.

struct RopeSelectors {
    bool native = false;  ///< the serving layout's certified table
    bool classB = false;
    friend bool operator==(const RopeSelectors&, const RopeSelectors&) = default;
};

/// Where a family's certified table is evaluated. Source: rope.md 4.3.
enum class RopeFamily {
    Generic,      ///< certifies nothing by itself
    DenseExact,   ///< dense and hybrid: the whole table on the CPU
    SparseExact,  ///< sparse latent attention: outer product, cos and sin on the GPU
};

/// What a build asks for; not given: the family's own.
struct RopeBuildRequest {
    RopeFamily family = RopeFamily::Generic;
    std::optional<bool> native;
    std::optional<bool> classB;
};

/// The selectors of a build. Exact families are native and Class B whatever the environment says, and an explicit false
/// is an Error; generic ones are off unless asked for. Class B without native is an Error, for want of a certified
/// table.
[[nodiscard]] Result<RopeSelectors> selectorsOf(const RopeBuildRequest& request);

[[nodiscard]] TableBuilder builderOf(RopeFamily family);

/// A worker process that builds one model after another, with the selectors as upstream's contract state keeps them:
/// one pair for the process. Each build writes both or, refused, neither.
class RopeWorker {
public:
    /// XORL_ROPE_CLASS_B=1 is Class B's default before the first build.
    explicit RopeWorker(const Environment& environment);
    [[nodiscard]] Result<RopeSelectors> build(const RopeBuildRequest& request);
    [[nodiscard]] RopeSelectors selectors() const { return m_selectors; }

private:
    RopeSelectors m_selectors;
};

/// The expression that runs: Class B needs a GPU; on a CPU the Class-A expression runs even where Class B is selected.
[[nodiscard]] std::string_view ropeRoute(RopeSelectors selectors, bool onGpu);

/// Whether a compiled Class-B function may fall back to eager, which is Class A: only for exactly
/// XORL_ROPE_CLASS_B_ALLOW_FALLBACK=1.
[[nodiscard]] bool mayFallBackToEager(const Environment& environment);

}  // namespace isobit
