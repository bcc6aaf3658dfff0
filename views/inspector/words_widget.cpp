// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/inspector/words_widget.h"

#include <QGridLayout>
#include <QLabel>

#include "views/inspector/word_text.h"
#include "views/palette/fonts.h"
#include "views/widgets.h"

namespace isobit::views {

namespace {

constexpr qsizetype kBitsInALine = 34;

/// The bits of a word of eight bytes in two lines of 32, their blanks apart.
QString inLines(const QString& bits) {
    if (bits.size() <= kBitsInALine) return bits;
    qsizetype digits = 0;
    for (qsizetype place = 0; place < bits.size(); ++place) {
        digits += bits[place] == QLatin1Char(' ') ? 0 : 1;
        if (digits == 32) return bits.left(place + 1) + QLatin1Char('\n') + bits.mid(place + 1);
    }
    return bits;
}

}  // namespace

WordsWidget::WordsWidget(QWidget* parent) : QWidget(parent) {
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(3);
    m_title = sectionLabel({}, this);
    m_place = wrappingLabel(this);
    grid->addWidget(m_title, 0, 0, 1, 4);
    grid->addWidget(m_place, 1, 0, 1, 4);
    static constexpr const char* kSides[] = {"trainer", "sampler"};
    for (int side = 0; side < 2; ++side) {
        grid->addWidget(roleLabel(QString::fromLatin1(kSides[side]), kSides[side], this), 2 + side, 0);
        for (int form = 0; form < 2; ++form) {
            m_words[side][form] = wordLabel(this);
            m_words[side][form]->setProperty("role", kSides[side]);
            grid->addWidget(m_words[side][form], 2 + side, 1 + form);
        }
    }
    grid->setRowMinimumHeight(4, 2);
    static constexpr const char* kRows[] = {"trainer", "sampler", "muted"};
    for (int row = 0; row < 3; ++row) {
        m_bits[row] = wordLabel(this);
        if (row < 2) m_bits[row]->setProperty("role", kRows[row]);
        const QString caption = row == 0 ? QStringLiteral("bits") : row == 2 ? QStringLiteral("xor") : QString();
        grid->addWidget(roleLabel(caption, "muted", this), 5 + row, 0);
        grid->addWidget(m_bits[row], 5 + row, 1, 1, 3);
    }
    grid->setColumnStretch(3, 1);
}

void WordsWidget::setDifference(const QString& title, DType dtype, const Shape& shape,
                                const ElementDifference& difference) {
    const WordText words = wordTextOf(dtype, difference);
    m_title->setText(title);
    m_place->setText(placeText(shape, difference.index) + QStringLiteral("  ·  ") + words.distance);
    m_words[0][0]->setText(words.trainerHex);
    m_words[0][1]->setText(words.trainerDecimal);
    m_words[1][0]->setText(words.samplerHex);
    m_words[1][1]->setText(words.samplerDecimal);
    m_bits[0]->setText(inLines(words.trainerBits));
    m_bits[1]->setText(inLines(words.samplerBits));
    m_bits[2]->setText(inLines(words.flips));
    // Words of four bytes and more are wider than the panel in the ordinary size.
    const bool wide = words.flips.size() > kBitsInALine / 2 + 8;
    for (QLabel* bits : m_bits) bits->setFont(scaledFont(wordFont(), wide ? 0.82 : 1.0));
    for (auto& side : m_words) side[0]->setFont(scaledFont(wordFont(), words.trainerHex.size() > 12 ? 0.82 : 1.0));
}

}  // namespace isobit::views
