// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/inspector/column_area.h"
#include "views/view_context.h"

class QGridLayout;
class QLabel;
class QToolButton;
class QVBoxLayout;

namespace isobit::views {

class FlipsWidget;
class HistogramWidget;
class WordsWidget;

/// Everything about the selected cell: verdict, counts, digests, the words that differ, how far and in which bits.
class InspectorView final : public ColumnArea {
    Q_OBJECT
public:
    explicit InspectorView(const ViewContext& context, QWidget* parent = nullptr);

    enum class Form { Text, Markdown, Json, Command };
    /// The selected cell in one of the forms; empty if none is selected.
    [[nodiscard]] QString report(Form form) const;
    void copy(Form form) const;

private:
    void build();
    void addHeader(QVBoxLayout* layout);
    void addDigests(QVBoxLayout* layout);
    void addInvariance(QVBoxLayout* layout);
    void showSelection();
    void showOutputs();
    void showTimes();
    void showOutput();
    void applyTheme();

    ViewContext m_context;
    QLabel* m_hint;
    QWidget* m_body;
    QLabel* m_title;
    QLabel* m_headline;
    QVBoxLayout* m_outputs;
    QWidget* m_outputPart;
    QLabel* m_digests[2];
    WordsWidget* m_selected;
    WordsWidget* m_first;
    WordsWidget* m_largest;
    QWidget* m_histogramPart;
    HistogramWidget* m_histogram;
    QWidget* m_flipsPart;
    FlipsWidget* m_flips;
    QLabel* m_classes;
    QLabel* m_invariance[2];
    QWidget* m_timesPart;
    QLabel* m_times;
    QLabel* m_inputs;
};

}  // namespace isobit::views
