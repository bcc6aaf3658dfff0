// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <memory>

namespace isobit::views {

struct ShownEngagement;

/// The contracts of receipts, one a row, trainer left of the sampler. Copies nothing.
class EngagementModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Mark, Contract, Surface, TrainerCounts, TrainerState, SamplerCounts, SamplerState, ColumnCount };
    /// BrokenRole: whether something is said against the row.
    enum Role { BrokenRole = Qt::UserRole };

    using QAbstractTableModel::QAbstractTableModel;
    void setEngagement(std::shared_ptr<const ShownEngagement> shown);
    /// The row before or after `from` (step -1 or 1) that is broken; -1 if there is none.
    [[nodiscard]] int brokenRow(int from, int step) const;
    /// Name of the contract of a row; empty outside.
    [[nodiscard]] std::string contractAt(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    [[nodiscard]] QVariant display(int row, int column) const;
    [[nodiscard]] bool isBroken(int row) const;

    std::shared_ptr<const ShownEngagement> m_shown;
};

/// The rules that are broken, one a row.
class FindingsModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Side, Rule, Subject, Sentence, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;
    void setEngagement(std::shared_ptr<const ShownEngagement> shown);
    [[nodiscard]] std::string subjectAt(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    std::shared_ptr<const ShownEngagement> m_shown;
};

/// The steps of a qualification in their order.
class StepsModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { State, Step, Found, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;
    void setEngagement(std::shared_ptr<const ShownEngagement> shown);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    std::shared_ptr<const ShownEngagement> m_shown;
};

}  // namespace isobit::views
