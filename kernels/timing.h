// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/base/result.h"
#include "kernels/norm_launch.h"

namespace isobit::cuda {

/// Puts one call on the stream of the options.
using LaunchCall = std::function<Result<void>(const LaunchOptions& options)>;

/// How a call is timed: `warmups` plain calls, then a graph of `calls` calls replayed `replays` times, each replay
/// between two events. Same buffers every time: the cache is hot.
struct TimingProtocol {
    int warmups = 20;
    int calls = 200;
    int replays = 11;
    bool programmatic = true;  ///< each call is a programmatic dependent of the one before
    /// Idle after each replay, in multiples of its time. Large products draw more power than a card may for long: after
    /// some 50 ms an H200 lowers its clocks by a fifth, and a median says when that was rather than how fast a call is.
    int rest = 0;
};

/// All samples in the order in which they were taken.
struct Samples {
    int calls = 1;                         ///< calls in one sample
    std::vector<std::uint64_t> replaysNs;  ///< nanoseconds of a sample

    [[nodiscard]] double minimumUs() const;  ///< microseconds a call
    [[nodiscard]] double medianUs() const;
    [[nodiscard]] double spread() const;  ///< (largest - smallest) / median
};

[[nodiscard]] Result<Samples> timeHot(const LaunchCall& launch, const TimingProtocol& protocol);

/// The same for several calls, whose replays take turns, so that a change of the clocks meets all of them alike.
[[nodiscard]] Result<std::vector<Samples>> timeInTurns(const std::vector<LaunchCall>& launches,
                                                       const TimingProtocol& protocol);

/// One call a sample, after the L2 cache was filled with other data; timed between two events, whose own cost is in it.
[[nodiscard]] Result<Samples> timeCold(const LaunchCall& launch, int samples);

/// Keeps the device busy with copies for half a second, so that its clocks are up when a measurement begins.
[[nodiscard]] Result<void> raiseClocks();

/// Bytes read plus bytes written a second by the runtime's own copy between two 2 GiB blocks: the best of several.
[[nodiscard]] Result<double> measureCopyBandwidth();

}  // namespace isobit::cuda
