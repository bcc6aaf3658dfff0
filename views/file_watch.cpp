// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/file_watch.h"

#include <QFileInfo>

#include "views/engagement/shown_engagement.h"
#include "views/session.h"

namespace isobit::views {

namespace {

constexpr int kReloadSettleMs = 400;  // a dump is written in many pieces; each begins the wait anew

/// What was compared, and the files that said how.
QStringList pathsOf(const Session& session) {
    if (session.engagement()) return session.engagement()->paths;
    if (session.capture()) {
        QStringList paths = session.capturePaths();
        const CaptureChoices& choices = session.capture()->request.choices;
        for (const std::string* named : {&choices.pairing, &choices.order, &choices.graph})
            if (const QString path = QString::fromStdString(*named); QFileInfo(path).isFile()) paths << path;
        return paths;
    }
    return session.runPath().isEmpty() ? QStringList() : QStringList{session.runPath()};
}

}  // namespace

FileWatch::FileWatch(Session& session, QObject* parent) : QObject(parent), m_session(session) {
    m_settle.setSingleShot(true);
    m_settle.setInterval(kReloadSettleMs);
    connect(&m_settle, &QTimer::timeout, this, &FileWatch::readAgain);
    for (auto change : {&QFileSystemWatcher::fileChanged, &QFileSystemWatcher::directoryChanged})
        connect(&m_watcher, change, &m_settle, [this] { m_settle.start(); });
    connect(&session, &Session::stateChanged, this, &FileWatch::watchWhatIsOpen);
    watchWhatIsOpen();
}

void FileWatch::watchWhatIsOpen() {
    const QStringList wanted = pathsOf(m_session);
    const QStringList watched = m_watcher.files() + m_watcher.directories();
    for (const QString& path : watched)
        if (!wanted.contains(path)) m_watcher.removePath(path);
    // A file that was replaced by another of its name is no longer watched, though it is still listed here.
    for (const QString& path : wanted)
        if (!watched.contains(path)) m_watcher.addPath(path);
}

void FileWatch::readAgain() {
    const auto state = m_session.state();
    if (state == Session::State::Running || state == Session::State::Comparing || state == Session::State::Opening) return m_settle.start();
    m_session.reload();
    watchWhatIsOpen();
}

}  // namespace isobit::views
