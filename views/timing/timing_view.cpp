// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timing/timing_view.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include "views/palette/appearance.h"
#include "views/session.h"
#include "views/timing/timing_model.h"
#include "views/timing/timing_plot.h"
#include "views/timing/timing_text.h"
#include "views/widgets.h"

namespace isobit::views {

namespace {

QToolButton* makeButton(const QString& text, const QString& toolTip, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setText(text);
    button->setToolTip(toolTip);
    return button;
}

QTableView* makeTimingTable(QAbstractItemModel* model, QWidget* parent) {
    auto* table = new QTableView(parent);
    table->setModel(model);
    table->setSortingEnabled(true);
    table->sortByColumn(-1, Qt::AscendingOrder);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setTabKeyNavigation(false);
    table->setShowGrid(false);
    table->setAccessibleName(QStringLiteral("Times of every cell"));
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(22);
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setMinimumSectionSize(44);
    return table;
}

}  // namespace

TimingView::TimingView(const ViewContext& context, QWidget* parent)
    : QWidget(parent), m_context(context), m_model(new TimingModel(this)), m_sorted(new QSortFilterProxyModel(this)) {
    m_readers.setMaxThreadCount(1);
    m_sorted->setSourceModel(m_model);
    m_sorted->setSortRole(TimingModel::SortRole);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 8, 14, 12);
    layout->setSpacing(6);
    buildBar();
    buildPages();
    connect(m_plot, &TimingPlot::cellChosen, this, &TimingView::chooseCell);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &TimingView::chooseIndex);
    connect(&context.session, &Session::runChanged, this, &TimingView::showRun);
    connect(&context.session, &Session::stateChanged, this, &TimingView::showSummary);
    connect(&context.session, &Session::selectionChanged, this, &TimingView::showSelection);
    connect(&context.appearance, &Appearance::changed, this, &TimingView::applyTheme);
    showRun();
}

TimingView::~TimingView() { m_readers.waitForDone(); }

void TimingView::buildBar() {
    m_rule = new QLabel(this);
    m_source = roleLabel({}, "muted", this);
    m_overlayText = roleLabel({}, "muted", this);
    m_overlayText->setTextFormat(Qt::PlainText);
    m_overlayText->setWordWrap(true);
    auto* overlay = makeButton(QStringLiteral("Overlay…"), QStringLiteral("Lay another run's times over these"), this);
    m_remove = makeButton(QStringLiteral("Remove overlay"), QStringLiteral("Show this run alone"), this);
    m_copy = makeButton(QStringLiteral("Copy command"), QStringLiteral("The command that judges the rule on this run"), this);
    connect(overlay, &QToolButton::clicked, this, &TimingView::askForOverlay);
    connect(m_remove, &QToolButton::clicked, this, &TimingView::removeOverlay);
    connect(m_copy, &QToolButton::clicked, this, &TimingView::copyCommand);
    auto* texts = new QVBoxLayout;
    texts->setSpacing(1);
    for (QLabel* label : {m_rule, m_source, m_overlayText}) {
        label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        texts->addWidget(label);
    }
    auto* bar = new QHBoxLayout;
    bar->addLayout(texts, 1);
    for (QToolButton* button : {overlay, m_remove, m_copy}) bar->addWidget(button, 0, Qt::AlignTop);
    static_cast<QVBoxLayout*>(layout())->addLayout(bar);
}

void TimingView::buildPages() {
    m_empty = wrappingLabel(this);
    m_empty->setAlignment(Qt::AlignCenter);
    m_plot = new TimingPlot(m_model, m_context.appearance.theme(), this);
    m_plot->setMinimumSize(200, 160);
    m_table = makeTimingTable(m_sorted, this);
    m_crossings = wrappingLabel(this);
    auto* lower = new QWidget(this);
    auto* lowerLayout = new QVBoxLayout(lower);
    lowerLayout->setContentsMargins(0, 0, 0, 0);
    lowerLayout->addWidget(m_crossings);
    lowerLayout->addWidget(m_table, 1);
    auto* splitter = new QSplitter(Qt::Vertical, this);
    splitter->addWidget(m_plot);
    splitter->addWidget(lower);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setChildrenCollapsible(false);
    m_pages = new QStackedWidget(this);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(splitter);
    setFocusProxy(m_plot);
    layout()->addWidget(m_pages);
}

