// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/signoff/signoff_view.h"

#include <QAbstractItemView>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QThreadPool>
#include <QVBoxLayout>

#include "evidence/test_key.h"
#include "views/palette/fonts.h"
#include "views/signoff/evidence_pdf.h"
#include "views/signoff/evidence_session.h"
#include "views/signoff/review_dialog.h"
#include "views/signoff/sign_dialog.h"
#include "views/widgets.h"

namespace isobit::views {

namespace {

// The end of a path says which artifact it is.
QString shortPath(const QString& path) {
    const QStringList parts = path.split('/');
    return parts.size() <= 5 ? path : QStringLiteral("…/") + parts.mid(parts.size() - 4).join('/');
}

// Titles of sections in bold.
class FactDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        option->displayAlignment = Qt::AlignLeft | Qt::AlignTop;
        if (index.siblingAtColumn(0).data(FactsModel::SectionRole).toBool()) option->font.setBold(true);
    }
};

}  // namespace

SignoffView::SignoffView(EvidenceSession& session, QWidget* parent) : QWidget(parent), m_session(session) {
    setProperty("role", "panel");
    setAttribute(Qt::WA_StyledBackground);
    m_pages = new QStackedWidget(this);
    m_pages->addWidget(buildEmptyPage());
    auto* page = new QWidget(this);
    auto* pageLayout = new QVBoxLayout(page);
    pageLayout->setContentsMargins(14, 12, 14, 8);
    pageLayout->setSpacing(8);
    pageLayout->addWidget(buildHeader());
    pageLayout->addWidget(buildBody(), 1);
    m_pages->addWidget(page);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_pages);

    connect(&session, &EvidenceSession::artifactChanged, this, &SignoffView::showArtifact);
    connect(&session, &EvidenceSession::taskChanged, this, &SignoffView::showTask);
    connect(&session, &EvidenceSession::progressChanged, this, &SignoffView::showProgress);
    connect(&session, &EvidenceSession::pdfWanted, this, &SignoffView::writePdf);
    showArtifact();
    showTask();
}

QWidget* SignoffView::buildEmptyPage() {
    auto* page = new QWidget(this);
    auto* title = new QLabel(QStringLiteral("May this be merged?"), page);
    title->setFont(scaledFont(textFont(), 1.6, true));
    QLabel* text = wrappingLabel(page);
    text->setText(QStringLiteral("Open an evidence artifact, or a checkout that holds some: every byte is held against its "
                                 "signature, its policy and the sources that it stands for. Nothing in it is run, no link "
                                 "in it is followed."));
    m_carried = wrappingLabel(page);
    m_carried->hide();
    auto* row = new QHBoxLayout;
    addButton(row, QStringLiteral("Open an artifact or a checkout…"), &SignoffView::openFolder);
    addButton(row, QStringLiteral("Seal a run…"), &SignoffView::sealRun);
    row->addStretch(1);
    m_buttons.clear();  // these two need no artifact
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(40, 60, 40, 40);
    layout->setSpacing(14);
    layout->addWidget(title);
    layout->addWidget(text);
    layout->addWidget(m_carried);
    layout->addLayout(row);
    layout->addStretch(1);
    return page;
}

QPushButton* SignoffView::addButton(QHBoxLayout* row, const QString& text, void (SignoffView::*act)()) {
    auto* button = new QPushButton(text, this);
    connect(button, &QPushButton::clicked, this, act);
    row->addWidget(button);
    m_buttons << button;
    return button;
}

QWidget* SignoffView::buildHeader() {
    auto* header = new QWidget(this);
    m_artifacts = new QComboBox(header);
    m_artifacts->setModel(&m_session.artifacts());
    m_artifacts->setAccessibleName(QStringLiteral("Artifacts of the checkout"));
    m_artifacts->view()->setAccessibleName(m_artifacts->accessibleName());
    connect(m_artifacts, &QComboBox::activated, this, [this](int row) { m_session.open(m_session.artifacts().path(row)); });
    m_state = new QLabel(header);
    m_state->setFont(scaledFont(textFont(), 1.6, true));
    m_state->setAccessibleName(QStringLiteral("State"));
    m_meaning = wrappingLabel(header);
    m_place = roleLabel({}, "muted", header);
    m_place->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_place->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_testKey = roleLabel({}, "failed", header);
    m_message = wrappingLabel(header);
    m_bar = new QProgressBar(header);
    m_bar->setFixedSize(160, 8);
    m_bar->setTextVisible(false);
    m_stop = new QPushButton(QStringLiteral("Stop"), header);
    connect(m_stop, &QPushButton::clicked, &m_session, &EvidenceSession::stop);

    auto* actions = new QHBoxLayout;
    addButton(actions, QStringLiteral("Verify"), &SignoffView::verify);
    addButton(actions, QStringLiteral("Compute again"), &SignoffView::rerun);
    m_cells = new QComboBox(header);
    m_cells->setAccessibleName(QStringLiteral("Cells to compute again"));
    m_cells->view()->setAccessibleName(m_cells->accessibleName());
    m_cells->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    actions->addWidget(m_cells);
    addButton(actions, QStringLiteral("Sign…"), &SignoffView::sign);
    addButton(actions, QStringLiteral("Counter-sign…"), &SignoffView::review);
    addButton(actions, QStringLiteral("Export…"), &SignoffView::exportReport);
    actions->addStretch(1);
    auto* progress = new QHBoxLayout;
    progress->addWidget(m_message, 1);
    progress->addWidget(m_bar);
    progress->addWidget(m_stop);

    auto* layout = new QVBoxLayout(header);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    for (QWidget* widget : {static_cast<QWidget*>(m_artifacts), static_cast<QWidget*>(m_state), static_cast<QWidget*>(m_meaning),
                            static_cast<QWidget*>(m_testKey), static_cast<QWidget*>(m_place)})
        layout->addWidget(widget);
    layout->addSpacing(4);
    layout->addLayout(actions);
    layout->addLayout(progress);
    return header;
}

