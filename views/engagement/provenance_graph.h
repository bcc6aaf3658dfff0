// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "views/engagement/shown_engagement.h"
#include "views/palette/theme.h"

namespace isobit::views {

/// The way of a contract's table, station by station: the trainer's above, the sampler's below. A station from which on the
/// words are not those that were built has a "!" and a dashed frame, never a colour alone.
class ProvenanceGraph final : public QWidget {
    Q_OBJECT
public:
    explicit ProvenanceGraph(const Theme& theme, QWidget* parent = nullptr);

    void setWays(std::vector<TableStation> trainer, std::vector<TableStation> sampler);
    void setTheme(const Theme& theme);
    [[nodiscard]] bool isEmpty() const { return m_trainer.empty() && m_sampler.empty(); }
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintWay(QPainter& painter, const std::vector<TableStation>& way, int top, const QColor& ink, const QString& side) const;
    [[nodiscard]] int stationHeight() const;

    Theme m_theme;
    std::vector<TableStation> m_trainer;
    std::vector<TableStation> m_sampler;
};

}  // namespace isobit::views
