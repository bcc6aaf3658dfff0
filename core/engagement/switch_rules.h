// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "core/engagement/engagement.h"

namespace isobit {

/// What XORL_MOE_SGLANG_FUSED_EXPERTS asks for: unset is automatic, which may silently be off and so is never exact.
enum class TriState { On, Off, Automatic };
/// On: 1, true, yes, on; off: 0, false, no, off, in any case of letters; unset or empty: automatic. Anything else is an
/// Error.
[[nodiscard]] Result<TriState> triStateOf(const Environment& environment, const std::string& name);

/// Whether automatic comes out as on (engagement.md 1): expert parallel size 1, CUDA input, a supported module and an
/// importable kernel, all of them.
struct ExpertSituation {
    std::int64_t expertParallel = 1;
    bool cudaInput = true;
    bool supportedModule = true;
    bool kernelImportable = true;
};
/// Whether the expert lane is taken. With On, one sentence where it cannot be: forced on is loud.
[[nodiscard]] Result<bool> resolveExperts(TriState state, const ExpertSituation& situation);

/// The selectors of the contract state against what the receipt selects: a switch that is on with a contract that is not
/// there was read in another build path; a contract without its switch was selected by nothing. The global override:
/// inference only, its operation list readable and wide enough. Source: engagement.md 1.
[[nodiscard]] Findings switchFindings(const Receipt& receipt);

/// Steps of a server's start in their order; "global_override" alone may be left out. Empty: not recorded, which only a
/// trainer in server mode must do. Source: engagement.md 1.
[[nodiscard]] Findings startOrderFindings(const Receipt& receipt);
[[nodiscard]] const std::vector<std::string_view>& serverStartOrder();

}  // namespace isobit
