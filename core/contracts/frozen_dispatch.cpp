// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/contracts/dispatch_rule.h"

namespace isobit {

const FrozenDispatch& frozenDispatch() {
    static constexpr FrozenDispatch frozen{
        "cluster if tiles >= 7 and 8 * rows <= multiprocessors; "
        "cluster if tiles >= 10 and 2 * rows <= multiprocessors; else fused",
        "resources/records/norm_v2_h200.h5",
        "42a55d448b06f6c1ab2b0e62fa98ddff87e5b2145268af8aa3b14bc352a864b1",
    };
    return frozen;
}

}  // namespace isobit
