// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/sweep/plan.h"

namespace {

constexpr std::size_t kMostCells = 100'000;

}  // namespace
