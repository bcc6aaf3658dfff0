// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/signoff/evidence_process.h"

namespace isobit::views {

namespace {

constexpr int kGraceMs = 150;  // between asking and killing; cancel has 200 ms in all

}  // namespace

EvidenceProcess::EvidenceProcess(const QString& program, QObject* parent) : QObject(parent) {
    m_child.setProgram(program);
    m_kill.setSingleShot(true);
    m_kill.setInterval(kGraceMs);
    connect(&m_kill, &QTimer::timeout, &m_child, &QProcess::kill);
    connect(&m_child, &QProcess::readyReadStandardOutput, this, &EvidenceProcess::readLines);
    connect(&m_child, &QProcess::finished, this, &EvidenceProcess::finish);
    connect(&m_child, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) finish();
    });
}

EvidenceProcess::~EvidenceProcess() {
    m_child.disconnect(this);
    m_child.kill();
    m_child.waitForFinished();
}

void EvidenceProcess::start(const QStringList& arguments) {
    m_child.setArguments(QStringList{"evidence"} + arguments);
    m_child.setStandardInputFile(QProcess::nullDevice());
    m_child.start(QIODevice::ReadOnly);
}

void EvidenceProcess::stop() {
    if (m_done) return;
    m_stopped = true;
    m_child.terminate();
    m_kill.start();
}

void EvidenceProcess::readLines() {
    while (m_child.canReadLine()) {
        const QByteArray line = m_child.readLine();
        m_output += line;
        emit lineRead(line);
    }
}

void EvidenceProcess::finish() {
    if (m_done) return;
    m_done = true;
    m_kill.stop();
    readLines();
    m_output += m_child.readAllStandardOutput();
    const QString error = m_stopped ? QString() : whatWentWrong();
    emit finished(m_stopped || !error.isEmpty() ? -1 : m_child.exitCode(), m_output, error);
}

QString EvidenceProcess::whatWentWrong() {
    if (m_child.error() == QProcess::FailedToStart)
        return QStringLiteral("%1 cannot be started: %2").arg(m_child.program(), m_child.errorString());
    if (m_child.exitStatus() == QProcess::CrashExit) return QStringLiteral("isobit evidence ended unexpectedly");
    if (m_child.exitCode() <= 1) return {};
    const QString said = QString::fromUtf8(m_child.readAllStandardError()).trimmed().section('\n', -1);
    return said.isEmpty() ? QStringLiteral("isobit evidence could not be run (exit code %1)").arg(m_child.exitCode()) : said;
}

}  // namespace isobit::views
