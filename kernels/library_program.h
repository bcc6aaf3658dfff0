// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/contracts/gemm_admission.h"
#include "core/programs/program.h"

namespace isobit::cuda {

/// The table that ISOBIT_GEMM_ADMISSION names, else the one built in (resources/records/gemm_admission_h200.json).
[[nodiscard]] Result<GemmAdmissionTable> chosenAdmissionTable();

/// Adds the programs of operation gemm that run cuBLASLt. `programs` holds the own kernels' already and must outlive
/// what is added.
///  "cuda:gemm.bf16.admitted"  each call by what the table says is the fastest with the contract's words at its shape;
///                             by the own kernel's choice where the table has nothing, or the call has a bias. A table
///                             for another chip or library is never used: one that was named refuses every call, of the
///                             one built in nothing counts as admitted
///  "cuda:gemm.bf16.library"   only where a library or a table is named: each call without a bias by one of the table's
///                             algorithms that the library runs there, which one depends on the shape. It shows that
///                             what was admitted keeps its words away from the table's shapes as well
///  "cuda:cublaslt.default"    what the library's heuristic proposes first: its own arithmetic, not the contract's
void addLibraryPrograms(ProgramList& programs);

}  // namespace isobit::cuda
