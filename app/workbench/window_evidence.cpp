// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QDockWidget>
#include <QFileInfo>
#include <QMenuBar>
#include <QStatusBar>

#include "app/workbench/window.h"
#include "views/center/center_area.h"
#include "views/center/status_strip.h"
#include "views/signoff/signoff_view.h"

namespace isobit::workbench {

using namespace views;

void Window::buildEvidenceActions() {
    QMenu* menu = menuBar()->addMenu(QStringLiteral("&Evidence"));
    const auto add = [&](const char* id, const char* title, const QKeySequence& keys, void (SignoffView::*act)()) {
        return addCommand(menu, id, title, keys, [this, act] {
            showSignoff();
            (m_signoff->*act)();
        });
    };
    addCommand(menu, "evidence.signoff", "Sign-off: May this be merged?", Qt::ALT | Qt::Key_4, [this] { showSignoff(); });
    add("evidence.open", "Open an artifact or a checkout…", Qt::CTRL | Qt::SHIFT | Qt::Key_E, &SignoffView::openFolder);
    menu->addSeparator();
    addCommand(menu, "evidence.seal", "Seal the run that is open…", {}, [this] {
        m_signoff->setRun(m_session.runPath());
        m_signoff->sealRun();
    });
    m_evidenceActions << add("evidence.sign", "Sign as the author…", {}, &SignoffView::sign);
    menu->addSeparator();
    m_evidenceActions << add("evidence.verify", "Verify again", Qt::Key_F6, &SignoffView::verify);
    m_evidenceActions << add("evidence.rerun", "Compute cells again", Qt::CTRL | Qt::Key_F6, &SignoffView::rerun);
    m_evidenceActions << add("evidence.review", "Counter-sign…", Qt::CTRL | Qt::Key_Return, &SignoffView::review);
    menu->addSeparator();
    m_evidenceActions << add("evidence.export", "Export the report…", {}, &SignoffView::exportReport);
    m_evidenceActions << add("evidence.copy_command", "Copy the command of the chosen check", {}, &SignoffView::copyCommand);
}

bool Window::openEvidence(const QString& path) {
    if (!EvidenceSession::isArtifactOrCheckout(path)) return false;
    showSignoff();
    m_evidence.open(path);
    return true;
}

void Window::showSignoff() {
    m_center->showPage(m_signoff);
    arrangeDocks();
    updateStatus();
}

void Window::arrangeDocks() {
    const bool aside = m_signoff->isVisibleTo(this) || m_session.engagement() != nullptr;
    if (aside && m_asideDocks.isEmpty()) {
        for (QDockWidget* dock : {m_inspectorDock, m_differencesDock})
            if (!dock->isHidden()) m_asideDocks << dock;
        for (QDockWidget* dock : m_asideDocks) dock->hide();
    } else if (!aside) {
        bringDocksBack();
    }
}

void Window::rememberArtifact() {
    const ShownVerification& found = m_evidence.artifact().verification;
    if (found.state.isEmpty()) return;
    const QDir folder(m_evidence.folder());
    const QString title = QFileInfo(folder.absolutePath()).dir().dirName() + QLatin1Char('/') + folder.dirName();
    m_artifacts.add({{folder.absolutePath()}, title, found.state, stateText(found.state).left(1), QDateTime::currentDateTime()});
}

void Window::updateStatus() {
    auto* strip = static_cast<StatusStrip*>(statusBar());
    if (!m_signoff->isVisibleTo(this)) return strip->clearPage();
    const ShownVerification& found = m_evidence.artifact().verification;
    if (m_evidence.folder().isEmpty()) return strip->setPage(QStringLiteral("no artifact open"), {});
    strip->setPage(found.state.isEmpty() ? QStringLiteral("?  NOT VERIFIED YET") : stateText(found.state),
                   found.author.isEmpty() ? QString() : QStringLiteral("signed by ") + found.author);
}

void Window::bringDocksBack() {
    for (QDockWidget* dock : m_asideDocks) dock->show();
    m_asideDocks.clear();
}

}  // namespace isobit::workbench
