// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/element/element_view.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "views/captures/capture_text.h"
#include "views/element/element_cursor.h"
#include "views/element/map_widget.h"
#include "views/grid/legend.h"
#include "views/inspector/word_text.h"
#include "views/palette/appearance.h"
#include "views/palette/fonts.h"
#include "views/session.h"
#include "views/text.h"
#include "views/widgets.h"

namespace isobit::views {

namespace {

std::vector<LegendEntry> rampEntries() {
    std::vector<LegendEntry> list{{QStringLiteral("equal"), {.kind = CellFace::Equal}, false}};
    for (std::size_t bin = 1; bin < kUlpBins; ++bin)
        list.push_back({shortLabelOf(static_cast<UlpBin>(bin)), {.kind = CellFace::Different, .bin = static_cast<UlpBin>(bin)}, true});
    return list;
}

constexpr int kRoomForSlice = 400;

QToolButton* button(const QString& text, const QString& tip, QWidget* parent) {
    auto* made = new QToolButton(parent);
    made->setText(text);
    made->setToolTip(tip);
    made->setAccessibleName(tip);
    made->setFocusPolicy(Qt::TabFocus);
    return made;
}

}  // namespace

ElementView::ElementView(const ViewContext& context, QWidget* parent) : QWidget(parent), m_context(context) {
    m_map = new MapWidget(context.appearance.theme(), this);
    m_empty = wrappingLabel(this);
    setRole(m_empty, "muted");
    m_legend = new LegendWidget(context.appearance.theme(), this);
    m_legend->setEntries(rampEntries());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 8, 14, 10);
    layout->setSpacing(8);
    auto* bar = new QHBoxLayout;
    bar->setSpacing(6);
    buildBar(bar);
    layout->addLayout(bar);
    layout->addWidget(m_empty);
    layout->addWidget(m_map, 1);
    auto* line = new QHBoxLayout;
    line->setSpacing(16);
    m_place = new QLabel(this);
    static constexpr const char* kSides[] = {"trainer", "sampler"};
    line->addWidget(m_place);
    for (int side = 0; side < 2; ++side) {
        line->addWidget(m_words[side] = wordLabel(this));
        setRole(m_words[side], kSides[side]);
    }
    line->addWidget(m_distance = new QLabel(this));
    line->addWidget(m_state = roleLabel({}, "muted", this), 1);
    m_state->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_state->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    layout->addLayout(line);
    layout->addWidget(m_legend);
    setFocusProxy(m_map);

    connect(m_map, &MapWidget::elementChosen, this, [this](qint64 element) { m_context.session.selectElement(element); });
    connect(m_map, &MapWidget::sideChanged, this, &ElementView::showState);
    connect(m_map, &MapWidget::loadingChanged, this, &ElementView::showState);
    connect(m_map, &MapWidget::failed, this, [this](const QString& sentence) {
        m_failure = sentence;
        showState();
    });
    connect(&context.cursor, &ElementCursor::changed, this, &ElementView::showElement);
    connect(&context.cursor, &ElementCursor::noMore, this, [this] {
        m_noMore = true;
        showState();
    });
    connect(&context.session, &Session::captureChanged, this, &ElementView::showTensor);
    connect(&context.session, &Session::selectionChanged, this, &ElementView::showTensor);
    connect(&context.appearance, &Appearance::changed, this, &ElementView::applyTheme);
    showTensor();
}

