// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/center/run_header.h"

#include <QHBoxLayout>
#include <QLabel>

#include "views/palette/fonts.h"
#include "views/run_text.h"
#include "views/session.h"
#include "views/widgets.h"

namespace isobit::views {

RunHeader::RunHeader(const ViewContext& context, QWidget* parent) : QWidget(parent), m_context(context) {
    m_title = new QLabel(this);
    m_title->setFont(scaledFont(textFont(), 1.4, true));
    m_verdict = roleLabel({}, "chip", this);
    m_verdict->setAccessibleName(QStringLiteral("Verdict"));
    auto* top = new QHBoxLayout;
    top->setSpacing(12);
    top->addWidget(m_title);
    top->addWidget(m_verdict);
    top->addStretch(1);

    m_trainer = roleLabel({}, "trainer", this);
    m_sampler = roleLabel({}, "sampler", this);
    m_banner = wrappingLabel(this);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 12, 14, 6);
    layout->setSpacing(3);
    layout->addLayout(top);
    // Trainer above, sampler below; a name that is too long is cut, not the window widened.
    for (QLabel* side : {m_trainer, m_sampler}) {
        side->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        layout->addWidget(side);
    }
    layout->addWidget(m_banner);
    connect(&context.session, &Session::runChanged, this, &RunHeader::showRun);
    connect(&context.session, &Session::stateChanged, this, &RunHeader::showState);
    showRun();
    showState();
}

void RunHeader::showRun() {
    const RunPtr& run = m_context.session.run();
    if (!run) return;
    m_title->setText(titleOf(*run));
    m_verdict->setText(verdictOf(*run));
    m_trainer->setText(QStringLiteral("trainer ") + programText(run->plan.pairing.trainer));
    m_sampler->setText(QStringLiteral("sampler ") + programText(run->plan.pairing.sampler));
    for (QLabel* side : {m_trainer, m_sampler}) side->setToolTip(side->text());
}

void RunHeader::showState() {
    const Session& session = m_context.session;
    QString text;
    if (session.state() == Session::State::Failed) text = QStringLiteral("!  ") + session.error();
    if (session.state() == Session::State::Stopped)
        text = QStringLiteral("Partial: %1 of %2 cells have a result. The dotted cells were not run.")
                   .arg(session.cellsDone())
                   .arg(session.cellsTotal());
    if (session.canResume()) text += QStringLiteral(" Run > Go on with the stopped sweep runs the rest.");
    setRole(m_banner, session.state() == Session::State::Failed ? "failed" : "muted");
    m_banner->setText(text);
    m_banner->setVisible(!text.isEmpty());
}

}  // namespace isobit::views
