// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>

#include "views/signoff/shown_artifact.h"

namespace isobit::views {

/// What an artifact claims and what it does not, who signed and who reviewed it, and every digest: names and values in
/// sections. Everything that the author wrote is a claim, and its section says so.
class FactsModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role { SectionRole = Qt::UserRole };  ///< true for a row that begins a section

    using QAbstractTableModel::QAbstractTableModel;
    void setArtifact(const ShownArtifact& artifact);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
    struct Fact {
        QString name;
        QString value;
        bool section = false;
    };
    void section(const QString& title) { m_facts.push_back({title, {}, true}); }
    void add(const QString& name, const QString& value) { m_facts.push_back({name, value}); }
    void add(const QString& name, const std::string& value) { add(name, QString::fromStdString(value)); }
    void addSigners(const ShownVerification& verification);
    void addClaim(const evidence::ResultPredicate& predicate);
    void addOrigin(const evidence::ResultPredicate& predicate);
    void addChanges(const ShownArtifact& artifact);
    void addDigests(const ShownArtifact& artifact);

    std::vector<Fact> m_facts;
};

}  // namespace isobit::views
