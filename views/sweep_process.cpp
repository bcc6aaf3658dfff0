// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/sweep_process.h"

#include <csignal>

#include "core/sweep/json_form.h"

namespace isobit::views {

namespace {

constexpr int kCancelGraceMs = 150;  // between asking and killing; cancel has 200 ms in all

}  // namespace

SweepProcess::SweepProcess(const QString& program, QObject* parent) : QObject(parent) {
    m_child.setProgram(program);
    m_kill.setSingleShot(true);
    m_kill.setInterval(kCancelGraceMs);
    connect(&m_kill, &QTimer::timeout, &m_child, &QProcess::kill);
    connect(&m_child, &QProcess::readyReadStandardOutput, this, &SweepProcess::readLines);
    connect(&m_child, &QProcess::finished, this, &SweepProcess::finish);
    connect(&m_child, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) finish();
    });
}

SweepProcess::~SweepProcess() {
    m_child.disconnect(this);
    m_child.kill();
    m_child.waitForFinished();
}

void SweepProcess::start(const QString& preset, const QString& runPath, bool resume) {
    QStringList arguments{"sweep", preset, "--stream", "--out", runPath};
    if (resume) arguments << "--resume";
    m_child.setArguments(arguments);
    m_child.start(QIODevice::ReadOnly);
}

void SweepProcess::stop() {
    if (m_done) return;
    m_stopped = true;
    m_child.terminate();
    m_kill.start();
}

void SweepProcess::readLines() {
    while (m_child.canReadLine()) readLine(m_child.readLine());
}

void SweepProcess::readLine(const QByteArray& line) {
    if (!m_complaint.isEmpty()) return;
    const auto json = parseJsonStrictly(std::string_view(line.constData(), std::size_t(line.size())), "sweep");
    const auto complain = [this](const Error& error) {
        m_complaint = QString::fromStdString(error.message);
        m_child.kill();
    };
    if (!json) return complain(json.error());
    const std::string kind = json->is_object() ? json->value("kind", "") : std::string();
    if (kind == "plan" && json->contains("plan")) {
        auto plan = planFromJson((*json)["plan"], "sweep");
        if (!plan) return complain(plan.error());
        m_plan = *plan;
        emit planRead(std::move(*plan));
    } else if (kind == "cell" && json->contains("cell")) {
        auto cell = cellFromJson(m_plan, (*json)["cell"], "sweep");
        if (!cell) return complain(cell.error());
        emit cellRead(std::move(*cell));
    }
}

void SweepProcess::finish() {
    if (m_done) return;
    m_done = true;
    m_kill.stop();
    readLines();
    emit finished(m_stopped, m_stopped ? QString() : whatWentWrong());
}

QString SweepProcess::whatWentWrong() {
    const QString said = QString::fromUtf8(m_child.readAllStandardError()).trimmed();
    if (!m_complaint.isEmpty()) return QStringLiteral("The sweep sent a line that is not understood: %1").arg(m_complaint);
    if (m_child.error() == QProcess::FailedToStart)
        return QStringLiteral("%1 cannot be started: %2").arg(m_child.program(), m_child.errorString());
    if (m_child.exitStatus() == QProcess::CrashExit)
        return QStringLiteral("The sweep ended unexpectedly; the cells that were done can still be read");
    if (m_child.exitCode() > 1)
        return said.isEmpty() ? QStringLiteral("The sweep could not be run (exit code %1)").arg(m_child.exitCode())
                              : said.section('\n', -1);
    return {};
}

}  // namespace isobit::views
