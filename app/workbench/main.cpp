// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QDir>
#include <QIcon>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTimer>
#include <cstdio>

#include "app/workbench/opening.h"
#include "app/workbench/options.h"
#include "app/workbench/screenshot.h"
#include "app/workbench/window.h"
#include "core/sweep/presets.h"
#include "views/timing/timing_view.h"

using namespace isobit;
using namespace isobit::workbench;

namespace {

std::vector<views::PresetEntry> knownPresets() {
    std::vector<views::PresetEntry> entries;
    for (const Preset& preset : isobit::presets())
        entries.push_back({QString::fromStdString(preset.plan.preset), QString::fromStdString(preset.summary)});
    return entries;
}

/// $XDG_CONFIG_HOME/isobit and the like; `none` for a window that is only there to write a file: it knows nothing of the
/// user's own window, and leaves nothing there.
QString folderOf(QStandardPaths::StandardLocation location, const Options& options, const QTemporaryDir& none) {
    return options.isHeadless() ? none.path() : QStandardPaths::writableLocation(location) + "/isobit";
}

int run(const Options& options) {
    const QTemporaryDir none;
    QSettings settings(folderOf(QStandardPaths::GenericConfigLocation, options, none) + "/workbench.ini", QSettings::IniFormat);
    views::Appearance appearance;
    appearance.apply();
    views::Session session({QDir(QCoreApplication::applicationDirPath()).filePath("isobit"),
                            folderOf(QStandardPaths::GenericDataLocation, options, none) + "/runs", openPath});
    Window window({session, appearance, settings, knownPresets(), QDir(QCoreApplication::applicationDirPath()).filePath("isobit")});
    window.restore();
    if (options.theme) appearance.setMode(*options.theme);
    if (options.isHeadless()) {
        window.resize(options.size);
        writeWhenReady(window, session, options);
    }
    if (!options.overlay.isEmpty()) window.findChild<views::TimingView*>()->openOverlay(options.overlay);
    window.show();
    // After the first paint: neither a file nor a child holds the window back.
    QTimer::singleShot(0, &window, [&] {
        if (!options.preset.isEmpty()) return session.runPreset(options.preset);
        if (!options.other.isEmpty()) return session.compare(options.file, options.other, options.choices);
        if (!options.file.isEmpty() && window.openEvidence(options.file)) return;
        if (!options.file.isEmpty()) return session.open(options.file);
        if (!options.startPage) window.reopenLast();
    });
    return QApplication::exec();
}

}  // namespace

int main(int argc, char** argv) {
    QStringList arguments;
    for (int place = 1; place < argc; ++place) arguments << QString::fromLocal8Bit(argv[place]);
    const auto options = readOptions(arguments);
    if (!options) {
        std::fprintf(stderr, "isobit-workbench: %s\n", options.error().message.c_str());
        return 2;
    }
    if (options->help || options->version) {
        std::fputs(options->help ? qPrintable(helpText()) : "isobit-workbench " ISOBIT_VERSION "\n", stdout);
        return 0;
    }
    QCoreApplication::setApplicationName("isobit-workbench");
    QCoreApplication::setApplicationVersion(ISOBIT_VERSION);
    QGuiApplication::setApplicationDisplayName("Isobit");
    // Every scale of the screen as it is: a grid in whole pixels looks right at 125 % and 150 %, too.
    QGuiApplication::setHighDpiScaleFactorRoundingPolicy(Qt::HighDpiScaleFactorRoundingPolicy::PassThrough);
    QApplication application(argc, argv);
    QApplication::setWindowIcon(QIcon(":/icons/isobit.svg"));
    return run(*options);
}
