// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "views/difference_steps.h"
#include "views/element/map_face.h"
#include "views/view_context.h"

class QButtonGroup;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QSpinBox;
class QToolButton;

namespace isobit::views {

class LegendWidget;
class MapWidget;

/// Which words of the selected tensor differ? Its map at any zoom, bit planes, and both words of the selected element.
class ElementView final : public QWidget, public DifferenceSteps {
    Q_OBJECT
public:
    explicit ElementView(const ViewContext& context, QWidget* parent = nullptr);

    [[nodiscard]] MapWidget& map() const { return *m_map; }
    void setMode(MapMode mode);
    void goToFirstDifference() override;
    void goToNextDifference() override;
    void goToPreviousDifference() override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildBar(QHBoxLayout* bar);
    void showTensor();
    void showElement();
    void showState();
    void applySlice();
    void applyMode();
    void showMode();
    void applyTheme();

    ViewContext m_context;
    MapWidget* m_map;
    QButtonGroup* m_modes;
    QLineEdit* m_slice;
    bool m_sliceable = false;
    int m_shownTensor = -1;
    QSpinBox* m_bit;
    QLabel* m_bitName;
    QList<QToolButton*> m_zooms;
    bool m_roomForLegend = true;
    QLabel* m_state;
    QLabel* m_empty;
    QLabel* m_place;
    QLabel* m_words[2];
    QLabel* m_distance;
    LegendWidget* m_legend;
    QString m_failure;
    bool m_noMore = false;
};

}  // namespace isobit::views
