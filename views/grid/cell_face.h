// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/sweep/run.h"

namespace isobit::views {

/// How one cell of a grid is drawn. Never a colour alone: every face has a text.
struct CellFace {
    enum Kind {
        Missing,    ///< the grid has the point, the run has no record of it: outline
        NotRun,     ///< stopped or not yet begun: dots
        Equal,      ///< neutral, with the glyph
        Different,  ///< a colour of the ramp, with the number of differing words
        NotFinite,  ///< differs, and a word that differs is infinite or NaN: hatched
        Failed,     ///< could not be run: an exclamation mark
    };
    Kind kind = Missing;
    UlpBin bin = UlpBin::Equal;     ///< the worst bin that holds a word
    std::uint64_t different = 0;    ///< differing words, over the outputs shown
    std::uint64_t elements = 0;
    std::uint64_t maxUlp = 0;
    bool rowsDepend = false;  ///< batch invariance was checked and does not hold on one side

    friend bool operator==(const CellFace&, const CellFace&) = default;
};

/// The face of a cell, over one of its outputs or, if `output` is empty, over all; nullptr gives Missing.
[[nodiscard]] CellFace faceOf(const CellResult* cell, const std::string& output);
/// Full text: "═", "107·1", "!", "···", "".
[[nodiscard]] QString glyphOf(const CellFace& face);
/// The count alone, shortened to about four characters where the full text does not fit: "1.2M".
[[nodiscard]] QString shortGlyphOf(const CellFace& face);
/// One sentence for a tool tip and a screen reader: "different: 107 of 524,288 words, at most 1 ULP".
[[nodiscard]] QString sentenceOf(const CellFace& face);

/// A bin for a legend or an axis: "±0", "1", "3-4", "257-65536", ">65536", "sign or class".
[[nodiscard]] QString shortLabelOf(UlpBin bin);

}  // namespace isobit::views
