// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/walk/walk_summary.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "views/captures/capture_text.h"
#include "views/palette/fonts.h"
#include "views/text.h"
#include "views/widgets.h"

namespace isobit::views {

namespace {

constexpr int kWhyLength = 190;  // two lines of a small window; the tool tip has it all
constexpr int kNamesOfNext = 6;

}  // namespace

QString chipOf(const Comparability& check) {
    return (check.holds ? QStringLiteral("═ ") : QStringLiteral("! ")) + QString::fromStdString(check.name);
}

WalkSummary::WalkSummary(QWidget* parent) : QWidget(parent) {
    m_checks = new QHBoxLayout;
    m_checks->setSpacing(6);
    m_barrier = wrappingLabel(this);
    setRole(m_barrier, "failed");
    m_labels = wrappingLabel(this);
    setRole(m_labels, "muted");
    m_first = wrappingLabel(this);
    m_first->setFont(scaledFont(textFont(), 1.12, true));
    m_first->setAccessibleName(QStringLiteral("First divergence"));
    m_why = wrappingLabel(this);
    m_next = wrappingLabel(this);
    setRole(m_next, "muted");
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(3);
    layout->addLayout(m_checks);
    layout->addSpacing(4);
    for (QLabel* label : {m_barrier, m_labels, m_first, m_why, m_next}) layout->addWidget(label);
}

void WalkSummary::setCapture(const CapturePtr& capture) {
    const bool wasPart = std::exchange(m_isPart, capture && capture->isPair() && capture->isPartial());
    if (m_isPart && wasPart) return showPart(*capture);  // many times a second: only the words that change
    while (QLayoutItem* item = m_checks->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (QLabel* label : {m_barrier, m_labels, m_first, m_why, m_next}) {
        label->hide();
        label->clear();
    }
    if (!capture || !capture->isPair()) return;
    if (m_isPart) return showPart(*capture);
    showChecks(*capture);
    showReplay(*capture);
    m_checks->addStretch(1);
    showDivergence(*capture);
    setBrief(m_brief);
}

void WalkSummary::setBrief(bool brief) {
    m_brief = brief;
    for (QLabel* label : {m_why, m_next}) label->setVisible(!brief && !label->text().isEmpty());
}

void WalkSummary::showPart(const Capture& capture) {
    const auto& steps = capture.walk.steps;
    const auto first = std::ranges::find(steps, TensorStatus::Different, &WalkStep::status);
    m_first->setText(first == steps.end()
                         ? QStringLiteral("No difference so far")
                         : QStringLiteral("≠  First difference so far: %1, %2 words").arg(QString::fromStdString(first->pair.name), countsText(*first)));
    m_first->show();
    m_labels->setText(QStringLiteral("%1 of %2 tensors are compared. Causes, checks and log-probabilities need all of them.")
                          .arg(grouped(steps.size()), grouped(capture.pairs)));
    m_labels->show();
}

void WalkSummary::showChecks(const Capture& capture) {
    QStringList blocking;
    QStringList labels;
    QStringList unknown;
    for (const Comparability& check : capture.walk.checks) {
        if (!check.known) {
            unknown << QString::fromStdString(check.name + ": " + check.found);
            continue;
        }
        QLabel* chip = roleLabel(chipOf(check), check.failed() ? "failed_chip" : "chip", this);
        chip->setToolTip(QString::fromStdString(check.found));
        chip->setAccessibleName(QStringLiteral("Comparable: ") + QString::fromStdString(check.name + ", " + check.found));
        m_checks->addWidget(chip);
        if (check.failed()) (check.blocks ? blocking : labels) << QString::fromStdString(check.name + ": " + check.found);
    }
    if (!unknown.isEmpty()) {
        // One for all of them, so that a line of checks does not push the docks aside.
        QLabel* chip = roleLabel(QStringLiteral("? %1 not known").arg(unknown.size()), "chip", this);
        chip->setToolTip(unknown.join(QLatin1Char('\n')));
        chip->setAccessibleName(QStringLiteral("Not known: ") + unknown.join(QStringLiteral("; ")));
        m_checks->addWidget(chip);
    }
    for (const std::string& note : capture.walk.notes) labels << QString::fromStdString(note);
    if (!blocking.isEmpty())
        m_barrier->setText(QStringLiteral("!  Not comparable. %1. The numbers below say nothing about the arithmetic.").arg(blocking.join(QStringLiteral("; "))));
    m_barrier->setVisible(!blocking.isEmpty());
    m_labels->setText(QStringLiteral("Of every number below: ") + labels.join(QStringLiteral("; ")));
    m_labels->setVisible(!labels.isEmpty());
}

void WalkSummary::showReplay(const Capture& capture) {
    QString text;
    if (!capture.replayProblem.empty()) text = QStringLiteral("!  ") + QString::fromStdString(capture.replayProblem);
    if (capture.replay) {
        const Replay& replay = *capture.replay;
        text = QStringLiteral("K3 %1").arg(replay.k3, 0, 'e', 2);
        text += replay.firstDivergentToken ? QStringLiteral("   first divergent token %1").arg(*replay.firstDivergentToken)
                                           : QStringLiteral("   all %1 equal").arg(counted(std::uint64_t(replay.tokens), "log-prob"));
    }
    if (text.isEmpty()) return;
    QLabel* label = roleLabel(text, "muted", this);
    m_checks->addSpacing(10);
    label->setMinimumWidth(40);
    label->setToolTip(text);
    m_checks->addWidget(label);
}

void WalkSummary::showDivergence(const Capture& capture) {
    const auto& first = capture.walk.firstDivergence;
    const auto show = [](QLabel* label, const QString& text) {
        label->setText(text);
        label->setVisible(!text.isEmpty());
    };
    if (!first) {
        const bool all = verdictKind(capture) == Verdict::Equal;
        show(m_first, all ? QStringLiteral("═  Every word of every tensor is equal")
                          : QStringLiteral("No word differs in what could be compared: %1").arg(verdictOf(capture)));
        return;
    }
    const WalkStep& step = capture.walk.steps[*first];
    show(m_first, QStringLiteral("%1  First divergence: %2, %3 words, %4")
                      .arg(glyphOf(step), QString::fromStdString(step.pair.name), countsText(step), roleText(step)));
    const QString order = QString::fromStdString(capture.reordering);
    show(m_why, order.isEmpty() ? whyText(step, kWhyLength) : order.left(1).toUpper() + order.mid(1));
    m_why->setToolTip(QString::fromStdString(step.why));
    const QString next = captureNextText(step, kNamesOfNext);
    show(m_next, next.isEmpty() ? QString() : QStringLiteral("Capture next: ") + next);
    m_next->setToolTip(captureNextText(step, int(step.captureNext.size())));
}

}  // namespace isobit::views
