// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/compare/comparison.h"
#include "core/tensors/tensor.h"

namespace isobit::views {

/// One differing element in the forms in which people read words.
struct WordText {
    QString trainerHex, samplerHex;          ///< "0x3f5b"
    QString trainerDecimal, samplerDecimal;  ///< shortest that reads back
    QString trainerBits, samplerBits;        ///< "0 01111110 1011011": sign, exponent, mantissa
    QString flips;                           ///< "· ········ ······1": ones where the bits differ
    QString distance;                        ///< "1 ULP", "a NaN: no distance", "+0 against -0"
};
[[nodiscard]] WordText wordTextOf(DType dtype, const ElementDifference& difference);

/// "row 12, column 4031" for a matrix, "[1, 12, 4031]" for more dimensions, "element 7" for one.
[[nodiscard]] QString placeText(const Shape& shape, std::uint64_t index);

}  // namespace isobit::views
