// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QMimeData>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include "app/workbench/opening.h"
#include "app/workbench/window.h"
#include "tests/support/capture_files.h"
#include "tests/support/fake_child.h"
#include "views/captures/choices_dialog.h"
#include "views/center/center_area.h"
#include "tests/support/timed_run.h"
#include "views/commands/command_palette.h"
#include "views/element/element_view.h"
#include "views/element/map_widget.h"
#include "views/grid/grid_model.h"
#include "views/grid/grid_plot.h"
#include "views/grid/grid_view.h"
#include "views/inspector/inspector_view.h"
#include "views/signoff/signoff_view.h"
#include "views/timing/timing_plot.h"
#include "views/timing/timing_view.h"

using namespace isobit;
using namespace isobit::views;
using isobit::workbench::Window;

namespace {

Result<Opened> openFake(const std::string& path, const OpenOptions& options) {
    if (!path.ends_with(".h5")) return workbench::openPath(path, options);
    if (path.ends_with("bad.h5")) return failure("{}: is no run file", path);
    if (path.ends_with("timed.h5")) return OpenedRun{support::timedRun(), std::string(64, 'f')};
    return OpenedRun{support::sampleRun(), std::string(64, 'e')};
}

/// All text that a part of the window shows now.
QString textOf(const QWidget* widget) {
    QStringList texts;
    for (const QLabel* label : widget->findChildren<QLabel*>())
        if (label->isVisibleTo(widget)) texts << label->text();
    return texts.join('\n');
}

}  // namespace

