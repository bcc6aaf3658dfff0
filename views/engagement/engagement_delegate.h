// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace isobit::views {

class Appearance;

/// Trainer's columns in its blue, the sampler's in its orange; what is wrong has its "!" and the ink of a failure.
class EngagementDelegate final : public QStyledItemDelegate {
    Q_OBJECT
public:
    EngagementDelegate(const Appearance& appearance, QObject* parent);

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

private:
    const Appearance& m_appearance;
};

}  // namespace isobit::views
