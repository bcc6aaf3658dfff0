// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/programs/program.h"

namespace isobit::cuda {

/// Adds "cuda:NAME" and "cuda:NAME.in_place", which rotates x where it lies, for rope.class_a, rope.class_b and its
/// adjoint; "cuda:NAME" for rope.class_b.uncontracted, .sine_product and .table_downcast. Inputs and outputs as the
/// reference programs have them.
void addRopePrograms(ProgramList& programs);

}  // namespace isobit::cuda
