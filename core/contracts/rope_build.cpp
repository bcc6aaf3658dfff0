// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/contracts/rope_build.h"

namespace isobit {
namespace {

bool isExactlyOne(const Environment& environment, const char* name) {
    const auto found = environment.find(name);
    return found != environment.end() && found->second == "1";
}

}  // namespace

Result<RopeSelectors> selectorsOf(const RopeBuildRequest& request) {
    const bool exact = request.family != RopeFamily::Generic;
    if (exact && (request.native == false || request.classB == false))
        return failure("rope: {} is switched off, but an exact family is native and Class B",
                       request.native == false ? "native rotary" : "Class B");
    const RopeSelectors selectors{request.native.value_or(exact), request.classB.value_or(exact)};
    if (selectors.classB && !selectors.native)
        return failure("rope: Class B is asked for without native rotary, but it needs a certified table");
    return selectors;
}

TableBuilder builderOf(RopeFamily family) {
    return family == RopeFamily::SparseExact ? TableBuilder::Device : TableBuilder::HostLibm;
}

RopeWorker::RopeWorker(const Environment& environment) {
    m_selectors.classB = isExactlyOne(environment, "XORL_ROPE_CLASS_B");
}

Result<RopeSelectors> RopeWorker::build(const RopeBuildRequest& request) {
    const auto selectors = selectorsOf(request);
    if (selectors) m_selectors = *selectors;
    return selectors;
}

std::string_view ropeRoute(RopeSelectors selectors, bool onGpu) {
    if (!selectors.classB) return "rope.class_a";
    return onGpu ? "rope.class_b" : "rope.class_b.on_cpu";
}

bool mayFallBackToEager(const Environment& environment) {
    return isExactlyOne(environment, "XORL_ROPE_CLASS_B_ALLOW_FALLBACK");
}

}  // namespace isobit
