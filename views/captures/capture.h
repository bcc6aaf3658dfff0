// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMetaType>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/capture/compare_captures.h"
#include "core/tensors/formats.h"

namespace isobit::views {

/// How files are read and, if there are two, compared.
struct CaptureRequest {
    OpenOptions open;
    CaptureChoices choices;
};

/// One opened file or folder of tensors, or two that were compared. Of a single file nothing was compared.
struct Capture : ComparedCaptures {
    TensorFile trainer{"", ""};  ///< of a single file: that file
    std::optional<TensorFile> sampler;
    CaptureRequest request;              ///< what gave this answer
    std::vector<ReplayToken> tokens;     ///< of the replay
    std::vector<std::int64_t> tokenIds;  ///< of the trainer; empty if there are not as many as tokens
    std::size_t pairs = 0;  ///< that there are to compare, as many as steps once all are compared

    /// More steps come. Until then none has a role, no check was made, and no log-probability was replayed.
    [[nodiscard]] bool isPartial() const { return walk.steps.size() < pairs; }
    [[nodiscard]] bool isPair() const { return sampler.has_value(); }
};

/// Immutable and shared, as every view holds it.
using CapturePtr = std::shared_ptr<const Capture>;

/// Whether `now` is what `before` becomes as the comparison goes on: the same steps so far, and maybe more.
[[nodiscard]] bool continues(const Capture& now, const Capture& before);

/// Shape of the words that a step compares; empty for a step with one side.
[[nodiscard]] Shape shapeOf(const Capture& capture, const WalkStep& step);

/// How far a comparison is: tensors done and in all.
using CaptureProgress = std::function<void(int done, int total)>;

/// What shows a comparison while it goes on: copies of it as far as it is, one an interval at most, and never so many that
/// copying takes more than a tenth of the time. `show` is called on the comparing thread; false: no copy is wanted now.
struct CaptureStream {
    std::chrono::milliseconds interval{0};
    std::function<bool()> isWanted;
    std::function<void(Capture)> show;  ///< empty: nothing is shown
};

/// Opens both and compares every pair of tensors. An Error is one sentence; a stop is an Error, too.
[[nodiscard]] Result<Capture> compareFiles(const std::string& trainerPath, const std::string& samplerPath,
                                           const CaptureRequest& request, std::stop_token stop,
                                           const CaptureProgress& progress, const CaptureStream& stream = {});

}  // namespace isobit::views

Q_DECLARE_METATYPE(isobit::views::CapturePtr)
