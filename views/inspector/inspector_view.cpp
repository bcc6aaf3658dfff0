// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/inspector/inspector_view.h"

#include <QClipboard>
#include <QGridLayout>
#include <QGuiApplication>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include "views/grid/time_text.h"
#include "views/inspector/cell_report.h"
#include "views/inspector/flips_widget.h"
#include "views/inspector/histogram_widget.h"
#include "views/inspector/words_widget.h"
#include "views/palette/appearance.h"
#include "views/palette/fonts.h"
#include "views/run_text.h"
#include "views/session.h"
#include "views/text.h"
#include "views/widgets.h"

namespace isobit::views {

namespace {

QString inputsText(const CellResult& cell) {
    QStringList lines;
    for (const InputDigest& input : cell.inputs)
        lines << QStringLiteral("%1  seed %2  %3").arg(QString::fromStdString(input.name)).arg(input.seed).arg(shortDigest(input.sha256));
    return lines.join('\n');
}

}  // namespace

InspectorView::InspectorView(const ViewContext& context, QWidget* parent) : ColumnArea(parent), m_context(context) {
    setAccessibleName(QStringLiteral("Inspector"));
    build();
    connect(&context.session, &Session::selectionChanged, this, &InspectorView::showSelection);
    connect(&context.session, &Session::runChanged, this, &InspectorView::showSelection);
    connect(&context.appearance, &Appearance::changed, this, &InspectorView::applyTheme);
    showSelection();
}

void InspectorView::build() {
    QVBoxLayout* outer = column();
    m_hint = wrappingLabel(content());
    setRole(m_hint, "muted");
    m_hint->setText(QStringLiteral("Select a cell of the grid: click it, or move with the arrow keys.\n\nHome goes to the "
                                   "first cell that differs, n and p to the next and the one before."));
    m_body = new QWidget(content());
    outer->addWidget(m_hint);
    outer->addWidget(m_body);
    outer->addStretch(1);

    auto* layout = new QVBoxLayout(m_body);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(14);
    addHeader(layout);
    addDigests(layout);
    const Theme& theme = m_context.appearance.theme();
    for (WordsWidget** words : {&m_selected, &m_first, &m_largest}) layout->addWidget(*words = new WordsWidget(m_body));
    m_histogram = new HistogramWidget(theme, m_body);
    m_classes = wrappingLabel(m_body);
    setRole(m_classes, "muted");
    m_histogramPart = addPart(QStringLiteral("ULP, log count"), {m_histogram, m_classes}, layout);
    m_flips = new FlipsWidget(theme, m_body);
    m_flipsPart = addPart(QStringLiteral("Flips of each bit, log count"), {m_flips}, layout);
    addInvariance(layout);
}

void InspectorView::addHeader(QVBoxLayout* layout) {
    auto* row = new QHBoxLayout;
    m_title = new QLabel(m_body);
    m_title->setFont(scaledFont(textFont(), 1.25, true));
    m_title->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* copyButton = new QToolButton(m_body);
    copyButton->setText(QStringLiteral("Copy as"));
    copyButton->setToolTip(QStringLiteral("Copy this cell as text, Markdown, JSON or as a command"));
    copyButton->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(copyButton);
    menu->addAction(QStringLiteral("Text"), this, [this] { copy(Form::Text); });
    menu->addAction(QStringLiteral("Markdown"), this, [this] { copy(Form::Markdown); });
    menu->addAction(QStringLiteral("JSON"), this, [this] { copy(Form::Json); });
    menu->addAction(QStringLiteral("Command"), this, [this] { copy(Form::Command); });
    copyButton->setMenu(menu);
    row->addWidget(m_title, 1);
    row->addWidget(copyButton);

    m_headline = wrappingLabel(m_body);
    auto* head = new QVBoxLayout;
    head->setSpacing(4);
    head->addLayout(row);
    head->addWidget(m_headline);
    m_outputs = new QVBoxLayout;
    m_outputs->setSpacing(1);
    head->addSpacing(4);
    head->addLayout(m_outputs);
    layout->addLayout(head);
}

void InspectorView::addDigests(QVBoxLayout* layout) {
    auto* box = new QWidget(m_body);
    auto* grid = new QGridLayout(box);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(3);
    static constexpr const char* kSides[] = {"trainer", "sampler"};
    for (int side = 0; side < 2; ++side) {
        m_digests[side] = wordLabel(box);
        m_digests[side]->setProperty("role", kSides[side]);
        grid->addWidget(roleLabel(QString::fromLatin1(kSides[side]), kSides[side], box), side, 0);
        grid->addWidget(m_digests[side], side, 1);
    }
    grid->setColumnStretch(1, 1);
    m_outputPart = addPart(QStringLiteral("SHA-256 of the words"), {box}, layout);
}

void InspectorView::addInvariance(QVBoxLayout* layout) {
    auto* box = new QWidget(m_body);
    auto* grid = new QGridLayout(box);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(3);
    static constexpr const char* kSides[] = {"trainer", "sampler"};
    for (int side = 0; side < 2; ++side) {
        grid->addWidget(roleLabel(QString::fromLatin1(kSides[side]), kSides[side], box), side, 0, Qt::AlignTop);
        grid->addWidget(m_invariance[side] = wrappingLabel(box), side, 1);
    }
    grid->setColumnStretch(1, 1);
    addPart(QStringLiteral("Batch invariance"), {box}, layout);
    m_times = wordLabel(m_body);
    m_timesPart = addPart(QStringLiteral("Times, medians"), {m_times}, layout);
    m_inputs = wordLabel(m_body);
    addPart(QStringLiteral("Inputs"), {m_inputs}, layout);
}

void InspectorView::showSelection() {
    const Session& session = m_context.session;
    const CellResult* cell = session.selectedCell();
    m_hint->setVisible(cell == nullptr);
    m_body->setVisible(cell != nullptr);
    if (cell == nullptr) return;
    m_title->setText(coordinatesOf(session.run()->plan, *cell));
    m_headline->setText(cell->error.empty() ? headlineOf(*cell)
                                            : headlineOf(*cell) + '\n' + QString::fromStdString(cell->error));
    m_invariance[0]->setText(textOf(cell->trainerInvariance));
    m_invariance[1]->setText(textOf(cell->samplerInvariance));
    m_inputs->setText(inputsText(*cell));
    showOutputs();
    showOutput();
    showTimes();
    fitContent();
}

void InspectorView::showTimes() {
    const Session& session = m_context.session;
    const auto times = cellTimes(*session.run());
    const auto cell = static_cast<std::size_t>(session.selection().cell);
    m_times->setText(cell < times.size() ? timesTable(times[cell]) : QString());
    m_timesPart->setVisible(!m_times->text().isEmpty());
}

void InspectorView::showOutputs() {
    while (QLayoutItem* item = m_outputs->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    const CellResult* cell = m_context.session.selectedCell();
    const OutputResult* shown = m_context.session.selectedOutput();
    for (const OutputResult& output : cell->outputs) {
        auto* button = new QPushButton(m_body);
        button->setProperty("row", true);
        button->setText(QString::fromStdString(output.name) + QStringLiteral("   ") + headlineOf(output));
        button->setToolTip(button->text());
        button->setCheckable(true);
        button->setChecked(&output == shown);
        connect(button, &QPushButton::clicked, this, [this, name = output.name] {
            // Later: the click's own button is about to be replaced.
            QMetaObject::invokeMethod(this, [this, name] { m_context.session.selectOutput(name); }, Qt::QueuedConnection);
        });
        m_outputs->addWidget(button);
    }
}

void InspectorView::showOutput() {
    const Session& session = m_context.session;
    const OutputResult* output = session.selectedOutput();
    const bool differs = output != nullptr && output->comparison.first.has_value();
    m_outputPart->setVisible(output != nullptr);
    m_histogramPart->setVisible(output != nullptr);
    m_flipsPart->setVisible(differs);
    m_classes->setVisible(differs);
    for (WordsWidget* words : {m_selected, m_first, m_largest}) words->hide();
    if (output == nullptr) return;
    m_digests[0]->setText(shortDigest(output->trainerSha256, 20));
    m_digests[0]->setToolTip(QString::fromStdString(output->trainerSha256));
    m_digests[1]->setText(shortDigest(output->samplerSha256, 20));
    m_digests[1]->setToolTip(QString::fromStdString(output->samplerSha256));
    m_histogram->setBars(histogramBars(output->comparison));
    m_flips->setComparison(output->comparison);
    m_classes->setText(classesText(output->comparison));
    if (!differs) return;
    const Comparison& comparison = output->comparison;
    const auto show = [output](WordsWidget* words, const QString& title, const ElementDifference& difference) {
        words->setDifference(title, output->dtype, output->shape, difference);
        words->show();
    };
    const bool same = comparison.first->index == comparison.largest->index;
    show(m_first, same ? QStringLiteral("First and largest difference") : QStringLiteral("First difference"), *comparison.first);
    if (!same) show(m_largest, QStringLiteral("Largest difference"), *comparison.largest);
    const auto element = static_cast<std::uint64_t>(session.selection().element);
    for (const ElementDifference& listed : comparison.listed)
        if (listed.index == element && element != comparison.first->index && element != comparison.largest->index)
            show(m_selected, QStringLiteral("Selected difference"), listed);
}

QString InspectorView::report(Form form) const {
    const Session& session = m_context.session;
    const CellResult* cell = session.selectedCell();
    if (cell == nullptr) return {};
    switch (form) {
        case Form::Text: return plainReport(*session.run(), *cell);
        case Form::Markdown: return markdownReport(*session.run(), *cell);
        case Form::Json: return jsonReport(*session.run(), *cell);
        case Form::Command: break;
    }
    return commandFor(*session.run(), *cell);
}

void InspectorView::copy(Form form) const {
    if (const QString text = report(form); !text.isEmpty()) QGuiApplication::clipboard()->setText(text);
}

void InspectorView::applyTheme() {
    m_histogram->setTheme(m_context.appearance.theme());
    m_flips->setTheme(m_context.appearance.theme());
}

}  // namespace isobit::views
