// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/captures/capture.h"
#include "views/inspector/column_area.h"
#include "views/view_context.h"

class QLabel;

namespace isobit::views {

class FlipsWidget;
class HistogramWidget;
class WordsWidget;

/// Everything about the selected tensor: its verdict and the reason, where it lies in the files, the selected element
/// with both words, how far words differ and in which bits.
class TensorInspector final : public ColumnArea {
    Q_OBJECT
public:
    explicit TensorInspector(const ViewContext& context, QWidget* parent = nullptr);

private:
    void build();
    void showSelection();
    void showStep(const Capture& capture, const WalkStep& step);
    void showSingle(const Capture& capture, int tensor);
    void showElement();
    void applyTheme();

    ViewContext m_context;
    QLabel* m_hint;
    QWidget* m_body;
    QLabel* m_title;
    QLabel* m_headline;
    QLabel* m_verdict;
    QLabel* m_next;
    WordsWidget* m_selected;
    WordsWidget* m_largest;
    QWidget* m_histogramPart;
    HistogramWidget* m_histogram;
    QLabel* m_classes;
    QWidget* m_flipsPart;
    FlipsWidget* m_flips;
    QWidget* m_storedPart;
    QLabel* m_stored[2];
    QLabel* m_match;
};

}  // namespace isobit::views
