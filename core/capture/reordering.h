// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>
#include <string>

#include "core/capture/pair_words.h"

namespace isobit {

/// One sentence if the sampler's words of a differing pair are the trainer's in another order: in column-major order, as a
/// Fortran array or a transposed view is when it is written as its memory lies (told exactly), or in any other (told by
/// two sums of 64-bit hashes, up to 2^27 elements). Empty if they are not. Commentary: the pair differs all the same. Stopped
/// it says nothing.
[[nodiscard]] Result<std::string> reorderingOf(const PairWords& pair, std::stop_token stop = {});

}  // namespace isobit