QTableView* SignoffView::addTable(const QString& name, QAbstractItemModel& model) {
    auto* table = new QTableView(this);
    table->setModel(&model);
    table->setAccessibleName(name);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setShowGrid(false);
    table->setTabKeyNavigation(false);
    table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    return table;
}

QWidget* SignoffView::buildBody() {
    m_checks = addTable(QStringLiteral("Checks"), m_checksModel);
    m_checks->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_checks->verticalHeader()->hide();
    m_checks->setWordWrap(false);  // one line a check, so that all are seen; the tool tip has the rest
    m_checks->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft);
    m_checks->horizontalHeader()->setStretchLastSection(true);
    m_checks->installEventFilter(this);
    connect(m_checks, &QTableView::activated, this, &SignoffView::copyCommand);
    m_grid = addTable(QStringLiteral("Cells"), m_session.grid());
    m_grid->setShowGrid(true);
    m_grid->installEventFilter(this);
    m_facts = addTable(QStringLiteral("Facts"), m_factsModel);
    m_facts->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_facts->setWordWrap(true);
    m_facts->setItemDelegate(new FactDelegate(m_facts));
    m_facts->horizontalHeader()->hide();
    m_facts->horizontalHeader()->setStretchLastSection(true);
    m_facts->verticalHeader()->hide();
    m_cellText = wrappingLabel(this);
    m_cellText->setFont(scaledFont(textFont(), 0.92));
    m_cellText->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_comment = new QLineEdit(this);
    m_comment->setPlaceholderText(QStringLiteral("comment on the chosen cells, kept in the review"));
    m_comment->setAccessibleName(QStringLiteral("Comment on the chosen cells"));
    connect(m_comment, &QLineEdit::returnPressed, this, &SignoffView::commentCells);
    connect(m_grid->selectionModel(), &QItemSelectionModel::currentChanged, this, &SignoffView::showCell);
    connect(&m_session.grid(), &QAbstractItemModel::dataChanged, this, &SignoffView::showCell);

    auto* cells = new QWidget(this);
    auto* cellsLayout = new QVBoxLayout(cells);
    cellsLayout->setContentsMargins(0, 6, 0, 0);
    cellsLayout->setSpacing(4);
    QLabel* legend = wrappingLabel(cells);
    legend->setText(QStringLiteral("═ claimed equal, ≠ different; computed again: ✓ equal, ✗ different, ○ not comparable; "
                                   "your opinion: A accept, Q question, R reject, Del none, C comment"));
    setRole(legend, "muted");
    cellsLayout->addWidget(sectionLabel(QStringLiteral("Cells"), cells));
    cellsLayout->addWidget(legend);
    cellsLayout->addWidget(m_grid, 1);
    cellsLayout->addWidget(m_comment);
    cellsLayout->addWidget(m_cellText);
    auto* left = new QSplitter(Qt::Vertical, this);
    left->addWidget(m_checks);
    left->addWidget(cells);
    left->setStretchFactor(1, 1);
    left->setSizes({250, 420});
    auto* body = new QSplitter(Qt::Horizontal, this);
    body->addWidget(left);
    body->addWidget(m_facts);
    body->setStretchFactor(0, 3);
    body->setStretchFactor(1, 2);
    body->setSizes({600, 400});
    return body;
}

