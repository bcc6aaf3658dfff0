// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "core/capture/operation_index.h"
#include "core/capture/walk.h"

namespace isobit {

/// Fills operation, belongsTo, owned, role, why and captureNext of every step from what became of all of them.
void assignRoles(std::vector<WalkStep>& steps, const OperationIndex& index);

}  // namespace isobit
