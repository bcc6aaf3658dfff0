// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/contracts/dispatch_rule.h"

namespace isobit {

const FrozenDispatch& frozenDispatch() {
    static constexpr FrozenDispatch frozen{
        "cluster if tiles >= 7 and 8 * rows <= multiprocessors; "
        "cluster if tiles >= 10 and 2 * rows <= multiprocessors; else fused",
        "resources/records/norm_v2_h200.json",
        "",
    };
    return frozen;
}

}  // namespace isobit
