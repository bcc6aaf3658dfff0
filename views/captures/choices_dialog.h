// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "core/capture/capture_choices.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace isobit::views {

/// One of several known values, or a file.
struct KnownOrFile {
    QComboBox* known = nullptr;  ///< its data is the value; that of the last entry, a file, is not valid
    QLineEdit* file = nullptr;
};

/// Asks how two captures are put beside each other: order of the walk, operation graph, pairing, rows of the batches.
class ChoicesDialog final : public QDialog {
    Q_OBJECT
public:
    /// `aligned` says how tokens are lined up now, a sentence a line.
    ChoicesDialog(const CaptureChoices& now, const QString& aligned, QWidget* parent = nullptr);
    /// What was asked for; valid once the dialog was accepted.
    [[nodiscard]] const CaptureChoices& choices() const { return m_choices; }

private:
    KnownOrFile makeChoice(const QList<std::pair<QString, QString>>& known, const std::string& now, const QString& name,
                           const QString& fileTitle);
    QWidget* rowOf(const KnownOrFile& choice, const QString& fileTitle);
    QSpinBox* makeRow(const char* side, const std::optional<std::int64_t>& now);
    void setDefault();
    void finish();

    CaptureChoices m_choices;
    KnownOrFile m_order, m_graph, m_pairing;
    QSpinBox* m_trainerRow;
    QSpinBox* m_samplerRow;
    QLabel* m_note;
};

}  // namespace isobit::views