void SignoffView::showArtifact() {
    const ShownArtifact& artifact = m_session.artifact();
    m_pages->setCurrentIndex(m_session.folder().isEmpty() ? 0 : 1);
    const ShownVerification& found = artifact.verification;
    m_state->setText(found.state.isEmpty() ? QStringLiteral("?  NOT VERIFIED YET") : stateText(found.state));
    setRole(m_state, found.state == QLatin1String("VERIFIED") || found.state.isEmpty() ? "state" : "failed");
    m_meaning->setText(stateMeaning(found.state));
    m_place->setText(shortPath(m_session.folder()));
    m_place->setToolTip(m_session.folder());
    const std::string_view note = evidence::testKeyNote(found.fingerprint.toStdString());
    m_testKey->setText(note.empty() ? QString() : QStringLiteral("!  Signed with a ") + QString::fromUtf8(note.data(), qsizetype(note.size())));
    m_testKey->setVisible(!note.empty());
    m_artifacts->setVisible(m_session.artifacts().rowCount() > 0);
    m_artifacts->setCurrentIndex(m_session.artifacts().rowOf(m_session.folder()));
    m_checksModel.setChecks(found.checks);
    m_factsModel.setArtifact(artifact);
    m_facts->clearSpans();
    for (int row = 0; row < m_factsModel.rowCount(); ++row)
        if (m_factsModel.index(row, 0).data(FactsModel::SectionRole).toBool()) m_facts->setSpan(row, 0, 1, 2);
    m_checks->resizeColumnsToContents();
    m_checks->setColumnWidth(ChecksModel::FoundColumn, qMin(m_checks->columnWidth(ChecksModel::FoundColumn), 230));
    for (int row = 0; row < m_checksModel.rowCount(); ++row) m_checks->setRowHeight(row, m_checks->fontMetrics().height() + 5);
    m_facts->resizeColumnToContents(0);
    m_facts->setColumnWidth(0, qMin(m_facts->columnWidth(0), 170));
    m_facts->resizeRowsToContents();
    fitGrid();
    fillCellChoices(*m_cells, artifact.manifest ? artifact.manifest->predicate.cells.size() : 0);
}

void SignoffView::fitGrid() {
    const int width = m_grid->fontMetrics().horizontalAdvance(QStringLiteral("H 32768  "));
    for (int column = 0; column < m_session.grid().columnCount(); ++column) m_grid->setColumnWidth(column, width);
    for (int row = 0; row < m_session.grid().rowCount(); ++row) m_grid->setRowHeight(row, m_grid->fontMetrics().height() + 8);
    if (m_session.grid().rowCount() > 0 && !m_grid->currentIndex().isValid()) m_grid->setCurrentIndex(m_session.grid().index(0, 0));
}

void SignoffView::showTask() {
    const bool busy = m_session.isBusy();
    for (QPushButton* button : m_buttons) button->setEnabled(!busy && !m_session.folder().isEmpty());
    m_stop->setVisible(busy);
    m_bar->setVisible(busy);
    setRole(m_message, m_session.error().isEmpty() ? "muted" : "failed");
    m_message->setText(m_session.error().isEmpty() ? m_session.message() : QStringLiteral("!  ") + m_session.error());
    if (busy) showProgress();
}

void SignoffView::showProgress() {
    using Task = EvidenceSession::Task;
    static const QMap<Task, QString> names{{Task::Listing, "verifying every artifact of the checkout…"},
                                           {Task::Sealing, "sealing…"},
                                           {Task::Verifying, "verifying…"},
                                           {Task::Rerunning, "computing again"},
                                           {Task::Describing, "reading what would be signed…"},
                                           {Task::Signing, "waiting for ssh-keygen to sign…"},
                                           {Task::Reviewing, "verifying, computing again, counter-signing"},
                                           {Task::Exporting, "writing…"}};
    if (!m_session.isBusy()) return;
    QString text = names.value(m_session.task());
    const bool cells = m_session.task() == Task::Rerunning || m_session.task() == Task::Reviewing;
    if (cells && m_session.cellsWanted() > 0)
        text += QStringLiteral(": %1 of %2 cells").arg(m_session.cellsDone()).arg(m_session.cellsWanted());
    if (const auto left = m_session.secondsLeft(); cells && left) {
        text += QStringLiteral(", about %1 s left").arg(*left, 0, 'f', 0);
        if (*left > 300 && m_session.cellsWanted() > 9)
            text += QStringLiteral(". ") + detectionText(static_cast<std::uint64_t>(m_session.cellsWanted()),
                                                         static_cast<std::uint64_t>(m_session.cellsWanted()) / 9);
    }
    m_message->setText(text);
    m_bar->setRange(0, cells ? m_session.cellsWanted() : 0);
    m_bar->setValue(cells ? m_session.cellsDone() : 0);
}

QModelIndexList SignoffView::chosenCells() const { return m_grid->selectionModel()->selectedIndexes(); }

