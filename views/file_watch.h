// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

namespace isobit::views {

class Session;

/// Has the session read again what is open when it changed on disk, once the change has settled. What cannot be read by
/// then, because it is half written or gone, takes nothing away.
class FileWatch final : public QObject {
    Q_OBJECT
public:
    /// `session` outlives it.
    explicit FileWatch(Session& session, QObject* parent = nullptr);

private:
    void watchWhatIsOpen();
    void readAgain();

    Session& m_session;
    QFileSystemWatcher m_watcher;
    QTimer m_settle;
};

}  // namespace isobit::views
