// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMainWindow>
#include <QSettings>

#include "views/commands/command_model.h"
#include "views/element/element_cursor.h"
#include "views/file_watch.h"
#include "views/navigator/bookmarks_model.h"
#include "views/navigator/presets_model.h"
#include "views/navigator/recents_model.h"
#include "views/palette/appearance.h"
#include "views/session.h"
#include "views/signoff/artifact_watch.h"
#include "views/signoff/evidence_session.h"
#include "views/view_context.h"

namespace isobit::views {
class CenterArea;
class DifferenceSteps;
class GridView;
class InspectorView;
class SignoffView;
}  // namespace isobit::views

namespace isobit::workbench {

/// What the window is built from; everything outlives it.
struct WindowParts {
    views::Session& session;
    views::Appearance& appearance;
    QSettings& settings;  ///< geometry, docks, theme, runs
    std::vector<views::PresetEntry> presets;
    QString isobitProgram = {};  ///< the command line that does everything with evidence
};

/// The one window: navigator, inspector and differences as docks around the question being asked.
class Window final : public QMainWindow {
    Q_OBJECT
public:
    explicit Window(WindowParts parts, QWidget* parent = nullptr);

    /// Puts geometry, docks and theme back as they were; without settings, or with those of another version, the
    /// default arrangement.
    void restore();
    /// Opens what was open last, if its files are still there.
    void reopenLast();
    void resetLayout();
    enum class Arrangement {
        Everything,  ///< navigator, inspector and differences around the centre
        Words,       ///< inspector and differences
        Inspect,     ///< inspector
        Centre,      ///< the centre alone
    };
    void arrange(Arrangement arrangement);
    /// Keeps the docks as they are, to be put back so by restoreArrangement, also after a restart.
    void keepArrangement();
    void restoreArrangement();

    [[nodiscard]] views::GridView* grid() const { return m_grid; }
    [[nodiscard]] views::CenterArea* center() const { return m_center; }
    [[nodiscard]] views::InspectorView* inspector() const { return m_inspector; }
    [[nodiscard]] views::EvidenceSession& evidence() { return m_evidence; }
    [[nodiscard]] views::SignoffView* signoff() const { return m_signoff; }
    /// Opens an evidence artifact, or a checkout that holds some, for sign-off; false if the path is neither.
    bool openEvidence(const QString& path);
    enum class Scope { All, EnabledNow };
    /// Every action, preset, recent run and cell, or only what can be done now.
    [[nodiscard]] std::vector<views::Command> commands(Scope scope = Scope::All) const;
    /// Does what a command's id says; false for an unknown id.
    bool trigger(const QString& id);
    /// Writes the grid of the run and output that are shown to a file whose suffix says the format.
    [[nodiscard]] Result<void> exportTo(const QString& path) const;
    /// Writes how the two captures that are shown are paired, as an isobit.pairing/1 file.
    [[nodiscard]] Result<void> savePairingTo(const QString& path) const;

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    bool event(QEvent* event) override;

private:
    void buildDocks();
    void buildActions();
    void buildFileActions();
    void buildCopyActions(QMenu* menu);
    void buildCompareActions();
    void buildOrderActions(QMenu* menu);
    void buildRunActions();
    void buildGoActions();
    void buildBookmarkActions(QMenu* menu);
    void buildViewActions();
    void buildEvidenceActions();
    void buildHelpActions();
    QDockWidget* addDock(const QString& id, const QString& title, QWidget* content, Qt::DockWidgetArea area);
    QAction* addCommand(QMenu* menu, const QString& id, const QString& title, const QKeySequence& keys,
                        const std::function<void()>& action);
    /// Shows a view of the centre, if it has something to show, and gives it the keyboard.
    void showView(const QString& id);
    /// Sign-off over the whole centre; the docks that speak of runs and captures make room until another view is shown.
    void showSignoff();
    /// Hides the docks that are about cells and words where neither is shown, and brings them back.
    void arrangeDocks();
    void bringDocksBack();
    void rememberArtifact();
    void updateStatus();
    void updateActions();
    void updateTitle();
    void save();

    void openFile();
    void openFolder();
    void comparePaths();
    void compareWith(const QString& trainer);
    /// The capture or receipt that is open and can be compared with another; empty if there is none.
    [[nodiscard]] QString comparedPath() const;
    /// Asks how the captures are compared, and compares them so.
    void chooseComparison();
    void compareInListedOrder();
    void pairAsFileSays();
    void savePairing();
    /// Opens one path, compares two.
    void openPaths(const QStringList& paths);
    [[nodiscard]] views::DifferenceSteps* steps() const;
    void exportGrid();
    void showPalette();
    void showShortcuts();
    void showAbout();
    void setMode(views::Appearance::Mode mode);

    views::Session& m_session;
    views::Appearance& m_appearance;
    QSettings& m_settings;
    views::ElementCursor m_cursor;
    views::FileWatch m_watch;
    views::BookmarksModel m_bookmarks;
    views::EvidenceSession m_evidence;
    views::PresetsModel m_presets;
    views::RecentsModel m_runs;
    views::RecentsModel m_captures;
    views::RecentsModel m_artifacts;
    views::RecentsModel m_receipts;
    views::ArtifactWatch m_artifactWatch;
    views::CenterArea* m_center = nullptr;
    views::GridView* m_grid = nullptr;
    views::InspectorView* m_inspector = nullptr;
    views::SignoffView* m_signoff = nullptr;
    QDockWidget* m_navigatorDock = nullptr;
    QDockWidget* m_inspectorDock = nullptr;
    QDockWidget* m_differencesDock = nullptr;
    QList<QAction*> m_commands;  ///< with their id as object name and their menu's title as data
    QList<QAction*> m_cellActions;
    QList<QAction*> m_runActions;
    QList<QAction*> m_pairActions;
    QList<QAction*> m_wholeActions;  ///< those that need a pair that is compared to its end
    QList<QAction*> m_stepActions;
    QList<QAction*> m_evidenceActions;  ///< those that need an artifact
    QList<QDockWidget*> m_asideDocks;   ///< hidden while sign-off is shown
    QList<QAction*> m_viewActions;  ///< in the order of the registry
    QAction* m_stopAction = nullptr;
    QAction* m_resumeAction = nullptr;
    QAction* m_backAction = nullptr;
    QAction* m_compareWithAction = nullptr;
    QAction* m_swapAction = nullptr;
    QAction* m_usualPairingAction = nullptr;
    QList<QAction*> m_orderActions;  ///< in the order of OrderKind
    QAction* m_reloadAction = nullptr;
    QAction* m_mineAction = nullptr;
};

}  // namespace isobit::workbench
