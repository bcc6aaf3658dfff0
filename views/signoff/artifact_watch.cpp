// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/signoff/artifact_watch.h"

#include <QDateTime>
#include <QDir>
#include <QDirIterator>
#include <QFileInfo>

#include "views/signoff/evidence_session.h"

namespace isobit::views {

namespace {

constexpr int kArtifactSettleMs = 400;  // an artifact is several files; each begins the wait anew
constexpr int kMostFiles = 500;  // of a folder that only looks like an artifact

/// The folder, what is in it, and what is in its folders.
QFileInfoList contentOf(const QString& folder) {
    QFileInfoList content;
    if (folder.isEmpty()) return content;
    content << QFileInfo(folder);
    QDirIterator files(folder, QDir::AllEntries | QDir::NoDotAndDotDot | QDir::NoSymLinks, QDirIterator::Subdirectories);
    while (files.hasNext() && content.size() < kMostFiles) {
        files.next();
        content << files.fileInfo();
    }
    return content;
}

}  // namespace

ArtifactWatch::ArtifactWatch(EvidenceSession& session, QObject* parent) : QObject(parent), m_session(session) {
    m_settle.setSingleShot(true);
    m_settle.setInterval(kArtifactSettleMs);
    connect(&m_settle, &QTimer::timeout, this, &ArtifactWatch::verifyAgain);
    for (auto change : {&QFileSystemWatcher::fileChanged, &QFileSystemWatcher::directoryChanged})
        connect(&m_watcher, change, &m_settle, [this] { m_settle.start(); });
    connect(&session, &EvidenceSession::taskChanged, this, &ArtifactWatch::followTask);
    watchWhatIsShown();
}

QStringList ArtifactWatch::stateOnDisk() const {
    QStringList state;
    for (const QFileInfo& entry : contentOf(m_session.folder()))
        if (entry.isFile())
            state << QStringLiteral("%1 %2 %3").arg(entry.filePath()).arg(entry.size()).arg(entry.lastModified().toMSecsSinceEpoch());
    state.sort();
    return state;
}

void ArtifactWatch::followTask() {
    if (m_session.task() == EvidenceSession::Task::Verifying) {
        // What changes while it is verified is not what was verified.
        if (!m_verifying) m_verified = stateOnDisk();
        m_verifying = true;
    } else if (!m_session.isBusy()) {
        m_verifying = false;
        watchWhatIsShown();
    }
}

void ArtifactWatch::watchWhatIsShown() {
    QStringList wanted;
    for (const QFileInfo& entry : contentOf(m_session.folder())) wanted << entry.filePath();
    const QStringList watched = m_watcher.files() + m_watcher.directories();
    for (const QString& path : watched)
        if (!wanted.contains(path)) m_watcher.removePath(path);
    // A file that was replaced by another of its name is no longer watched, though it is still listed here.
    for (const QString& path : wanted)
        if (!watched.contains(path)) m_watcher.addPath(path);
}

void ArtifactWatch::verifyAgain() {
    if (m_session.isBusy()) return m_settle.start();
    if (stateOnDisk() != m_verified)
        m_session.verify();
    else
        watchWhatIsShown();
}

}  // namespace isobit::views