void TimingView::showRun() {
    const Session& session = m_context.session;
    m_empty->clear();
    std::optional<TimingReport> report;
    if (session.run()) {
        // Like is compared with like: the public record holds minima.
        const bool minima = m_overlay && m_overlay->artifact;
        const std::string source = session.runPath().isEmpty() ? "RUN" : session.runPath().toStdString();
        auto table = dispatchTableOf(*session.run(), source, minima ? TimeStatistic::Minimum : TimeStatistic::Median);
        auto made = table ? timingReport(std::move(*table), m_overlay ? std::optional(m_overlay->table) : std::nullopt)
                          : Result<TimingReport>(failureOf(table));
        if (made)
            report = std::move(*made);
        else
            m_empty->setText(QStringLiteral("%1.\n\nTimes come with a run on a GPU:\nisobit sweep rmsnorm-72 --engine cuda --time")
                                 .arg(QString::fromStdString(made.error().message)));
    }
    m_pages->setCurrentIndex(report ? 1 : 0);
    m_model->setReport(session.run(), std::move(report), session.selection().output);
    m_plot->refresh();
    showSummary();
    showSelection();
}

void TimingView::showSummary() {
    const auto& report = m_model->report();
    m_rule->setText(report ? ruleText(*report) : QString());
    m_rule->setToolTip(report ? QString::fromStdString(report->rule) : QString());
    m_source->setText(report ? sourceText(report->table) + QStringLiteral("; µs a call over rows M") : QString());
    QString overlay = m_overlayProblem;
    if (m_overlay && overlay.isEmpty())
        overlay = QStringLiteral("over it, dashed: %1 (%2)")
                      .arg(QFileInfo(QString::fromStdString(m_overlay->table.source)).fileName(), sourceText(m_overlay->table));
    m_overlayText->setText(overlay);
    m_overlayText->setToolTip(overlay);
    m_overlayText->setVisible(!overlay.isEmpty());
    setRole(m_overlayText, m_overlayProblem.isEmpty() ? "muted" : "failed");
    m_remove->setVisible(m_overlay.has_value());
    m_copy->setEnabled(report && !m_context.session.runPath().isEmpty());
}

void TimingView::showSelection() {
    const Selection& selection = m_context.session.selection();
    m_model->setOutput(selection.output);
    const bool shown = selection.cell >= 0 && selection.cell < m_model->rowCount();
    m_plot->setCurrent(shown ? selection.cell : -1);
    QStringList lines;
    if (shown) {
        const auto& report = *m_model->report();
        const std::int64_t columns = report.table.cells[std::size_t(selection.cell)].facts.columns;
        for (const Crossing& crossing : report.crossings)
            if (crossing.columns == columns) lines << QStringLiteral("H %1: %2").arg(columns).arg(crossingText(crossing));
    }
    m_crossings->setText(lines.join(QStringLiteral("\n")));
    m_crossings->setVisible(!lines.isEmpty());
    const QSignalBlocker quiet(m_table->selectionModel());
    const QModelIndex index = m_sorted->mapFromSource(m_model->index(shown ? selection.cell : -1, 0));
    if (index.isValid()) {
        m_table->selectRow(index.row());
        m_table->scrollTo(index);
    } else {
        m_table->clearSelection();
    }
    m_table->viewport()->update();
}

void TimingView::chooseCell(int cell) {
    if (cell >= 0 && cell != m_context.session.selection().cell) m_context.session.selectCell(cell);
}

void TimingView::chooseIndex(const QModelIndex& index) { chooseCell(m_sorted->mapToSource(index).row()); }

void TimingView::askForOverlay() {
    const QString path = QFileDialog::getOpenFileName(this, QStringLiteral("Lay another run over this one"), {},
                                                      QStringLiteral("Runs and the public record (*.h5 *.json)"));
    if (!path.isEmpty()) openOverlay(path);
}

void TimingView::openOverlay(const QString& path) {
    const int ticket = ++m_ticket;
    const std::string absolute = QFileInfo(path).absoluteFilePath().toStdString();
    m_readers.start([this, ticket, absolute] {
        auto file = std::make_shared<Result<DispatchFile>>(readDispatchFile(absolute, TimeStatistic::Median));
        QMetaObject::invokeMethod(this, [this, ticket, file] { finishOverlay(ticket, std::move(*file)); },
                                  Qt::QueuedConnection);
    });
}

void TimingView::finishOverlay(int ticket, Result<DispatchFile> file) {
    if (ticket != m_ticket) return;
    m_overlayProblem = file ? QString() : QString::fromStdString(file.error().message);
    if (file) m_overlay = std::move(*file);
    showRun();
}

void TimingView::removeOverlay() {
    ++m_ticket;
    m_overlay.reset();
    m_overlayProblem.clear();
    showRun();
}

void TimingView::copyCommand() {
    if (m_model->report()) QApplication::clipboard()->setText(checkCommand(*m_model->report()));
}

void TimingView::applyTheme() { m_plot->setTheme(m_context.appearance.theme()); }

}  // namespace isobit::views
