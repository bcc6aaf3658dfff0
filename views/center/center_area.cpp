// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/center/center_area.h"

#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

#include "views/center/start_page.h"
#include "views/center/subject_header.h"
#include "views/session.h"
#include "views/view_registry.h"

namespace isobit::views {

CenterArea::CenterArea(const ViewContext& context, QWidget* parent) : QWidget(parent), m_context(context) {
    setProperty("role", "panel");
    setAttribute(Qt::WA_StyledBackground);
    m_start = new StartPage(context, this);
    m_runPage = new QWidget(this);
    m_tabs = new QTabBar(m_runPage);
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->setDocumentMode(true);
    m_tabs->setAccessibleName(QStringLiteral("Views"));
    m_views = new QStackedWidget(m_runPage);
    for (const ViewEntry& entry : viewRegistry()) {
        const int tab = m_tabs->addTab(entry.title);
        m_tabs->setTabToolTip(tab, entry.question);
        m_tabs->setTabData(tab, entry.id);
        QWidget* view = entry.create(context, m_views);
        view->setObjectName(entry.id);
        m_views->addWidget(view);
    }
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int tab) {
        m_views->setCurrentIndex(tab);
        emit viewShown();
    });

    auto* runLayout = new QVBoxLayout(m_runPage);
    runLayout->setContentsMargins(0, 0, 0, 0);
    runLayout->setSpacing(0);
    runLayout->addWidget(m_tabs);
    auto* header = new SubjectHeader(context, m_runPage);
    connect(header, &SubjectHeader::choicesRequested, this, &CenterArea::choicesRequested);
    runLayout->addWidget(header);
    runLayout->addWidget(m_views, 1);
    m_pages = new QStackedWidget(this);
    m_pages->addWidget(m_start);
    m_pages->addWidget(m_runPage);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_pages);
    setFocusProxy(m_start);
    connect(m_start, &StartPage::openRequested, this, &CenterArea::openRequested);
    connect(&context.session, &Session::runChanged, this, &CenterArea::showSubject);
    connect(&context.session, &Session::captureChanged, this, &CenterArea::showSubject);
    connect(&context.session, &Session::engagementChanged, this, &CenterArea::showSubject);
    showSubject();
}

QWidget* CenterArea::view(const QString& id) const {
    return m_views->findChild<QWidget*>(id, Qt::FindDirectChildrenOnly);
}

void CenterArea::showView(const QString& id) {
    for (int tab = 0; tab < m_tabs->count(); ++tab)
        if (m_tabs->tabData(tab).toString() == id && m_tabs->isTabVisible(tab)) {
            m_tabs->setCurrentIndex(tab);
            m_pages->setCurrentWidget(m_runPage);
            emit viewShown();
        }
}

void CenterArea::showPage(QWidget* page) {
    if (m_pages->indexOf(page) < 0) m_pages->addWidget(page);
    m_pages->setCurrentWidget(page);
    page->setFocus();
    emit viewShown();
}

QWidget* CenterArea::currentView() const {
    return m_pages->currentWidget() == m_runPage ? m_views->currentWidget() : nullptr;
}

void CenterArea::showSubject() {
    int best = -1;
    int most = 0;
    for (int tab = 0; tab < m_tabs->count(); ++tab) {
        const int suitability = viewRegistry()[static_cast<std::size_t>(tab)].suitability(m_context.session);
        m_tabs->setTabVisible(tab, suitability > 0);
        if (suitability > most) best = tab, most = suitability;
    }
    m_tabs->updateGeometry();  // which a tab that comes or goes does not ask for
    if (best < 0) {
        m_pages->setCurrentWidget(m_start);
        return;
    }
    const bool first = m_pages->currentWidget() != m_runPage;
    const bool changes = first || !m_tabs->isTabVisible(m_tabs->currentIndex());
    if (changes) m_tabs->setCurrentIndex(best);
    m_pages->setCurrentWidget(m_runPage);
    if (changes && m_views->currentWidget() != nullptr) m_views->currentWidget()->setFocus();
    emit viewShown();
}

}  // namespace isobit::views
