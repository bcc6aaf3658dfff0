// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/center/status_strip.h"

#include <QAccessible>
#include <QLabel>
#include <QProgressBar>
#include <QToolButton>

#include "views/captures/capture_text.h"
#include "views/engagement/shown_engagement.h"
#include "views/run_text.h"
#include "views/palette/fonts.h"
#include "views/session.h"
#include "views/text.h"
#include "views/widgets.h"

namespace isobit::views {

namespace {

QString verdictText(const Session& session) {
    if (session.engagement()) return QStringLiteral("●  ") + verdictOf(*session.engagement());
    const bool nothing = !session.run() && !session.capture();
    if (session.state() == Session::State::Failed && nothing) return QStringLiteral("!  FAILED");
    if (nothing) return QStringLiteral("nothing open");
    if (session.capture()) {
        const Capture& capture = *session.capture();
        if (!capture.isPair()) return QStringLiteral("●  ") + contentOf(capture.trainer);
        const CaptureWalk& walk = capture.walk;
        if (!walk.comparable()) return QStringLiteral("!  NOT COMPARABLE");
        const auto different = walk.count(TensorStatus::Different);
        if (different == 0) return QStringLiteral("●  ") + wordOf(verdictKind(capture));
        return QStringLiteral("●  DIFFERENT %1 of %2 tensors").arg(grouped(different), grouped(walk.steps.size()));
    }
    const Run& run = *session.run();
    const Verdict verdict = verdictKind(run);
    const auto different = static_cast<std::uint64_t>(countCells(run, CellStatus::Different));
    if (verdict != Verdict::Different) return QStringLiteral("●  ") + wordOf(verdict);
    return QStringLiteral("●  DIFFERENT %1 of %2").arg(grouped(different), grouped(run.cells.size()));
}

QString groundsText(const Session& session) {
    if (session.engagement()) return QStringLiteral("what the engines said of themselves");
    if (session.run()) return QStringLiteral("engine: ") + engineOf(*session.run());
    if (session.capture() && session.capture()->isPair()) return QStringLiteral("stored words, compared bit for bit");
    return {};
}

QString progressText(const Session& session) {
    if (session.state() == Session::State::Comparing)
        return session.tensorsTotal() == 0
                   ? QStringLiteral("opening…")
                   : QStringLiteral("comparing, %1 of %2 tensors").arg(session.tensorsDone()).arg(session.tensorsTotal());
    const CapturePtr& capture = session.capture();
    if (capture && capture->isPartial() && session.state() != Session::State::Opening)
        return QStringLiteral("%1 of %2 tensors  ·  stopped").arg(grouped(capture->walk.steps.size()), grouped(capture->pairs));
    if (session.state() == Session::State::Opening) return QStringLiteral("opening…");
    if (capture || session.engagement()) return {};
    const QString cells = QStringLiteral("%1 of %2 cells").arg(session.cellsDone()).arg(session.cellsTotal());
    switch (session.state()) {
        case Session::State::Comparing:
        case Session::State::Opening:
        case Session::State::Empty: return {};
        case Session::State::Running:
            return session.cellsTotal() == 0 ? QStringLiteral("starting…") : cells;
        case Session::State::Stopped: return cells + QStringLiteral("  ·  stopped");
        case Session::State::Complete: return cells + QStringLiteral("  ·  done");
        case Session::State::Failed: return session.run() ? cells + QStringLiteral("  ·  failed") : QString();
    }
    return {};
}

}  // namespace

StatusStrip::StatusStrip(const ViewContext& context, QWidget* parent) : QStatusBar(parent), m_context(context) {
    setSizeGripEnabled(false);
    setContentsMargins(8, 2, 8, 2);
    m_verdict = new QLabel(this);
    m_verdict->setFont(scaledFont(textFont(), 1.0, true));
    m_verdict->setAccessibleName(QStringLiteral("Verdict"));
    m_engine = roleLabel({}, "muted", this);
    m_progressText = new QLabel(this);
    m_bar = new QProgressBar(this);
    m_bar->setFixedSize(150, 8);
    m_bar->setTextVisible(false);
    m_stop = new QToolButton(this);
    m_stop->setText(QStringLiteral("Stop  Esc"));
    m_stop->setAccessibleName(QStringLiteral("Stop"));
    connect(m_stop, &QToolButton::clicked, &context.session, &Session::stop);
    addWidget(m_verdict);
    addWidget(m_engine, 1);
    addPermanentWidget(m_progressText);
    addPermanentWidget(m_bar);
    addPermanentWidget(m_stop);
    for (auto change : {&Session::runChanged, &Session::captureChanged, &Session::captureGrown, &Session::engagementChanged, &Session::stateChanged, &Session::progressChanged})
        connect(&context.session, change, this, &StatusStrip::showSession);
    showSession();
}

void StatusStrip::setPage(const QString& verdict, const QString& grounds) {
    m_isPage = true;
    setVerdict(verdict);
    m_engine->setText(grounds);
    m_progressText->clear();
    m_bar->hide();
    m_stop->hide();
}

void StatusStrip::clearPage() {
    m_isPage = false;
    showSession();
}

void StatusStrip::setVerdict(const QString& verdict) {
    if (verdict == m_verdict->text()) return;
    m_verdict->setText(verdict);
    QAccessibleEvent changed(m_verdict, QAccessible::NameChanged);
    QAccessible::updateAccessibility(&changed);
}

void StatusStrip::showSession() {
    if (m_isPage) return;
    const Session& session = m_context.session;
    setVerdict(verdictText(session));
    m_engine->setText(groundsText(session));
    m_progressText->setText(progressText(session));
    const bool comparing = session.state() == Session::State::Comparing;
    const bool opening = session.state() == Session::State::Opening;
    const bool running = session.state() == Session::State::Running || comparing || opening;
    m_bar->setVisible(running);
    m_bar->setRange(0, opening ? 0 : comparing ? session.tensorsTotal() : session.cellsTotal());
    m_bar->setValue(comparing ? session.tensorsDone() : session.cellsDone());
    m_stop->setVisible(running);
}

}  // namespace isobit::views
