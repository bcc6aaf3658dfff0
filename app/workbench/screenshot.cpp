// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/screenshot.h"

#include <QApplication>
#include <QTimer>
#include <cstdio>

#include "app/workbench/window.h"
#include "views/grid/grid_view.h"

namespace isobit::workbench {

using views::Session;

namespace {

constexpr int kSettleMs = 200;  // queued replots and layouts of the last change

void finish(Window& window, const Session& session, const QString& path) {
    const bool failed = session.state() == Session::State::Failed;
    if (failed) std::fprintf(stderr, "isobit-workbench: %s\n", qPrintable(session.error()));
    const bool saved = window.grab().save(path, "PNG");
    if (!saved) std::fprintf(stderr, "isobit-workbench: %s cannot be written\n", qPrintable(path));
    QCoreApplication::exit(failed || !saved ? 2 : 0);
}

}  // namespace

void takeScreenshotWhenReady(Window& window, Session& session, const Options& options) {
    const auto act = [&window, &session, options] {
        const bool waits = session.state() == Session::State::Opening || session.state() == Session::State::Running;
        if (waits) return;
        if (session.run() && options.cell.isEmpty()) window.grid()->goToFirstDifference();
        if (!options.cell.isEmpty()) window.trigger(QStringLiteral("cell:") + options.cell);
        QTimer::singleShot(kSettleMs, &window, [&window, &session, options] { finish(window, session, options.screenshot); });
    };
    if (options.startPage) QTimer::singleShot(kSettleMs, &window, act);
    QObject::connect(&session, &Session::stateChanged, &window, act);
}

}  // namespace isobit::workbench
