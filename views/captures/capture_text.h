// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "views/captures/capture.h"
#include "views/run_text.h"

namespace isobit::views {

/// The name of the one file; of a pair, what both file names begin with, else both names.
[[nodiscard]] QString titleOf(const Capture& capture);
/// "33 of 41 tensors differ", "all 41 tensors equal", "41 tensors, 1.3 MB"; what is missing or not comparable is named.
[[nodiscard]] QString verdictOf(const Capture& capture);
[[nodiscard]] Verdict verdictKind(const Capture& capture);
/// The file and the folder that it lies in: "dumps/trainer.safetensors"; the whole path is for a tool tip.
[[nodiscard]] QString shortPathOf(const TensorFile& file);
/// "safetensors, 41 tensors".
[[nodiscard]] QString contentOf(const TensorFile& file);
/// The command that gives the same answer.
[[nodiscard]] QString commandFor(const Capture& capture);

/// How two captures were put beside each other, in one line: "walked in the order of the operations of qwen3-like  ·  paired by
/// pairing.json  ·  row 2 of both batches  ·  12 tensors lined up by token".
[[nodiscard]] QString choicesText(const Capture& capture);
/// A sentence a line of how tokens were lined up, each once; empty where none were.
[[nodiscard]] QString alignmentText(const Capture& capture);

/// How the steps of a walk are told apart without colour: one glyph each.
/// "═" equal, "■" culprit, "▨" inherited, "?" cannot say, "≠" differs with no operation known, "□" missing, "!" not
/// comparable.
[[nodiscard]] QString glyphOf(const WalkStep& step);
/// "culprit: RoPE", "inherited", "cannot say", "differs", "equal", "missing", "not comparable".
[[nodiscard]] QString roleText(const WalkStep& step);
/// "6,578 of 24,576", "all 24,576 equal", or the reason.
[[nodiscard]] QString countsText(const WalkStep& step);
/// One sentence for a tool tip and a screen reader.
[[nodiscard]] QString sentenceOf(const WalkStep& step);
/// "1 ULP", "sign or class", "±0"; empty where no words differ.
[[nodiscard]] QString largestText(const WalkStep& step);
/// "same name", "renamed", "slice", "one side only".
[[nodiscard]] QString matchText(const TensorPair& pair);
/// "layers.00.attn_out, layers.00.o_proj and 19 more": the nearest come first.
[[nodiscard]] QString captureNextText(const WalkStep& step, int most);
/// The reason in at most about so many characters, cut between words.
[[nodiscard]] QString whyText(const WalkStep& step, int most);
/// The layer that a name belongs to, as it is written ("00"); empty if none.
[[nodiscard]] QString layerOf(const std::string& name);
/// "1.3 MB", "512 bytes".
[[nodiscard]] QString sizeText(std::uint64_t bytes);

}  // namespace isobit::views
