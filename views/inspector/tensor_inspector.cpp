// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/inspector/tensor_inspector.h"

#include <QLabel>
#include <QVBoxLayout>

#include "views/captures/capture_text.h"
#include "views/element/element_cursor.h"
#include "views/inspector/cell_report.h"
#include "views/inspector/flips_widget.h"
#include "views/inspector/histogram_widget.h"
#include "views/inspector/words_widget.h"
#include "views/palette/appearance.h"
#include "views/palette/fonts.h"
#include "views/session.h"
#include "views/text.h"
#include "views/widgets.h"

namespace isobit::views {

namespace {

constexpr int kWholeReason = 400;
constexpr int kNamesShown = 12;

QString headlineOf(const WalkStep& step) {
    if (step.status == TensorStatus::Different)
        return QStringLiteral("≠ %1 words, largest %2").arg(countsText(step), largestText(step));
    if (step.status == TensorStatus::Equal) return QStringLiteral("═ ") + countsText(step);
    return glyphOf(step) + QLatin1Char(' ') + countsText(step);
}

QString stepVerdict(const WalkStep& step) {
    if (step.status != TensorStatus::Different) return {};
    const QString role = glyphOf(step) + QLatin1Char(' ') + roleText(step);
    return step.why.empty() ? role : role + QStringLiteral(": ") + whyText(step, kWholeReason);
}

QString nextText(const WalkStep& step) {
    const QString next = captureNextText(step, kNamesShown);
    return next.isEmpty() ? QString() : QStringLiteral("Capture next: ") + next;
}

/// "bfloat16 [48, 256], 24.6 kB at byte 12,288 of shard-1.safetensors".
QString storedText(const TensorInfo& info) {
    const std::string_view dtype = nameOf(info.dtype);
    QString text = QStringLiteral("%1 %2, %3 at byte %4")
                       .arg(QString::fromUtf8(dtype.data(), qsizetype(dtype.size())), QString::fromStdString(isobit::textOf(info.shape)),
                            sizeText(info.byteCount), grouped(info.offset));
    if (!info.file.empty()) text += QStringLiteral(" of ") + QString::fromStdString(info.file);
    if (info.bigEndian) text += QStringLiteral(", big-endian");
    if (!info.storedType.empty()) text += QStringLiteral(", stored as ") + QString::fromStdString(info.storedType);
    for (const auto& [key, value] : info.tags) text += QStringLiteral(", %1 %2").arg(QString::fromStdString(key), QString::fromStdString(value));
    if (!info.note.empty()) text += QStringLiteral(". ") + QString::fromStdString(info.note);
    return text;
}

void fill(QLabel* label, const QString& text) {
    label->setText(text);
    label->setVisible(!text.isEmpty());
}

}  // namespace

TensorInspector::TensorInspector(const ViewContext& context, QWidget* parent) : ColumnArea(parent), m_context(context) {
    setAccessibleName(QStringLiteral("Inspector of the tensor"));
    build();
    connect(&context.session, &Session::selectionChanged, this, &TensorInspector::showSelection);
    connect(&context.session, &Session::captureChanged, this, &TensorInspector::showSelection);
    connect(&context.cursor, &ElementCursor::changed, this, &TensorInspector::showElement);
    connect(&context.appearance, &Appearance::changed, this, &TensorInspector::applyTheme);
    showSelection();
}

void TensorInspector::build() {
    m_hint = wrappingLabel(content());
    setRole(m_hint, "muted");
    m_body = new QWidget(content());
    column()->addWidget(m_hint);
    column()->addWidget(m_body);
    column()->addStretch(1);
    auto* layout = new QVBoxLayout(m_body);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(14);
    const Theme& theme = m_context.appearance.theme();
    for (QLabel** label : {&m_title, &m_headline, &m_verdict, &m_next, &m_classes, &m_match}) *label = wrappingLabel(m_body);
    m_title->setFont(scaledFont(textFont(), 1.25, true));
    for (QLabel* label : {m_next, m_classes, m_match}) setRole(label, "muted");
    addPart({}, {m_title, m_headline, m_verdict, m_next}, layout);
    layout->addWidget(m_selected = new WordsWidget(m_body));
    layout->addWidget(m_largest = new WordsWidget(m_body));
    m_histogram = new HistogramWidget(theme, m_body);
    m_histogramPart = addPart(QStringLiteral("ULP, log count"), {m_histogram, m_classes}, layout);
    m_flips = new FlipsWidget(theme, m_body);
    m_flipsPart = addPart(QStringLiteral("Flips of each bit, log count"), {m_flips}, layout);
    for (QLabel*& side : m_stored) side = wrappingLabel(m_body);
    m_storedPart = addPart(QStringLiteral("Where it is stored"), {m_stored[0], m_stored[1], m_match}, layout);
}

void TensorInspector::showSelection() {
    const CapturePtr& capture = m_context.session.capture();
    const int tensor = m_context.session.selection().tensor;
    const WalkStep* step = m_context.session.selectedStep();
    const bool single = capture && !capture->isPair() && tensor >= 0 && tensor < int(capture->trainer.tensors().size());
    m_hint->setVisible(step == nullptr && !single);
    const bool pair = capture && capture->isPair();
    m_hint->setText(QStringLiteral("Select a tensor: click it, or move with the arrow keys.\n\n") +
                    (pair ? QStringLiteral("Home goes to the first difference, n and p to the next and the one before, Enter into the tensor.")
                          : QStringLiteral("Ctrl+Shift+D compares this file with another.")));
    m_body->setVisible(step != nullptr || single);
    if (step != nullptr) showStep(*capture, *step);
    if (single) showSingle(*capture, tensor);
    showElement();
}

void TensorInspector::showStep(const Capture& capture, const WalkStep& step) {
    m_title->setText(QString::fromStdString(step.pair.name));
    m_headline->setText(headlineOf(step));
    fill(m_verdict, stepVerdict(step));
    m_verdict->setToolTip(QString::fromStdString(step.why));
    fill(m_next, nextText(step));
    const bool compared = step.status == TensorStatus::Equal || step.status == TensorStatus::Different;
    m_histogramPart->setVisible(compared);
    m_flipsPart->setVisible(step.status == TensorStatus::Different);
    if (compared) m_histogram->setBars(histogramBars(step.comparison));
    if (compared) m_flips->setComparison(step.comparison);
    fill(m_classes, step.status == TensorStatus::Different ? classesText(step.comparison) : QString());
    setRole(m_stored[0], "trainer");
    fill(m_stored[0], step.pair.trainer ? storedText(capture.trainer.tensors()[*step.pair.trainer]) : QString());
    fill(m_stored[1], step.pair.sampler ? storedText(capture.sampler->tensors()[*step.pair.sampler]) : QString());
    setRole(m_stored[1], "sampler");
    QString match = QStringLiteral("Matched by: ") + matchText(step.pair);
    if (!step.pair.aligned.empty()) match += QStringLiteral("\nTokens: ") + QString::fromStdString(step.pair.aligned);
    fill(m_match, match);
}

void TensorInspector::showSingle(const Capture& capture, int tensor) {
    const TensorInfo& info = capture.trainer.tensors()[static_cast<std::size_t>(tensor)];
    m_title->setText(QString::fromStdString(info.name));
    m_headline->setText(counted(std::uint64_t(elementsOf(info.shape)), "element"));
    for (QLabel* label : {m_verdict, m_next, m_classes, m_stored[1], m_match}) label->hide();
    for (QWidget* part : {m_histogramPart, m_flipsPart}) part->hide();
    setRole(m_stored[0], "muted");
    fill(m_stored[0], storedText(info));
}

void TensorInspector::showElement() {
    const WalkStep* step = m_context.session.selectedStep();
    const auto& element = m_context.cursor.element();
    const bool differs = step != nullptr && step->comparison.largest.has_value();
    m_selected->setVisible(step != nullptr && element);
    m_largest->setVisible(differs && !(element && element->index == step->comparison.largest->index));
    if (step != nullptr && element) {
        const isobit::Shape shape = shapeOf(*m_context.session.capture(), *step);
        const bool first = step->comparison.first && step->comparison.first->index == element->index;
        const bool same = element->trainer == element->sampler;
        m_selected->setDifference(first ? QStringLiteral("Selected: the first difference")
                                  : same ? QStringLiteral("Selected element: equal") : QStringLiteral("Selected difference"),
                                  step->comparison.dtype, shape, *element);
    }
    if (differs)
        m_largest->setDifference(QStringLiteral("Largest difference"), step->comparison.dtype,
                                 shapeOf(*m_context.session.capture(), *step), *step->comparison.largest);
    fitContent();
}

void TensorInspector::applyTheme() {
    m_histogram->setTheme(m_context.appearance.theme());
    m_flips->setTheme(m_context.appearance.theme());
}

}  // namespace isobit::views
