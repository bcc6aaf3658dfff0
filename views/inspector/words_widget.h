// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/compare/comparison.h"
#include "core/tensors/tensor.h"

class QLabel;

namespace isobit::views {

/// One differing element: where it is, both words in hexadecimal and decimal, and their bits with the XOR row below.
class WordsWidget final : public QWidget {
public:
    explicit WordsWidget(QWidget* parent = nullptr);
    void setDifference(const QString& title, DType dtype, const Shape& shape, const ElementDifference& difference);

private:
    QLabel* m_title;
    QLabel* m_place;
    QLabel* m_words[2][2];  ///< by side: hexadecimal, decimal
    QLabel* m_bits[3];      ///< trainer, sampler, XOR
};

}  // namespace isobit::views
