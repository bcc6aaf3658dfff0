// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/screenshot.h"

#include <QApplication>
#include <QTimer>
#include <cstdio>

#include "app/workbench/window.h"
#include "views/element/map_widget.h"
#include "views/grid/grid_view.h"

namespace isobit::workbench {

using views::Session;

namespace {

constexpr int kSettleMs = 200;  // queued replots and layouts of the last change

void complain(const std::string& sentence) { std::fprintf(stderr, "isobit-workbench: %s\n", sentence.c_str()); }

Result<void> write(Window& window, const Session& session, const Options& options) {
    if (session.state() == Session::State::Failed) return failure("{}", session.error().toStdString());
    if (!options.screenshot.isEmpty() && !window.grab().save(options.screenshot, "PNG"))
        return failure("{}: cannot be written", options.screenshot.toStdString());
    return options.figure.isEmpty() ? Result<void>() : window.exportTo(options.figure);
}

/// A map that is seen may still be filling in.
bool isFillingIn(const Window& window) {
    const auto* map = window.findChild<views::MapWidget*>();
    return map != nullptr && map->isVisible() && map->isLoading();
}

void finish(Window& window, const Session& session, const Options& options) {
    if (isFillingIn(window)) {
        QTimer::singleShot(kSettleMs, &window, [&window, &session, options] { finish(window, session, options); });
        return;
    }
    const auto written = write(window, session, options);
    if (!written) complain(written.error().message);
    QCoreApplication::exit(written ? 0 : 2);
}

}  // namespace

void writeWhenReady(Window& window, Session& session, const Options& options) {
    const auto act = [&window, &session, options] {
        const bool waits = session.state() == Session::State::Opening || session.state() == Session::State::Running ||
                           session.state() == Session::State::Comparing || window.evidence().isBusy();
        if (waits) return;
        if (session.run() && options.cell.isEmpty()) window.grid()->goToFirstDifference();
        if (!options.view.isEmpty()) window.trigger(QStringLiteral("view.") + options.view);
        if (!options.tensor.isEmpty()) window.trigger(QStringLiteral("tensor:") + options.tensor);
        if (!options.cell.isEmpty()) window.trigger(QStringLiteral("cell:") + options.cell);
        QTimer::singleShot(kSettleMs, &window, [&window, &session, options] { finish(window, session, options); });
    };
    if (options.startPage) QTimer::singleShot(kSettleMs, &window, act);
    QObject::connect(&session, &Session::stateChanged, &window, act);
    QObject::connect(&window.evidence(), &views::EvidenceSession::taskChanged, &window, act);
}

}  // namespace isobit::workbench
