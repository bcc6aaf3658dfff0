// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace isobit::views {

class Appearance;

/// Gives the trainer's columns the trainer's colour and the sampler's columns the sampler's.
class SideDelegate final : public QStyledItemDelegate {
public:
    SideDelegate(const Appearance& appearance, QObject* parent);

    /// With room between the columns.
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

private:
    const Appearance& m_appearance;
};

}  // namespace isobit::views