void SignoffView::showCell() {
    const QModelIndex index = m_grid->currentIndex();
    m_cellText->setText(index.data(Qt::ToolTipRole).toString());
    if (!m_comment->hasFocus()) m_comment->setText(m_session.grid().opinion(index.data(RecordGridModel::IdRole).toString()).comment);
}

void SignoffView::mark(const QString& mark) {
    for (const QModelIndex& index : chosenCells()) {
        const QString id = index.data(RecordGridModel::IdRole).toString();
        m_session.grid().setOpinion(id, {mark, mark.isEmpty() ? QString() : m_session.grid().opinion(id).comment});
    }
}

void SignoffView::commentCells() {
    for (const QModelIndex& index : chosenCells()) {
        const QString id = index.data(RecordGridModel::IdRole).toString();
        const QString mark = m_session.grid().opinion(id).mark;
        m_session.grid().setOpinion(id, {mark.isEmpty() ? QStringLiteral("question") : mark, m_comment->text()});
    }
    m_grid->setFocus();
}

bool SignoffView::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    if (watched == m_checks && key->matches(QKeySequence::Copy)) {
        copyCommand();
        return true;
    }
    static const QMap<int, QString> marks{{Qt::Key_A, "accept"}, {Qt::Key_Q, "question"}, {Qt::Key_R, "reject"}, {Qt::Key_Delete, ""}};
    if (watched != m_grid || key->modifiers() != Qt::NoModifier) return QWidget::eventFilter(watched, event);
    if (key->key() == Qt::Key_C) {
        m_comment->setFocus();
        return true;
    }
    if (!marks.contains(key->key())) return QWidget::eventFilter(watched, event);
    mark(marks.value(key->key()));
    return true;
}

void SignoffView::copyCommand() {
    const QString command = m_checksModel.command(m_checks->currentIndex().row());
    if (!command.isEmpty()) QGuiApplication::clipboard()->setText(command);
}

void SignoffView::openFolder() {
    const QString folder = QFileDialog::getExistingDirectory(this, QStringLiteral("Open an artifact or a checkout"), m_session.folder());
    if (!folder.isEmpty()) m_session.open(folder);
}

void SignoffView::sealRun() {
    const QString run = !m_run.isEmpty() ? m_run
                                         : QFileDialog::getOpenFileName(this, QStringLiteral("Seal a run file"), {},
                                                                        QStringLiteral("Run files (*.h5)"));
    if (run.isEmpty()) return;
    const QString folder = QFileDialog::getSaveFileName(this, QStringLiteral("The artifact's folder, in a clean checkout"),
                                                        QFileInfo(run).completeBaseName().toLower());
    if (!folder.isEmpty()) m_session.seal(run, folder, m_qualification);
}

void SignoffView::setQualification(const QString& path) {
    m_qualification = path;
    m_carried->setText(path.isEmpty() ? QString() : QStringLiteral("Sealing a run now carries the qualification %1 along.").arg(QDir::toNativeSeparators(path)));
    m_carried->setVisible(!path.isEmpty());
}

void SignoffView::verify() { m_session.verify(); }

void SignoffView::rerun() { m_session.rerun(m_cells->currentData().toString()); }

void SignoffView::sign() {
    if (!m_session.isBusy()) (new SignDialog(m_session, this))->open();
}

void SignoffView::review() {
    if (!m_session.isBusy() && m_session.artifact().manifest) (new ReviewDialog(m_session, this))->open();
}

void SignoffView::exportReport() {
    static const QMap<QString, QString> formats{{"html", "html"}, {"md", "markdown"}, {"pdf", "pdf"}, {"svg", "svg"}, {"json", "json"}, {"dsse", "dsse"}};
    const QString path = QFileDialog::getSaveFileName(this, QStringLiteral("Export the report"), QStringLiteral("evidence.html"),
                                                      QStringLiteral("Reports (*.html *.md *.pdf *.svg *.json *.dsse)"));
    const QString format = formats.value(QFileInfo(path).suffix().toLower());
    if (path.isEmpty() || format.isEmpty()) return;
    QString key;
    if (format == QLatin1String("dsse"))
        key = QFileDialog::getOpenFileName(this, QStringLiteral("An Ed25519 private key in PEM"));
    m_session.exportTo(path, format, key);
}

void SignoffView::writePdf(const QString& path, const QString& html) {
    QThreadPool::globalInstance()->start([session = QPointer<EvidenceSession>(&m_session), path, html] {
        const auto written = writeEvidencePdf(html, path);
        const QString error = written ? QString() : QString::fromStdString(written.error().message);
        QMetaObject::invokeMethod(qApp, [session, path, error] {
            if (session) session->finishExport(path, error);
        }, Qt::QueuedConnection);
    });
}

}  // namespace isobit::views
