// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/compare/map_tally.h"
#include "core/compare/ulp_bin.h"
#include "core/numeric/dtype.h"

namespace isobit::views {

/// What a map shows.
enum class MapMode {
    Distance,  ///< where words differ, by the largest distance of a tile
    Flips,     ///< where one bit differs
    Bit,       ///< one bit of one side: hold a key to see the other side's
};

/// The bin that a tile is coloured by: Equal only if no word of it differs.
[[nodiscard]] UlpBin binOf(const MapTally& tile);

/// How strongly a tile of a bit plane is inked, 0 to 1: 0 exactly if the bit is set nowhere; a single element of any
/// number is already seen.
[[nodiscard]] double inkOf(const MapTally& tile);

/// "sign", "exponent 3", "mantissa 0" of a float, "bit 5" of everything else; 0 is the lowest of its field.
[[nodiscard]] QString bitName(DType dtype, int bit);
/// Bits of a word.
[[nodiscard]] int bitsOfWord(DType dtype);

}  // namespace isobit::views
