// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>
#include <stop_token>
#include <thread>

namespace isobit::cli {

/// While it lives, SIGINT and SIGTERM request a stop instead of ending the process; a second one ends it as usual. Made
/// before other threads start, so that these inherit the blocked signals.
class StopOnSignal {
public:
    StopOnSignal();
    ~StopOnSignal();
    StopOnSignal(const StopOnSignal&) = delete;
    StopOnSignal& operator=(const StopOnSignal&) = delete;

    [[nodiscard]] std::stop_token token() const { return m_stop.get_token(); }
    void requestStop() { m_stop.request_stop(); }

private:
    sigset_t m_before{};
    std::stop_source m_stop;
    std::jthread m_waiter;
};

}  // namespace isobit::cli
