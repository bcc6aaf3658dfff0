// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QProcess>
#include <QTimer>

#include "core/sweep/run.h"

namespace isobit::views {

/// One sweep in a child `isobit`, whose lines become signals. A crash of the child is one sentence, nothing more.
class SweepProcess final : public QObject {
    Q_OBJECT
public:
    explicit SweepProcess(const QString& program, QObject* parent = nullptr);
    /// Kills a child that still runs and waits for its end.
    ~SweepProcess() override;

    /// isobit sweep PRESET --stream --out RUN_PATH [--resume]
    void start(const QString& preset, const QString& runPath, bool resume);
    /// Asks the child to stop; kills it if it has not within 150 ms.
    void stop();

signals:
    void planRead(isobit::Plan plan);
    void cellRead(isobit::CellResult cell);
    /// Once, last. `error` is one sentence or empty; a sweep that found differences is no error.
    void finished(bool stopped, const QString& error);

private:
    void readLines();
    void readLine(const QByteArray& line);
    void finish();
    [[nodiscard]] QString whatWentWrong();

    QProcess m_child;
    QTimer m_kill;
    Plan m_plan;          ///< what the cells that follow belong to
    QString m_complaint;  ///< about a line that is not understood
    bool m_stopped = false;
    bool m_done = false;
};

}  // namespace isobit::views
