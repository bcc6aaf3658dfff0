// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

namespace isobit::views {

class EvidenceSession;

/// Has an artifact verified again when a file of it changed on disk, once the change has settled: a verdict that is shown
/// is one of the files that are there. What the session wrote itself it has verified already.
class ArtifactWatch final : public QObject {
    Q_OBJECT
public:
    /// `session` outlives it.
    explicit ArtifactWatch(EvidenceSession& session, QObject* parent = nullptr);

private:
    void followTask();
    void watchWhatIsShown();
    void verifyAgain();
    /// Names, sizes and times of all that belongs to the artifact.
    [[nodiscard]] QStringList stateOnDisk() const;

    EvidenceSession& m_session;
    QFileSystemWatcher m_watcher;
    QTimer m_settle;
    QStringList m_verified;  ///< as it was on disk when the last verification began
    bool m_verifying = false;
};

}  // namespace isobit::views
