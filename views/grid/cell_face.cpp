// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/grid/cell_face.h"

#include <algorithm>
#include <array>

#include "views/text.h"

namespace isobit::views {

namespace {

void add(CellFace& face, const Comparison& comparison) {
    face.bin = std::max(face.bin, comparison.worstBin());
    face.different += comparison.different;
    face.elements += comparison.elements;
    face.maxUlp = std::max(face.maxUlp, comparison.maxUlp);
    const auto notFinite = comparison.count(DifferenceClass::InfinityOrNan) + comparison.count(DifferenceClass::NanPayload);
    if (notFinite > 0) face.kind = CellFace::NotFinite;
    if (comparison.different > 0 && face.kind != CellFace::NotFinite) face.kind = CellFace::Different;
}

bool violated(const BatchInvariance& invariance) { return invariance.checked && !invariance.holds; }

QString ulpText(const CellFace& face) {
    if (face.bin == UlpBin::SignOfZero) return QStringLiteral("±0");
    if (face.bin == UlpBin::SignOrClass) return QStringLiteral("±");
    return shortened(face.maxUlp);
}

}  // namespace

CellFace faceOf(const CellResult* cell, const std::string& output) {
    CellFace face;
    if (cell == nullptr) return face;
    face.rowsDepend = violated(cell->trainerInvariance) || violated(cell->samplerInvariance);
    if (cell->status == CellStatus::NotRun) {
        face.kind = CellFace::NotRun;
    } else if (cell->status == CellStatus::Failed) {
        face.kind = CellFace::Failed;
    } else {
        for (const OutputResult& result : cell->outputs) {
            if (!output.empty() && result.name != output) continue;
            if (face.kind == CellFace::Missing) face.kind = CellFace::Equal;
            add(face, result.comparison);
        }
    }
    return face;
}

QString glyphOf(const CellFace& face) {
    switch (face.kind) {
        case CellFace::Missing: return {};
        case CellFace::NotRun: return QStringLiteral("···");
        case CellFace::Equal: return QStringLiteral("═");
        case CellFace::Failed: return QStringLiteral("!");
        case CellFace::Different:
        case CellFace::NotFinite: break;
    }
    return shortened(face.different) + QStringLiteral("·") + ulpText(face);
}

QString shortGlyphOf(const CellFace& face) {
    const bool differs = face.kind == CellFace::Different || face.kind == CellFace::NotFinite;
    return differs ? shortened(face.different) : glyphOf(face);
}

QString sentenceOf(const CellFace& face) {
    switch (face.kind) {
        case CellFace::Missing: return QStringLiteral("missing: the run has no record of this cell");
        case CellFace::NotRun: return QStringLiteral("not run");
        case CellFace::Failed: return QStringLiteral("failed: could not be run");
        case CellFace::Equal: return QStringLiteral("equal: all %1 words").arg(grouped(face.elements));
        case CellFace::Different:
        case CellFace::NotFinite: break;
    }
    const QString counts =
        QStringLiteral("different: %1 of %2 words").arg(grouped(face.different), grouped(face.elements));
    if (face.kind == CellFace::NotFinite) return counts + QStringLiteral(", infinities or NaN among them");
    if (face.bin == UlpBin::SignOfZero) return counts + QStringLiteral(", only +0 against -0");
    return counts + QStringLiteral(", at most %1 ULP").arg(grouped(face.maxUlp)) +
           (face.bin == UlpBin::SignOrClass ? QStringLiteral(", sign changed") : QString());
}

QString shortLabelOf(UlpBin bin) {
    switch (bin) {
        case UlpBin::Equal: return QStringLiteral("0");
        case UlpBin::SignOfZero: return QStringLiteral("±0");
        case UlpBin::Larger: return QStringLiteral(">65536");
        case UlpBin::SignOrClass: return QStringLiteral("sign or class");
        default: return QString::fromUtf8(nameOf(bin).data(), qsizetype(nameOf(bin).size()));
    }
}

}  // namespace isobit::views