class TestWindow : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { m_appearance.apply(); }

    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        const QString program = support::fakeChild(m_folder->path(), support::sampleRun(), 3);
        m_settings = std::make_unique<QSettings>(m_folder->filePath("workbench.ini"), QSettings::IniFormat);
        m_session = std::make_unique<Session>(SessionServices{program, m_folder->filePath("runs"), openFake});
        show();
    }
    void cleanup() {
        m_window.reset();
        m_session.reset();
        m_settings.reset();
    }

    void withoutARunTheWindowSaysWhatToDo() {
        const QString text = textOf(m_window.get());
        QVERIFY(text.contains("Do trainer and sampler compute the same bits?"));
        QVERIFY(text.contains("nothing open"));
        QVERIFY(text.contains("Select a cell"));
    }

    void arrowsMoveTheCellAndTheInspectorFollows() {
        open();
        QTest::keyClick(plot(), Qt::Key_Right);
        QCOMPARE(m_session->selection().cell, 0);
        QTest::keyClick(plot(), Qt::Key_Right);
        QCOMPARE(m_session->selection().cell, 1);
        QVERIFY(textOf(m_window->inspector()).contains("≠ 2 of 384 words"));
        QVERIFY(textOf(m_window->inspector()).contains("0 01111111 0000101"));
        QTest::keyClick(plot(), Qt::Key_Down);
        QCOMPARE(m_session->selection().cell, 4);
        QVERIFY(textOf(m_window->inspector()).contains("the device has no memory left"));
        QTest::keyClick(m_window.get(), Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(m_session->selection().cell, 1);
    }

    void keysFindTheCellsThatDiffer() {
        open();
        QTest::keyClick(plot(), Qt::Key_Home);
        QCOMPARE(m_session->selection().cell, 1);
        m_session->selectCell(5);
        QTest::keyClick(plot(), Qt::Key_N);
        QCOMPARE(m_session->selection().cell, 1);
        m_session->selectCell(5);
        QTest::keyClick(m_window.get(), Qt::Key_F7);
        QCOMPARE(m_session->selection().cell, 1);
    }

    void aClickChoosesTheCellUnderIt() {
        open();
        const QPointF middle(plot()->xAxis2->coordToPixel(2), plot()->yAxis->coordToPixel(1));
        QTest::mouseClick(plot(), Qt::LeftButton, {}, middle.toPoint());
        QCOMPARE(m_session->selection().cell, 5);
    }

    void enterGoesIntoTheListOfDifferences() {
        open();
        QTest::keyClick(plot(), Qt::Key_Home);
        QTest::keyClick(plot(), Qt::Key_Return);
        QCOMPARE(m_session->selection().element, 5);
        auto* table = m_window->findChild<QDockWidget*>("dock.differences")->findChild<QTableView*>();
        QTRY_VERIFY(table->hasFocus());
        QTest::keyClick(table, Qt::Key_Down);
        QCOMPARE(m_session->selection().element, 70);
    }

    void theTableTwinShowsTheSameCells() {
        open();
        QTest::keyClick(m_window.get(), Qt::Key_T, Qt::ControlModifier);
        QVERIFY(m_window->grid()->showsTable());
        auto* table = m_window->grid()->findChild<QTableView*>();
        table->setCurrentIndex(table->model()->index(0, 1));
        QCOMPARE(m_session->selection().cell, 1);
        QCOMPARE(table->currentIndex().data().toString(), QString("2·1"));
    }

    void everyExportIsWrittenInItsFormat() {
        open();
        const std::pair<const char*, QByteArray> forms[] = {
            {"grid.png", "\x89PNG"}, {"grid.svg", "<?xml"}, {"grid.pdf", "%PDF-"}, {"grid.csv", "H,M,status"}};
        for (const auto& [name, start] : forms) {
            const QString path = m_folder->filePath(name);
            QVERIFY(m_window->exportTo(path).has_value());
            QFile file(path);
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QByteArray bytes = file.readAll();
            QVERIFY2(bytes.startsWith(start), name);
            QVERIFY(bytes.size() > 200);
        }
        QVERIFY(!m_window->exportTo(m_folder->filePath("grid.bmp")).has_value());
        QVERIFY(!m_window->exportTo("/nowhere/grid.svg").has_value());
        QFile svg(m_folder->filePath("grid.svg"));
        QVERIFY(svg.open(QIODevice::ReadOnly));
        const QByteArray drawing = svg.readAll();
        QVERIFY2(!drawing.contains("<image"), "the figure is a bitmap");
        for (const char* part : {"sample", "3 of 6 cells equal", "largest ULP", "sha256"}) QVERIFY2(drawing.contains(part), part);
    }

    void theCellIsCopiedInEveryForm() {
        open();
        m_session->selectCell(1);
        QVERIFY(m_window->trigger("cell.copy.command"));
        QCOMPARE(QApplication::clipboard()->text(), QString("isobit sweep sample --cell h64_m3"));
        QVERIFY(m_window->trigger("cell.copy.json"));
        QVERIFY(QApplication::clipboard()->text().startsWith("{"));
    }

    void aSweepCanBeStoppedFromTheKeyboard() {
        QVERIFY(m_window->trigger("run.preset:hangs"));
        QTRY_COMPARE(m_session->cellsDone(), 3);
        QTest::keyClick(m_window.get(), Qt::Key_Escape);
        QTRY_COMPARE(m_session->state(), Session::State::Stopped);
        QVERIFY(textOf(m_window.get()).contains("Partial: 3 of 6 cells"));
    }

    void aCrashOfTheChildLeavesTheWindowStanding() {
        QVERIFY(m_window->trigger("run.preset:crashes"));
        QTRY_COMPARE(m_session->state(), Session::State::Failed);
        QVERIFY(textOf(m_window.get()).contains("ended unexpectedly"));
        QVERIFY(m_window->isVisible());
        open();
    }

    void aDroppedFileIsOpened() {
        drop({m_folder->filePath("dropped.h5")});
        QTRY_VERIFY(m_session->run());
        QVERIFY(m_session->runPath().endsWith("dropped.h5"));
    }

    void twoDroppedFilesAreComparedAndTheWalkIsShown() {
        const auto paths = support::writeCaptures(m_folder->path());
        drop({paths.trainer, paths.sampler});
        QTRY_VERIFY(m_session->capture());
        QCOMPARE(m_window->center()->currentView()->objectName(), QString("walk"));
        const QString text = textOf(m_window.get());
        QVERIFY(text.contains("3 of 7 tensors differ"));
        QVERIFY(text.contains("First divergence: layers.00.q_rope, 2 of 128 words, culprit: RoPE"));
        QVERIFY(text.contains("Capture next: table, positions"));
        QTRY_VERIFY(textOf(m_window.get()).contains("═ token_ids"));
        QVERIFY(textOf(m_window.get()).contains("first divergent token 2"));
        QVERIFY(text.contains("DIFFERENT 3 of 7 tensors"));
    }

    void oneDroppedCaptureShowsItsTensors() {
        const auto paths = support::writeCaptures(m_folder->path());
        drop({paths.trainer});
        QTRY_VERIFY(m_session->capture());
        QCOMPARE(m_window->center()->currentView()->objectName(), QString("tensors"));
        QVERIFY(textOf(m_window.get()).contains("safetensors, 7 tensors"));
    }

    void theWalkIsWalkedFromTheKeyboardIntoTheTensorAndItsWords() {
        compare();
        auto* table = m_window->center()->currentView()->findChild<QTableView*>();
        QTRY_VERIFY(table->hasFocus());
        QTest::keyClick(table, Qt::Key_N);
        const QString second = QString::fromStdString(m_session->selectedStep()->pair.name);
        QVERIFY(second != "layers.00.q_rope");
        QTest::keyClick(table, Qt::Key_Home);
        QCOMPARE(m_session->selectedStep()->pair.name, std::string("layers.00.q_rope"));
        QTest::keyClick(table, Qt::Key_D);
        QTRY_COMPARE(table->model()->rowCount(), 5);
        QTest::keyClick(table, Qt::Key_Return);
        QCOMPARE(m_window->center()->currentView()->objectName(), QString("element"));
        auto* map = m_window->findChild<MapWidget*>();
        QTRY_VERIFY(map->hasFocus());
        QTest::keyClick(map, Qt::Key_N);
        QTRY_COMPARE(m_session->selection().element, std::int64_t(70));
        QTRY_VERIFY(textOf(m_window.get()).contains("row 2, column 6"));
        QTest::keyClick(map, Qt::Key_Right);
        QCOMPARE(m_session->selection().element, std::int64_t(71));
        QTest::keyClick(m_window.get(), Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(m_session->selection().element, std::int64_t(70));
        QTest::keyClick(map, Qt::Key_Backspace);
        QCOMPARE(m_window->center()->currentView()->objectName(), QString("walk"));
        QVERIFY(m_window->trigger("walk.copy.markdown"));
        QVERIFY(QApplication::clipboard()->text().contains("First divergence: **layers.00.q_rope**"));
    }

    void holdingSpaceShowsTheSamplerInTheTrainersPlace() {
        compare();
        QVERIFY(m_window->trigger("view.element"));
        auto* map = m_window->findChild<MapWidget*>();
        auto* view = qobject_cast<ElementView*>(m_window->center()->currentView());
        view->setMode(MapMode::Bit);
        QTRY_VERIFY(!map->isLoading());
        const QImage trainer = map->grab().toImage();
        QTest::keyPress(map, Qt::Key_Space);
        QVERIFY(map->showsSampler());
        // At once, with no event loop in between: both pictures are there.
        QVERIFY(map->grab().toImage() != trainer);
        QTest::keyRelease(map, Qt::Key_Space);
        QVERIFY(map->grab().toImage() == trainer);
    }

    void theMapShowsNoColourOfTheRampWhereWordsAreEqual() {
        compare();
        QVERIFY(m_window->trigger("tensor:layers.00.q_norm"));
        QVERIFY(m_window->trigger("view.element"));
        auto* map = m_window->findChild<MapWidget*>();
        QTRY_VERIFY(!map->isLoading());
        map->clearFocus();
        const QImage picture = map->grab().toImage();
        QCOMPARE(picture.pixelColor(picture.width() / 3, picture.height() / 3), m_appearance.theme().equalCell);
        for (int x = 2; x < picture.width() - 2; x += 7)
            for (const QColor& color : m_appearance.theme().ramp) QVERIFY(picture.pixelColor(x, picture.height() / 2) != color);
    }

    void howCapturesAreComparedIsChosenInTheWindow() {
        compare();
        const QWidget* header = m_window->center();
        QVERIFY(textOf(header).contains("in the order of the operations of qwen3-like"));
        QVERIFY(m_window->trigger("compare.order.file"));
        QTRY_VERIFY(textOf(header).contains("in the order of the trainer's file"));
        QCOMPARE(m_session->selectedStep()->pair.name, std::string("layers.00.q_rope"));
        // The saved pairing is a file that pairs in the same way.
        const QString path = m_folder->filePath("pairing.json");
        QVERIFY(m_window->savePairingTo(path).has_value());
        QVERIFY(!m_window->savePairingTo("/nowhere/pairing.json").has_value());
        CaptureChoices choices;
        choices.pairing = path.toStdString();
        m_session->compareAs(choices);
        QTRY_VERIFY(textOf(header).contains("paired by pairing.json"));
        QVERIFY(m_session->selectedStep()->pair.match == MatchKind::Given);
        QVERIFY(m_window->trigger("walk.copy.command"));
        QVERIFY(QApplication::clipboard()->text().endsWith("--pairing " + path));
        QVERIFY(m_window->trigger("compare.usual_pairing"));
        QTRY_VERIFY(!textOf(header).contains("paired by"));
    }

    void theKeyboardAloneChoosesHowCapturesAreCompared() {
        compare();
        QTimer::singleShot(0, this, [] {
            auto* dialog = qobject_cast<ChoicesDialog*>(QApplication::activeModalWidget());
            QVERIFY(dialog != nullptr);
            QVERIFY(dialog->focusWidget()->inherits("QComboBox"));
            QTest::keyClick(dialog->focusWidget(), Qt::Key_Down);  // layer by layer
            QTest::keyClick(dialog, Qt::Key_Return);
        });
        QVERIFY(m_window->trigger("compare.choose"));
        QTRY_VERIFY(m_session->capture()->walk.order == OrderKind::Layers);
    }

    void aChoiceWithoutItsFileIsOneSentenceInTheDialog() {
        CaptureChoices now;
        now.pairing = "/nowhere/pairing.json";
        now.samplerRow = 3;
        ChoicesDialog dialog(now, {}, nullptr);
        dialog.show();
        QTest::keyClick(&dialog, Qt::Key_Return);
        QVERIFY(dialog.isVisible());
        QVERIFY(textOf(&dialog).contains("Pairing: there is no file /nowhere/pairing.json"));
        for (auto* choice : dialog.findChildren<QComboBox*>())
            if (choice->accessibleName() == "Pairing") choice->setCurrentIndex(0);
        QTest::keyClick(&dialog, Qt::Key_Return);
        QCOMPARE(dialog.result(), int(QDialog::Accepted));
        QVERIFY((dialog.choices() == CaptureChoices{{}, {}, {}, std::nullopt, 3}));
    }

    void theWalkGrowsUnderTheHandsAndKeepsItsPlace() {
        // So many tensors that the table scrolls, each shown as it is compared.
        std::vector<support::StoredTensor> tensors;
        for (int layer = 0; layer < 40; ++layer)
            tensors.push_back(support::stored(QStringLiteral("layers.%1.q_norm").arg(layer).toStdString(), "BF16", {4, 32}, std::vector<std::uint16_t>(128, 0x3F80)));
        const QString one = support::writeSafetensors(m_folder->filePath("many_trainer.safetensors"), tensors);
        const QString other = support::writeSafetensors(m_folder->filePath("many_sampler.safetensors"), tensors);
        m_window.reset();
        m_session = std::make_unique<Session>(SessionServices{"", m_folder->path(), openFake, std::chrono::milliseconds(0)});
        show();
        auto* table = m_window->center()->view("walk")->findChild<QTableView*>();
        int rowsAtFirst = 0;
        connect(m_session.get(), &Session::captureChanged, this, [&] {
            if (rowsAtFirst > 0 || !m_session->capture()) return;
            rowsAtFirst = table->model()->rowCount();
            QVERIFY(textOf(m_window.get()).contains("No difference so far"));
            m_session->selectTensor(0);
        });
        m_session->compare(one, other);
        QTRY_COMPARE(m_session->state(), Session::State::Complete);
        QCOMPARE(table->model()->rowCount(), 40);
        QVERIFY(rowsAtFirst >= 1 && rowsAtFirst <= 40);
        QCOMPARE(table->currentIndex().row(), 0);
        QVERIFY(textOf(m_window.get()).contains("Every word of every tensor is equal"));
    }

    void receiptsAreAmongTheRecents() {
        const QStringList paths{QStringLiteral(ISOBIT_SOURCE_DIR "/tests/data/engagement/trainer.json"),
                                QStringLiteral(ISOBIT_SOURCE_DIR "/tests/data/engagement/sampler.json")};
        drop(paths);
        QTRY_VERIFY(m_session->engagement());
        const auto listed = [&] {
            for (const Command& command : m_window->commands())
                if (command.id == "open:" + keyOf(paths)) return command.section;
            return QString();
        };
        QCOMPARE(listed(), QString("Receipts"));
        QVERIFY(textOf(m_window->findChild<QDockWidget*>("dock.navigator")).contains("Receipts and qualifications"));
        compare();
        QVERIFY(m_window->trigger("open:" + keyOf(paths)));
        QTRY_VERIFY(m_session->engagement());
    }

    void aBookmarkLeadsBackToItsPlace() {
        compare();
        m_session->selectElement(70);
        QTest::keyClick(m_window.get(), Qt::Key_B, Qt::ControlModifier);
        QVERIFY(m_window->trigger("tensor:token_ids"));
        QTest::keyClick(m_window.get(), Qt::Key_1, Qt::ControlModifier);
        QCOMPARE(m_session->selection().element, std::int64_t(70));
    }

    void theReplayIsLinkedToTheSelection() {
        compare();
        QVERIFY(m_window->trigger("view.replay"));
        QVERIFY(textOf(m_window->center()->currentView()).contains("DIFFERENT: 2 of 6 decision-time words"));
        QVERIFY(textOf(m_window->center()->currentView()).contains("First divergent token: 2"));
        auto* table = m_window->center()->currentView()->findChild<QTableView*>();
        QTest::keyClick(table, Qt::Key_Home);
        QCOMPARE(m_session->selectedStep()->pair.name, std::string("decision_logprob"));
        QCOMPARE(m_session->selection().element, std::int64_t(2));
        QTest::keyClick(table, Qt::Key_N);
        QCOMPARE(m_session->selection().element, std::int64_t(4));
        QTRY_VERIFY(textOf(m_window.get()).contains("0xC0A00000"));  // -5, in the inspector
    }

    void aBrokenCaptureIsOneSentenceAndTheWalkStays() {
        compare();
        const QString broken = m_folder->filePath("broken.safetensors");
        QFile file(broken);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("nothing that is known");
        file.close();
        drop({broken});
        QTRY_COMPARE(m_session->state(), Session::State::Failed);
        QVERIFY(textOf(m_window.get()).contains("broken.safetensors: "));
        QVERIFY(textOf(m_window.get()).contains("First divergence: layers.00.q_rope"));
    }

    void aHeaderlessArrayIsReadOnceItsTypeIsSaid() {
        const QString raw = m_folder->filePath("words.bin");
        QFile file(raw);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray(96, 0x3F));
        file.close();
        drop({raw});
        QTRY_COMPARE(m_session->state(), Session::State::Failed);
        QVERIFY(m_session->error().contains("headerless"));
        OpenOptions options;
        options.raw = RawLayout{DType::Bf16, {4, 12}, 0, false};
        m_session->readAs(options);
        QTRY_VERIFY(m_session->capture());
        QCOMPARE(m_session->capture()->trainer.tensors()[0].shape, (isobit::Shape{4, 12}));
        compare();  // what was said of that file says nothing of others
        QTRY_VERIFY(m_session->capture()->isPair());
    }

    void curvesAndTableShareTheSelectionWithTheGrid() {
        openTimes();
        auto* curves = m_window->findChild<TimingPlot*>();
        auto* table = timing()->findChild<QTableView*>();
        QTRY_VERIFY(curves->isVisible());
        QTest::mouseClick(curves, Qt::LeftButton, {}, curves->positionOf(4).toPoint());
        QCOMPARE(m_session->selection().cell, 4);
        QCOMPARE(plot()->current(), plot()->current().model()->index(1, 1));
        QTest::keyClick(curves, Qt::Key_Right);
        QCOMPARE(m_session->selection().cell, 5);
        QTest::keyClick(curves, Qt::Key_Up);
        QCOMPARE(m_session->selection().cell, 2);
        QCOMPARE(table->currentIndex().row(), 2);
        QVERIFY(textOf(timing()).contains("H 64: fused to cluster at about"));
        table->selectRow(0);
        QCOMPARE(m_session->selection().cell, 0);
        QVERIFY(curves->accessibleDescription().startsWith("H 64, M 1: cluster 2.500 µs, fused 2.000 µs"));
    }

    void anotherRunIsLaidOverTheTimes() {
        openTimes();
        QVERIFY(textOf(timing()).contains("frozen rule: 2 of 6 cells misclassified"));
        const QString record = QStringLiteral(ISOBIT_SOURCE_DIR "/resources/records/norm_v2_h200.h5");
        timing()->openOverlay(record);
        QTRY_VERIFY(textOf(timing()).contains("over it, dashed: norm_v2_h200.h5 (NVIDIA H200, median of 11 replays"));
        timing()->openOverlay(m_folder->filePath("missing.h5"));
        QTRY_VERIFY(textOf(timing()).contains("missing.h5: "));
        timing()->removeOverlay();
        QVERIFY(!textOf(timing()).contains("over it"));
    }

    void aRunWithoutTimesSaysHowToGetThem() {
        open();
        QVERIFY(m_window->trigger("view.timing"));
        QVERIFY(textOf(timing()).contains("isobit sweep rmsnorm-72 --engine cuda --time"));
    }

    void theCommandPaletteFindsAndDoes() {
        open();
        QTest::keyClick(m_window.get(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        auto* palette = m_window->findChild<CommandPalette*>();
        QVERIFY(palette != nullptr);
        auto* text = palette->findChild<QLineEdit*>();
        QTest::keyClicks(text, "cell h 96 m 1");
        QTest::keyClick(text, Qt::Key_Return);
        QTRY_COMPARE(m_session->selection().cell, 3);
    }

    void everyCommandHasAnIdOfItsOwn() {
        open();
        QStringList ids;
        for (const Command& command : m_window->commands()) {
            QVERIFY2(!command.id.isEmpty() && !command.title.isEmpty(), qPrintable(command.title));
            ids << command.id;
        }
        QCOMPARE(ids.removeDuplicates(), 0);
        QVERIFY(!m_window->trigger("no.such.command"));
        // Nothing runs, so there is nothing to stop.
        for (const Command& command : m_window->commands(Window::Scope::EnabledNow)) QVERIFY(command.id != "run.stop");
    }

    void everyControlHasANameForScreenReaders() {
        open();
        for (const QAbstractButton* button : m_window->findChildren<QAbstractButton*>())
            if (button->text().isEmpty() && button->isVisible() && button->inherits("QDockWidgetTitleButton")) QVERIFY(!button->toolTip().isEmpty());
        for (const QAbstractItemView* view : m_window->findChildren<QAbstractItemView*>())
            if (!view->inherits("QHeaderView")) QVERIFY2(!view->accessibleName().isEmpty(), view->metaObject()->className());
        m_session->selectCell(1);
        QVERIFY(plot()->accessibleDescription().contains("different: 2 of 384 words"));
    }

    void theWindowComesBackAsItWasLeft() {
        open();
        m_window->resize(1111, 700);
        m_appearance.setMode(Appearance::Mode::Dark);
        m_window->findChild<QDockWidget*>("dock.navigator")->hide();
        m_window->grid()->showTable();
        m_window->close();
        m_window.reset();
        m_appearance.setMode(Appearance::Mode::Light);
        m_session = std::make_unique<Session>(SessionServices{"", m_folder->path(), openFake});
        show();
        QCOMPARE(m_window->width(), 1111);
        QCOMPARE(m_appearance.mode(), Appearance::Mode::Dark);
        QVERIFY(m_window->findChild<QDockWidget*>("dock.navigator")->isHidden());
        QVERIFY(m_window->grid()->showsTable());
        QFile(m_folder->filePath("sample.h5")).open(QIODevice::WriteOnly);
        m_window->reopenLast();
        QTRY_VERIFY(m_session->run());
        m_appearance.setMode(Appearance::Mode::Light);
    }

    void arrangementsHaveNamesAndOneIsTheUsersOwn() {
        const auto shown = [this](const char* dock) { return m_window->findChild<QDockWidget*>(dock)->isVisible(); };
        QVERIFY(m_window->trigger("view.centre"));
        QVERIFY(!shown("dock.navigator") && !shown("dock.inspector") && !shown("dock.differences"));
        QVERIFY(m_window->trigger("view.words"));
        QVERIFY(!shown("dock.navigator") && shown("dock.inspector") && shown("dock.differences"));
        QVERIFY(m_window->trigger("view.keep_mine"));
        QVERIFY(m_window->trigger("view.everything"));
        QVERIFY(shown("dock.navigator"));
        QVERIFY(m_window->trigger("view.mine"));
        QVERIFY(!shown("dock.navigator") && shown("dock.differences"));
    }

    void anArrangementOfAnotherVersionIsNotMisread() {
        m_settings->setValue("window/docks", QByteArray("nonsense"));
        m_window.reset();
        show();
        for (const char* dock : {"dock.navigator", "dock.inspector", "dock.differences"})
            QVERIFY(m_window->findChild<QDockWidget*>(dock)->isVisible());
    }

    void signOffTakesTheCentreAndGivesItBack() {
        open();
        QVERIFY(m_window->trigger("evidence.signoff"));
        QVERIFY(m_window->signoff()->isVisible());
        QVERIFY(textOf(m_window->signoff()).contains("May this be merged?"));
        QVERIFY(!m_window->findChild<QDockWidget*>("dock.inspector")->isVisible());
        QVERIFY(m_window->trigger("view.grid"));
        QVERIFY(!m_window->signoff()->isVisible());
        QVERIFY(m_window->findChild<QDockWidget*>("dock.inspector")->isVisible());
        QVERIFY(!m_window->openEvidence(m_folder->path()));  // no artifact, no checkout
    }

    void anArtifactIsNamedInTheStatusBarAndAmongTheRecents() {
        open();
        const QString record = QStringLiteral(ISOBIT_SOURCE_DIR "/evidence/records/rmsnorm-72/cpu-model");
        QVERIFY(m_window->openEvidence(record));
        QTRY_VERIFY_WITH_TIMEOUT(textOf(m_window->statusBar()).contains("signed by test-key-author@isobit.invalid"), 60000);
        QVERIFY(textOf(m_window->statusBar()).contains("VERIFIED"));
        const auto commands = m_window->commands(workbench::Window::Scope::All);
        QVERIFY(std::ranges::any_of(commands, [&](const Command& command) {
            return command.id == "open:" + record && command.title.startsWith("Open rmsnorm-72/cpu-model, today");
        }));
        QVERIFY(m_window->trigger("view.grid"));
        QVERIFY(!textOf(m_window->statusBar()).contains("VERIFIED"));
        QVERIFY(m_window->trigger("open:" + record));
        QVERIFY(m_window->signoff()->isVisible());
    }

private:
    void show() {
        m_window = std::make_unique<Window>(workbench::WindowParts{
            *m_session, m_appearance, *m_settings, {{"hangs", "a sweep"}, {"crashes", "a sweep"}},
            QStringLiteral(ISOBIT_BINARY_DIR "/bin/isobit")});
        m_window->restore();
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }
    void open() {
        m_session->open(m_folder->filePath("sample.h5"));
        QTRY_VERIFY(m_session->run() && m_session->runPath().endsWith("sample.h5"));
        plot()->setFocus();
    }
    void compare() {
        const auto paths = support::writeCaptures(m_folder->path());
        m_session->compare(paths.trainer, paths.sampler);
        QTRY_VERIFY(m_session->capture());
    }
    void drop(const QStringList& paths) {
        QMimeData data;
        QList<QUrl> urls;
        for (const QString& path : paths) urls << QUrl::fromLocalFile(path);
        data.setUrls(urls);
        QDragEnterEvent enter({50, 50}, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(m_window.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent dropped({50, 50}, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(m_window.get(), &dropped);
    }
    void openTimes() {
        m_session->open(m_folder->filePath("timed.h5"));
        QTRY_VERIFY(m_session->run() && m_session->runPath().endsWith("timed.h5"));
        QVERIFY(m_window->trigger("view.timing"));
    }
    TimingView* timing() { return m_window->findChild<TimingView*>(); }
    GridPlot* plot() { return m_window->findChild<GridPlot*>(); }

    Appearance m_appearance;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<QSettings> m_settings;
    std::unique_ptr<Session> m_session;
    std::unique_ptr<Window> m_window;
};

QTEST_MAIN(TestWindow)
#include "test_window.moc"
