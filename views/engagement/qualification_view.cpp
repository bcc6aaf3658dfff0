// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/engagement/qualification_view.h"

#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QTableView>
#include <QVBoxLayout>

#include "views/engagement/engagement_ink.h"
#include "views/engagement/engagement_model.h"
#include "views/engagement/fitted_table.h"
#include "views/engagement/shown_engagement.h"
#include "views/palette/fonts.h"
#include "views/palette/ink_delegate.h"
#include "views/session.h"
#include "views/widgets.h"

namespace isobit::views {

namespace {

QString listed(const std::vector<std::string>& sentences) {
    QStringList lines;
    for (const std::string& sentence : sentences) lines << QStringLiteral("–  ") + QString::fromStdString(sentence);
    return lines.join('\n');
}

}  // namespace

QualificationView::QualificationView(const ViewContext& context, QWidget* parent)
    : QWidget(parent), m_context(context), m_model(new StepsModel(this)) {
    m_verdict = wrappingLabel(this);
    m_verdict->setFont(scaledFont(textFont(), 1.12, true));
    m_steps = new QTableView(this);
    m_steps->setModel(m_model);
    m_steps->setItemDelegate(new InkDelegate(context.appearance, 12, engagementInk, m_steps));
    m_steps->setAccessibleName(QStringLiteral("Steps of the qualification"));
    m_steps->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_steps->setShowGrid(false);
    m_steps->setTabKeyNavigation(false);
    m_steps->verticalHeader()->hide();
    m_steps->horizontalHeader()->setHighlightSections(false);
    m_steps->horizontalHeader()->setStretchLastSection(true);

    auto* said = new QWidget(this);
    m_claim = wrappingLabel(said);
    m_notClaimed = wrappingLabel(said);
    m_warnings = wrappingLabel(said);
    auto* texts = new QVBoxLayout(said);
    texts->setContentsMargins(0, 0, 0, 0);
    texts->setSpacing(6);
    const auto add = [&](const char* head, QLabel* label) {
        texts->addWidget(sectionLabel(QString::fromLatin1(head), said));
        texts->addWidget(label);
    };
    add("Claimed", m_claim);
    add("Not claimed", m_notClaimed);
    add("Warnings", m_warnings);
    texts->addStretch(1);
    auto* scroll = new QScrollArea(this);
    scroll->setWidget(said);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    said->setAutoFillBackground(false);  // the panel behind is the background
    scroll->viewport()->setAutoFillBackground(false);

    m_signoff = new QPushButton(QStringLiteral("Go on to sign-off…"), this);
    m_signoff->setToolTip(QStringLiteral("Seal a run together with this qualification, then sign"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 8, 14, 8);
    layout->setSpacing(8);
    layout->addWidget(m_verdict);
    layout->addWidget(m_steps, 2);
    layout->addWidget(scroll, 3);
    layout->addWidget(m_signoff, 0, Qt::AlignLeft);
    setFocusProxy(m_steps);
    connect(m_signoff, &QPushButton::clicked, this, [this] {
        if (const EngagementPtr& shown = m_context.session.engagement()) emit signoffRequested(shown->paths.front());
    });
    connect(&context.session, &Session::engagementChanged, this, &QualificationView::showQualification);
    showQualification();
}

void QualificationView::showQualification() {
    const EngagementPtr& shown = m_context.session.engagement();
    const bool there = shown && shown->qualification;
    m_model->setEngagement(there ? shown : nullptr);
    if (!there) return;
    const QualificationSummary& summary = *shown->qualification;
    m_verdict->setText((summary.qualified ? QStringLiteral("✓  ") : QStringLiteral("✗  ")) + verdictOf(*shown));
    m_claim->setText(summary.claim.empty() ? QStringLiteral("Nothing: a step does not hold.") : QString::fromStdString(summary.claim));
    m_notClaimed->setText(listed(summary.notClaimed));
    m_warnings->setText(summary.warnings.empty() ? QStringLiteral("None") : listed(summary.warnings));
    m_signoff->setEnabled(summary.qualified);
    m_steps->resizeColumnsToContents();
    m_steps->resizeRowsToContents();
    fitTableToRows(m_steps);
    m_steps->setCurrentIndex(m_model->index(0, 0));
}

}  // namespace isobit::views
