// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/packing/sample.h"

namespace isobit {

/// A sample whose labels stand where their logits are.
struct ShiftedSample {
    Sample sample;          ///< every list of a token a token; `labels` are there but in unpacked mode without any
    bool wasShifted = false;  ///< came with targets: nothing was moved
};

/// The token rules of packing.md 1:
/// - targets of the ids' length: unchanged; labels beside them stay the labels, the targets are kept apart;
/// - labels of the ids' length: the last id (and position) goes, the first label, weight and advantage goes;
/// - neither: ignored labels and the same shift; in unpacked mode no label and no shift;
/// - context fields lose their last element, unless they are of the shifted length already;
/// - a weight of 0, an advantage of exactly 0 or of -0: label and target become -100.
/// An Error for any other length, and for weights other than 0 and 1.
[[nodiscard]] Result<ShiftedSample> shiftSample(Sample sample, bool packed);

}  // namespace isobit
