// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QActionGroup>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenuBar>
#include <QMessageBox>
#include <QStatusBar>

#include "app/workbench/window.h"
#include "core/base/atomic_file.h"
#include "core/capture/pairing_file.h"
#include "views/captures/capture_text.h"
#include "views/captures/choices_dialog.h"

namespace isobit::workbench {

using namespace views;

void Window::buildCompareActions() {
    QMenu* menu = menuBar()->addMenu(QStringLiteral("&Compare"));
    addCommand(menu, "file.compare", "Compare trainer and sampler…", Qt::CTRL | Qt::Key_D, [this] { comparePaths(); });
    m_compareWithAction = addCommand(menu, "file.compare_with", "Compare what is open with…", Qt::CTRL | Qt::SHIFT | Qt::Key_D,
                                     [this] { compareWith(comparedPath()); });
    m_swapAction = addCommand(menu, "file.swap", "Swap trainer and sampler", Qt::CTRL | Qt::SHIFT | Qt::Key_X, [this] { m_session.swapSides(); });
    menu->addSeparator();
    m_pairActions << addCommand(menu, "compare.choose", "Compare as…", Qt::CTRL | Qt::ALT | Qt::Key_D, [this] { chooseComparison(); });
    buildOrderActions(menu->addMenu(QStringLiteral("&Order of the walk")));
    menu->addSeparator();
    m_pairActions << addCommand(menu, "compare.pairing", "Pair as a file says…", {}, [this] { pairAsFileSays(); });
    m_usualPairingAction = addCommand(menu, "compare.usual_pairing", "Pair by the usual rules", {}, [this] {
        CaptureChoices choices = m_session.choices();
        choices.pairing.clear();
        m_session.compareAs(choices);
    });
    m_wholeActions << addCommand(menu, "compare.save_pairing", "Save the pairing…", {}, [this] { savePairing(); });
}

void Window::buildOrderActions(QMenu* menu) {
    auto* group = new QActionGroup(this);
    const std::tuple<const char*, const char*, const char*> orders[] = {{"compare.order.graph", "Walk in the order of the operations", ""},
                                                                        {"compare.order.layers", "Walk layer by layer", "layers"},
                                                                        {"compare.order.file", "Walk in the order of the trainer's file", "file"}};
    for (const auto& [id, title, order] : orders)
        m_orderActions << addCommand(menu, id, title, {}, [this, order = order] {
            CaptureChoices choices = m_session.choices();
            choices.order = order;
            m_session.compareAs(choices);
        });
    m_orderActions << addCommand(menu, "compare.order.list", "Walk in the order of a file of names…", {}, [this] { compareInListedOrder(); });
    for (QAction* action : m_orderActions) {
        action->setCheckable(true);
        group->addAction(action);
    }
    m_pairActions << m_orderActions;
}

void Window::comparePaths() {
    const QString trainer = QFileDialog::getOpenFileName(this, QStringLiteral("The trainer's capture or receipt"), m_settings.value("open_folder").toString());
    if (!trainer.isEmpty()) compareWith(trainer);
}

void Window::compareWith(const QString& trainer) {
    const QString sampler = QFileDialog::getOpenFileName(this, QStringLiteral("The sampler's capture or receipt"), QFileInfo(trainer).absolutePath());
    if (!sampler.isEmpty()) openPaths({trainer, sampler});
}

void Window::chooseComparison() {
    ChoicesDialog dialog(m_session.choices(), alignmentText(*m_session.capture()), this);
    if (dialog.exec() == QDialog::Accepted) m_session.compareAs(dialog.choices());
}

void Window::compareInListedOrder() {
    updateActions();  // the mark stays where it was until there is an answer
    const QString path = QFileDialog::getOpenFileName(this, QStringLiteral("A file with one name a line"),
                                                      QFileInfo(m_session.capturePaths().front()).absolutePath());
    if (path.isEmpty()) return;
    CaptureChoices choices = m_session.choices();
    choices.order = path.toStdString();
    m_session.compareAs(choices);
}

void Window::pairAsFileSays() {
    const QString path = QFileDialog::getOpenFileName(this, QStringLiteral("An isobit.pairing/1 file"),
                                                      QFileInfo(m_session.capturePaths().front()).absolutePath());
    if (path.isEmpty()) return;
    CaptureChoices choices = m_session.choices();
    choices.pairing = path.toStdString();
    m_session.compareAs(choices);
}

void Window::savePairing() {
    const QString folder = QFileInfo(m_session.capturePaths().front()).absolutePath();
    const QString path = QFileDialog::getSaveFileName(this, QStringLiteral("Save the pairing"), folder + QStringLiteral("/pairing.json"));
    if (path.isEmpty()) return;
    if (const auto written = savePairingTo(path); !written)
        QMessageBox::warning(this, QStringLiteral("Isobit"), QString::fromStdString(written.error().message));
    else
        statusBar()->showMessage(QStringLiteral("Written: %1. Edit it, then Compare > Pair as a file says.").arg(path), 8000);
}

Result<void> Window::savePairingTo(const QString& path) const {
    const CapturePtr& capture = m_session.capture();
    if (!capture || !capture->isPair()) return failure("{}: no pair is open whose pairing could be written", path.toStdString());
    std::vector<TensorPair> pairs;
    for (const WalkStep& step : capture->walk.steps) pairs.push_back(step.pair);
    return writeTextAtomically(path.toStdString(), pairingDocument(capture->trainer, *capture->sampler, pairs).dump(2) + '\n');
}

}  // namespace isobit::workbench
