// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/commands/open_as_dialog.h"

#include <QAbstractButton>
#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

#include "views/widgets.h"

namespace isobit::views {

namespace {

constexpr DType kTypes[] = {DType::Bf16, DType::Fp16, DType::Fp8E4M3, DType::Fp8E5M2, DType::Fp32, DType::Fp64,
                            DType::I8,   DType::I16,  DType::I32,     DType::I64,     DType::U8,   DType::U16,
                            DType::U32,  DType::U64,  DType::Bool};

}  // namespace

Result<Shape> shapeFrom(const QString& text) {
    Shape shape;
    if (text.trimmed().isEmpty()) return shape;
    for (const QString& item : text.split(QLatin1Char(','))) {
        bool number = false;
        const qlonglong size = item.trimmed().toLongLong(&number);
        if (!number || size < 0) return failure("\"{}\" is not a shape; expected sizes such as 64, 3840", text.toStdString());
        shape.push_back(size);
    }
    return shape;
}

OpenAsDialog::OpenAsDialog(const OpenOptions& now, QWidget* parent) : QDialog(parent), m_options(now) {
    setWindowTitle(QStringLiteral("Read words as"));
    m_type = new QComboBox(this);
    m_type->addItem(QStringLiteral("as the file says"));
    for (const DType type : kTypes) m_type->addItem(QString::fromUtf8(nameOf(type).data(), qsizetype(nameOf(type).size())), int(type));
    const std::optional<DType> chosen = now.raw ? std::optional(now.raw->dtype) : now.as;
    if (chosen) m_type->setCurrentIndex(m_type->findData(int(*chosen)));
    m_headerless = new QCheckBox(QStringLiteral("The file is one headerless array"), this);
    m_headerless->setChecked(now.raw.has_value());
    m_shape = new QLineEdit(this);
    m_shape->setPlaceholderText(QStringLiteral("64, 3840; empty: all of the file"));
    m_offset = new QLineEdit(QStringLiteral("0"), this);
    m_bigEndian = new QCheckBox(QStringLiteral("Big-endian"), this);
    m_problem = wrappingLabel(this);
    setRole(m_problem, "muted");
    m_problem->setText(QStringLiteral("Raw and integer words of the type's width are read as it, as bf16 that was kept as uint16."));
    auto* form = new QFormLayout;
    form->addRow(QStringLiteral("Type"), m_type);
    form->addRow(m_headerless);
    form->addRow(QStringLiteral("Shape"), m_shape);
    form->addRow(QStringLiteral("Bytes before it"), m_offset);
    form->addRow(m_bigEndian);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    for (QAbstractButton* button : buttons->buttons()) button->setIcon({});
    setMinimumWidth(420);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(form);
    layout->addWidget(m_problem);
    layout->addWidget(buttons);
    for (QWidget* part : {static_cast<QWidget*>(m_shape), static_cast<QWidget*>(m_offset), static_cast<QWidget*>(m_bigEndian)}) {
        part->setEnabled(m_headerless->isChecked());
        connect(m_headerless, &QCheckBox::toggled, part, &QWidget::setEnabled);
    }
    connect(buttons, &QDialogButtonBox::accepted, this, &OpenAsDialog::finish);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

void OpenAsDialog::finish() {
    const auto refuse = [this](const QString& sentence) {
        setRole(m_problem, "failed");
        m_problem->setText(sentence);
    };
    m_options.raw.reset();
    m_options.as.reset();
    const bool typed = m_type->currentIndex() > 0;
    const auto type = static_cast<DType>(m_type->currentData().toInt());
    if (!m_headerless->isChecked()) {
        if (typed) m_options.as = type;
        return accept();
    }
    if (!typed) return refuse(QStringLiteral("A headerless array needs a type."));
    const auto shape = shapeFrom(m_shape->text());
    if (!shape) return refuse(QString::fromStdString(shape.error().message));
    bool number = false;
    const qulonglong offset = m_offset->text().toULongLong(&number);
    if (!number) return refuse(QStringLiteral("“%1” is not a number of bytes.").arg(m_offset->text()));
    m_options.raw = RawLayout{type, *shape, offset, m_bigEndian->isChecked()};
    accept();
}

}  // namespace isobit::views