void ElementView::buildBar(QHBoxLayout* bar) {
    m_modes = new QButtonGroup(this);
    const std::pair<const char*, const char*> modes[] = {{"Distance", "Where words differ, by the largest distance (1)"},
                                                         {"Flipped bit", "Where one bit differs (2)"},
                                                         {"Bit A/B", "One bit of the trainer; hold Space for the sampler's (3)"}};
    for (int mode = 0; mode < 3; ++mode) {
        QToolButton* made = button(QString::fromLatin1(modes[mode].first), QString::fromLatin1(modes[mode].second), this);
        made->setCheckable(true);
        made->setChecked(mode == 0);
        made->setProperty("segment", true);
        made->setShortcut(Qt::Key_1 + mode);
        m_modes->addButton(made, mode);
        bar->addWidget(made);
        if (mode < 2) bar->addSpacing(-6);
    }
    m_bit = new QSpinBox(this);
    m_bit->setAccessibleName(QStringLiteral("Bit, 0 the lowest"));
    m_bit->setPrefix(QStringLiteral("bit "));
    m_bitName = roleLabel({}, "muted", this);
    bar->addWidget(m_bit);
    bar->addWidget(m_bitName);
    m_slice = new QLineEdit(this);
    m_slice->setAccessibleName(QStringLiteral("Slice: one item a dimension, two of them a colon"));
    m_slice->setToolTip(QStringLiteral("The slice that is shown: one item a dimension, two of them \":\", the first down and the second across"));
    m_slice->setFixedWidth(112);
    connect(m_slice, &QLineEdit::editingFinished, this, &ElementView::applySlice);
    bar->addWidget(m_slice);
    bar->addStretch(1);
    const std::tuple<const char*, const char*, void (MapWidget::*)()> zooms[] = {
        {"Fit", "The whole tensor (0)", &MapWidget::fit},
        {"−", "Further out (-)", &MapWidget::zoomOut},
        {"+", "Closer (+)", &MapWidget::zoomIn},
        {"Words", "So close that words can be read (Enter)", &MapWidget::showWords}};
    for (const auto& [text, tip, action] : zooms) {
        QToolButton* made = button(QString::fromUtf8(text), QString::fromUtf8(tip), this);
        connect(made, &QToolButton::clicked, m_map, action);
        bar->addWidget(made);
        m_zooms << made;
    }
    connect(m_modes, &QButtonGroup::idClicked, this, &ElementView::applyMode);
    connect(m_bit, &QSpinBox::valueChanged, this, &ElementView::applyMode);
}

void ElementView::applySlice() {
    const WalkStep* step = m_context.session.selectedStep();
    if (step == nullptr) return;
    const auto slice = SlicePlane::of(m_slice->text().toStdString(), shapeOf(*m_context.session.capture(), *step));
    m_failure = slice ? QString() : QString::fromStdString(slice.error().message);
    if (slice) m_map->setSlice(*slice);
    showState();
}

void ElementView::setMode(MapMode mode) {
    m_modes->button(static_cast<int>(mode))->setChecked(true);
    applyMode();
}

void ElementView::applyMode() {
    const auto mode = static_cast<MapMode>(m_modes->checkedId());
    m_map->setMode(mode, m_bit->value());
    showMode();
}

void ElementView::showMode() {
    const auto mode = static_cast<MapMode>(m_modes->checkedId());
    const WalkStep* step = m_context.session.selectedStep();
    for (QWidget* part : {static_cast<QWidget*>(m_bit), static_cast<QWidget*>(m_bitName)}) part->setVisible(mode != MapMode::Distance);
    m_legend->setVisible(mode == MapMode::Distance && m_roomForLegend);
    if (step != nullptr) m_bitName->setText(bitName(step->comparison.dtype, m_bit->value()));
    showState();
}

