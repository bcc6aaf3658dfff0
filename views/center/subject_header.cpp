// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/center/subject_header.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include "views/captures/capture_text.h"
#include "views/engagement/shown_engagement.h"
#include "views/palette/fonts.h"
#include "views/run_text.h"
#include "views/session.h"
#include "views/widgets.h"

namespace isobit::views {

SubjectHeader::SubjectHeader(const ViewContext& context, QWidget* parent) : QWidget(parent), m_context(context) {
    m_title = new QLabel(this);
    m_title->setFont(scaledFont(textFont(), 1.4, true));
    m_verdict = roleLabel({}, "chip", this);
    m_verdict->setAccessibleName(QStringLiteral("Verdict"));
    m_title->setMinimumWidth(60);  // a long name is cut; it must not push the docks aside
    auto* top = new QHBoxLayout;
    top->setSpacing(12);
    top->addWidget(m_title);
    top->addWidget(m_verdict);
    top->addStretch(1);

    m_trainer = roleLabel({}, "trainer", this);
    m_sampler = roleLabel({}, "sampler", this);
    m_banner = wrappingLabel(this);
    m_swap = new QToolButton(this);
    m_swap->setText(QStringLiteral("⇅ Swap"));
    m_swap->setToolTip(QStringLiteral("Take the trainer for the sampler and the sampler for the trainer"));
    m_swap->setAccessibleName(QStringLiteral("Swap trainer and sampler"));
    connect(m_swap, &QToolButton::clicked, &context.session, &Session::swapSides);

    m_choose = new QToolButton(this);
    m_choose->setText(QStringLiteral("Compare as…"));
    m_choose->setToolTip(QStringLiteral("Order, operation graph, pairing and rows of the batch (Ctrl+Alt+D)"));
    connect(m_choose, &QToolButton::clicked, this, &SubjectHeader::choicesRequested);
    m_choices = roleLabel({}, "muted", this);
    m_choices->setAccessibleName(QStringLiteral("How they are compared"));

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 12, 14, 6);
    layout->setSpacing(3);
    layout->addLayout(top);
    // Trainer above, sampler below; a name that is too long is cut, not the window widened.
    auto* sides = new QVBoxLayout;
    sides->setSpacing(3);
    for (QLabel* side : {m_trainer, m_sampler, m_choices}) {
        side->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        sides->addWidget(side);
    }
    auto* middle = new QHBoxLayout;
    middle->addLayout(sides, 1);
    middle->addWidget(m_swap, 0, Qt::AlignBottom);
    middle->addWidget(m_choose, 0, Qt::AlignBottom);
    layout->addLayout(middle);
    layout->addWidget(m_banner);
    connect(&context.session, &Session::runChanged, this, &SubjectHeader::showSubject);
    connect(&context.session, &Session::captureChanged, this, &SubjectHeader::showSubject);
    connect(&context.session, &Session::captureGrown, this, [this] { m_verdict->setText(verdictOf(*m_context.session.capture())); });
    connect(&context.session, &Session::engagementChanged, this, &SubjectHeader::showSubject);
    connect(&context.session, &Session::stateChanged, this, &SubjectHeader::showState);
    showSubject();
    showState();
}

void SubjectHeader::showSubject() {
    const RunPtr& run = m_context.session.run();
    const CapturePtr& capture = m_context.session.capture();
    if (run) {
        m_title->setText(titleOf(*run));
        m_verdict->setText(verdictOf(*run));
        m_trainer->setText(QStringLiteral("trainer ") + programText(run->plan.pairing.trainer));
        m_sampler->setText(QStringLiteral("sampler ") + programText(run->plan.pairing.sampler));
    } else if (capture) {
        m_title->setText(titleOf(*capture));
        m_verdict->setText(verdictOf(*capture));
        const QString first = shortPathOf(capture->trainer);
        m_trainer->setText(capture->isPair() ? QStringLiteral("trainer ") + first : first);
        m_sampler->setText(capture->isPair() ? QStringLiteral("sampler ") + shortPathOf(*capture->sampler) : QString());
    }
    const EngagementPtr& engagement = m_context.session.engagement();
    if (engagement) {
        m_title->setText(titleOf(*engagement));
        m_verdict->setText(verdictOf(*engagement));
        const bool report = engagement->report.has_value();
        const QString trainer = report ? engineText(engagement->report->trainer) : QString();
        const QString sampler = report ? engineText(engagement->report->sampler) : QString();
        m_trainer->setText(report ? QStringLiteral("trainer ") + (trainer.isEmpty() ? QStringLiteral("not open") : trainer) : engagement->paths.front());
        m_sampler->setText(report ? QStringLiteral("sampler ") + (sampler.isEmpty() ? QStringLiteral("not open") : sampler) : QString());
    }
    const bool single = (capture && !capture->isPair()) || (engagement && !engagement->report);
    setRole(m_trainer, single ? "muted" : "trainer");
    m_sampler->setVisible(!single);
    const bool pair = capture && capture->isPair();
    for (QWidget* part : {static_cast<QWidget*>(m_swap), static_cast<QWidget*>(m_choose), static_cast<QWidget*>(m_choices)}) part->setVisible(pair);
    m_choices->setText(pair ? choicesText(*capture) : QString());
    for (QLabel* label : {m_title, m_verdict, m_trainer, m_sampler, m_choices}) label->setToolTip(label->text());
    m_swap->setEnabled(pair && capture->request.choices.pairing.empty());
    if (!capture) return;
    m_trainer->setToolTip(QString::fromStdString(capture->trainer.path()));
    if (!pair) return;
    m_sampler->setToolTip(QString::fromStdString(capture->sampler->path()));
    if (const QString aligned = alignmentText(*capture); !aligned.isEmpty()) m_choices->setToolTip(m_choices->text() + QLatin1Char('\n') + aligned);
}

void SubjectHeader::showState() {
    const Session& session = m_context.session;
    QString text;
    if (session.state() == Session::State::Failed) text = QStringLiteral("!  ") + session.error();
    if (session.state() == Session::State::Stopped && session.run())
        text = QStringLiteral("Partial: %1 of %2 cells have a result. The dotted cells were not run.")
                   .arg(session.cellsDone())
                   .arg(session.cellsTotal());
    if (session.state() == Session::State::Stopped && session.capture())
        text = QStringLiteral("Partial: %1 of %2 tensors are compared. F5 compares them all.")
                   .arg(session.capture()->walk.steps.size())
                   .arg(session.capture()->pairs);
    if (session.canResume()) text += QStringLiteral(" Run > Go on with the stopped sweep runs the rest.");
    setRole(m_banner, session.state() == Session::State::Failed ? "failed" : "muted");
    m_banner->setText(text);
    m_banner->setVisible(!text.isEmpty());
}

}  // namespace isobit::views
