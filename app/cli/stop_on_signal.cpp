// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/stop_on_signal.h"

#include <pthread.h>

#include <ctime>

namespace isobit::cli {
namespace {

sigset_t endingSignals() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    return signals;
}

}  // namespace

StopOnSignal::StopOnSignal() {
    const sigset_t signals = endingSignals();
    pthread_sigmask(SIG_BLOCK, &signals, &m_before);
    m_waiter = std::jthread([signals, stop = m_stop](const std::stop_token& finished) mutable {
        // Short waits, so that the end of the sweep does not wait for a signal that never comes.
        const timespec wait{0, 20'000'000};
        while (!finished.stop_requested()) {
            if (sigtimedwait(&signals, nullptr, &wait) < 0) continue;
            if (stop.stop_requested()) std::_Exit(2);
            stop.request_stop();
        }
    });
}

StopOnSignal::~StopOnSignal() {
    m_waiter.request_stop();
    m_waiter.join();
    pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
}

}  // namespace isobit::cli