void ElementView::showTensor() {
    const WalkStep* step = m_context.session.selectedStep();
    const bool compared = step != nullptr && (step->status == TensorStatus::Equal || step->status == TensorStatus::Different);
    m_noMore = false;
    m_failure.clear();
    m_map->setVisible(compared);
    m_empty->setVisible(!compared);
    m_empty->setText(step == nullptr ? QStringLiteral("Select a tensor in the walk, then come back here: Enter does both.")
                                     : QString::fromStdString(step->pair.name + ": " + step->reason + "."));
    m_map->setTensor(compared ? m_context.session.capture() : nullptr, compared ? m_context.session.selection().tensor : -1);
    if (compared && !m_slice->text().isEmpty() && m_shownTensor == m_context.session.selection().tensor) applySlice();
    m_sliceable = false;
    if (compared) {
        const Shape shape = shapeOf(*m_context.session.capture(), *step);
        if (m_shownTensor != m_context.session.selection().tensor) m_slice->clear();
        m_sliceable = shape.size() > 2;
        QStringList example(int(shape.size()), QStringLiteral("0"));
        for (qsizetype place = std::max<qsizetype>(0, example.size() - 2); place < example.size(); ++place) example[place] = QStringLiteral(":");
        m_slice->setPlaceholderText(QStringLiteral("all, or ") + example.join(QStringLiteral(", ")));
        const int bits = bitsOfWord(step->comparison.dtype);
        const QSignalBlocker quiet(m_bit);
        m_bit->setMaximum(bits - 1);
    }
    m_slice->setVisible(m_sliceable && width() >= kRoomForSlice);
    m_shownTensor = m_context.session.selection().tensor;
    m_map->setCurrent(compared ? m_context.session.selection().element : -1);
    showMode();
    showElement();
}

void ElementView::showElement() {
    const auto& element = m_context.cursor.element();
    const WalkStep* step = m_context.session.selectedStep();
    const bool there = element && step != nullptr;
    for (QLabel* label : {m_place, m_words[0], m_words[1], m_distance}) label->setVisible(there);
    if (there) {
        const WordText words = wordTextOf(step->comparison.dtype, *element);
        m_place->setText(placeText(shapeOf(*m_context.session.capture(), *step), element->index));
        m_words[0]->setText(words.trainerHex + QStringLiteral("  ") + words.trainerDecimal);
        m_words[1]->setText(words.samplerHex + QStringLiteral("  ") + words.samplerDecimal);
        m_distance->setText(words.distance);
        m_map->setAccessibleDescription(m_place->text() + QStringLiteral(", trainer ") + m_words[0]->text() +
                                        QStringLiteral(", sampler ") + m_words[1]->text() + QStringLiteral(", ") + words.distance);
    }
    showState();
}

void ElementView::showState() {
    QString text;
    if (!m_failure.isEmpty())
        text = QStringLiteral("!  ") + m_failure;
    else if (!m_context.cursor.problem().isEmpty())
        text = QStringLiteral("!  ") + m_context.cursor.problem();
    else if (m_context.cursor.isSearching())
        text = QStringLiteral("searching…");
    else if (m_map->isLoading())
        text = QStringLiteral("reading…");
    else if (m_noMore)
        text = QStringLiteral("no further difference");
    else if (m_map->mode() == MapMode::Bit || m_map->showsWords())
        text = m_map->showsSampler() ? QStringLiteral("sampler shown") : QStringLiteral("trainer shown; Space: sampler");
    m_state->setText(text);
    m_state->setToolTip(text);
    const bool side = m_failure.isEmpty() && (m_map->mode() == MapMode::Bit || m_map->showsWords());
    setRole(m_state, !m_failure.isEmpty() ? "failed" : !side ? "muted" : m_map->showsSampler() ? "sampler" : "trainer");
}

void ElementView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    // In a small window the map comes first; the keys do what the buttons do.
    constexpr int kRoomForButtons = 520;
    constexpr int kRoomForLegend = 220;
    for (QToolButton* zoom : m_zooms) zoom->setVisible(width() >= kRoomForButtons);
    m_roomForLegend = height() >= kRoomForLegend;
    m_slice->setVisible(m_sliceable && width() >= kRoomForSlice);
    showMode();
}

void ElementView::goToFirstDifference() { m_context.cursor.goToFirst(); }
void ElementView::goToNextDifference() { m_context.cursor.goToNext(); }
void ElementView::goToPreviousDifference() { m_context.cursor.goToPrevious(); }

void ElementView::applyTheme() {
    m_map->setTheme(m_context.appearance.theme());
    m_legend->setTheme(m_context.appearance.theme());
}

}  // namespace isobit::views
