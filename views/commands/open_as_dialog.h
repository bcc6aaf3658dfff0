// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "core/tensors/formats.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;

namespace isobit::views {

/// Sizes as people write them, "64, 3840"; an empty text is no size. An Error is one sentence.
[[nodiscard]] Result<Shape> shapeFrom(const QString& text);

/// Asks how the words of files are to be read: raw and integer words as another type of their width, or the whole file as
/// one headerless array of a type, a shape and an offset.
class OpenAsDialog final : public QDialog {
    Q_OBJECT
public:
    explicit OpenAsDialog(const OpenOptions& now, QWidget* parent = nullptr);
    /// What was asked for; valid once the dialog was accepted.
    [[nodiscard]] const OpenOptions& options() const { return m_options; }

private:
    void finish();

    OpenOptions m_options;
    QComboBox* m_type;
    QCheckBox* m_headerless;
    QLineEdit* m_shape;
    QLineEdit* m_offset;
    QCheckBox* m_bigEndian;
    QLabel* m_problem;
};

}  // namespace isobit::views
