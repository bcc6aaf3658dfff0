// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QProcess>
#include <QTimer>

namespace isobit::views {

/// One child `isobit evidence ...`. Everything that touches a foreign artifact happens there, so that nothing of it can
/// hold up or take down the window.
class EvidenceProcess final : public QObject {
    Q_OBJECT
public:
    explicit EvidenceProcess(const QString& program, QObject* parent = nullptr);
    /// Kills a child that still runs and waits for its end.
    ~EvidenceProcess() override;

    void start(const QStringList& arguments);
    /// Asks the child to stop; kills it if it has not within 150 ms.
    void stop();

signals:
    /// Each line that the child prints, as it comes.
    void lineRead(const QByteArray& line);
    /// Once, last. `exitCode` is the child's (0 holds, 1 does not hold); anything else, or a child that did not end by
    /// itself, is -1 with one sentence in `error`, which is empty if it was stopped.
    void finished(int exitCode, const QByteArray& output, const QString& error);

private:
    void readLines();
    void finish();
    [[nodiscard]] QString whatWentWrong();

    QProcess m_child;
    QTimer m_kill;
    QByteArray m_output;
    bool m_stopped = false;
    bool m_done = false;
};

}  // namespace isobit::views
