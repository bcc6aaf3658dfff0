// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/element/map_face.h"

#include <algorithm>
#include <string>

namespace isobit::views {

UlpBin binOf(const MapTally& tile) {
    if (tile.marked == 0) return UlpBin::Equal;
    if (tile.unordered || tile.signOrClass) return UlpBin::SignOrClass;
    if (tile.maxUlp == 0) return UlpBin::SignOfZero;
    const auto limit = std::ranges::lower_bound(kUlpBinLimits, tile.maxUlp);
    return static_cast<UlpBin>(static_cast<int>(UlpBin::One) + int(limit - kUlpBinLimits.begin()));
}

double inkOf(const MapTally& tile) {
    constexpr double kLeast = 0.4;
    if (tile.marked == 0) return 0;
    return kLeast + (1 - kLeast) * double(tile.marked) / double(std::max<std::uint64_t>(1, tile.elements));
}

int bitsOfWord(DType dtype) { return static_cast<int>(8 * bytesOf(dtype)); }

QString bitName(DType dtype, int bit) {
    // The text of a word keeps sign, exponent and mantissa apart by blanks; how it is cut says what a bit is.
    const std::string text = bitsOf(dtype, 0);
    const auto fields = std::ranges::count(text, ' ');
    if (!isFloat(dtype) || fields != 2) return QStringLiteral("bit %1").arg(bit);
    const int mantissa = static_cast<int>(text.size() - text.rfind(' ') - 1);
    const int exponent = static_cast<int>(text.rfind(' ') - text.find(' ') - 1);
    if (bit < mantissa) return QStringLiteral("mantissa %1").arg(bit);
    return bit < mantissa + exponent ? QStringLiteral("exponent %1").arg(bit - mantissa) : QStringLiteral("sign");
}

}  // namespace isobit::views
