// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/captures/choices_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>
#include <limits>

#include "views/widgets.h"

namespace isobit::views {

namespace {

constexpr int kNoRow = -1;

/// The value, or why there is none.
Result<std::string> valueOf(const KnownOrFile& choice) {
    if (choice.known->currentData().isValid()) return choice.known->currentData().toString().toStdString();
    const QString path = choice.file->text().trimmed();
    const std::string what = choice.known->accessibleName().toStdString();
    if (path.isEmpty()) return failure("{}: name the file, or choose another entry.", what);
    if (!QFileInfo(path).isFile()) return failure("{}: there is no file {}.", what, path.toStdString());
    return QFileInfo(path).absoluteFilePath().toStdString();
}

std::optional<std::int64_t> rowOf(const QSpinBox& row) {
    return row.value() == kNoRow ? std::nullopt : std::optional<std::int64_t>(row.value());
}

}  // namespace

ChoicesDialog::ChoicesDialog(const CaptureChoices& now, const QString& aligned, QWidget* parent) : QDialog(parent), m_choices(now) {
    setWindowTitle(QStringLiteral("How the captures are compared"));
    setMinimumWidth(560);
    const auto form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    const QString list = QStringLiteral("A file with one name a line");
    m_order = makeChoice({{QStringLiteral("Operations of the graph"), {}},
                          {QStringLiteral("Layer by layer"), QStringLiteral("layers")},
                          {QStringLiteral("As the trainer's file has them"), QStringLiteral("file")}},
                         now.order == "graph" ? std::string() : now.order, QStringLiteral("Order of the walk"), list);
    form->addRow(QStringLiteral("&Order"), rowOf(m_order, list));
    QList<std::pair<QString, QString>> graphs{{QStringLiteral("The one that fits best"), {}}};
    for (const GraphTemplate& graph : builtInGraphs()) graphs << std::pair(QString::fromStdString(graph.name), QString::fromStdString(graph.name));
    const QString graphFile = QStringLiteral("An isobit.graph/1 file");
    m_graph = makeChoice(graphs, now.graph, QStringLiteral("Operation graph"), graphFile);
    form->addRow(QStringLiteral("Operation &graph"), rowOf(m_graph, graphFile));
    const QString pairing = QStringLiteral("An isobit.pairing/1 file");
    m_pairing = makeChoice({{QStringLiteral("By name, alias, slice and place"), {}}}, now.pairing, QStringLiteral("Pairing"), pairing);
    form->addRow(QStringLiteral("&Pairing"), rowOf(m_pairing, pairing));
    auto* rows = new QHBoxLayout;
    rows->addWidget(m_trainerRow = makeRow("trainer", now.trainerRow));
    rows->addWidget(m_samplerRow = makeRow("sampler", now.samplerRow));
    rows->addStretch(1);
    form->addRow(QStringLiteral("&Row of the batch"), rows);
    static_cast<QLabel*>(form->labelForField(rows))->setBuddy(m_trainerRow);

    m_note = wrappingLabel(this);
    setRole(m_note, "muted");
    m_note->setText(aligned.isEmpty() ? QStringLiteral("Tokens are lined up by their captured positions where a side was dumped in several "
                                                       "steps or a row is picked. Here nothing had to be lined up.")
                                      : QStringLiteral("Tokens were lined up: ") + aligned);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel | QDialogButtonBox::RestoreDefaults, this);
    for (QAbstractButton* button : buttons->buttons()) button->setIcon({});
    buttons->button(QDialogButtonBox::Ok)->setText(QStringLiteral("Compare"));
    buttons->button(QDialogButtonBox::RestoreDefaults)->setText(QStringLiteral("As by default"));
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(12);
    layout->addLayout(form);
    layout->addWidget(m_note);
    layout->addWidget(buttons);
    connect(buttons->button(QDialogButtonBox::RestoreDefaults), &QPushButton::clicked, this, &ChoicesDialog::setDefault);
    connect(buttons, &QDialogButtonBox::accepted, this, &ChoicesDialog::finish);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    m_order.known->setFocus();
}

KnownOrFile ChoicesDialog::makeChoice(const QList<std::pair<QString, QString>>& known, const std::string& now, const QString& name,
                                      const QString& fileTitle) {
    KnownOrFile choice{new QComboBox(this), new QLineEdit(this)};
    for (const auto& [text, value] : known) choice.known->addItem(text, value);
    choice.known->addItem(fileTitle + QStringLiteral("…"));
    choice.known->setAccessibleName(name);
    choice.file->setAccessibleName(fileTitle);
    choice.file->setPlaceholderText(QStringLiteral("path of the file"));
    const int place = choice.known->findData(QString::fromStdString(now));
    choice.known->setCurrentIndex(place >= 0 ? place : choice.known->count() - 1);
    if (place < 0) choice.file->setText(QString::fromStdString(now));
    return choice;
}

QWidget* ChoicesDialog::rowOf(const KnownOrFile& choice, const QString& fileTitle) {
    auto* row = new QWidget(this);
    auto* browse = new QToolButton(row);
    browse->setText(QStringLiteral("Browse…"));
    auto* fileRow = new QWidget(row);
    auto* file = new QHBoxLayout(fileRow);
    file->setContentsMargins(0, 0, 0, 0);
    file->addWidget(choice.file, 1);
    file->addWidget(browse);
    auto* layout = new QVBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(choice.known);
    layout->addWidget(fileRow);
    row->setFocusProxy(choice.known);
    const auto showFile = [this, choice, fileRow] {
        fileRow->setVisible(!choice.known->currentData().isValid());
        adjustSize();
    };
    connect(choice.known, &QComboBox::currentIndexChanged, this, showFile);
    connect(browse, &QToolButton::clicked, this, [this, choice, fileTitle] {
        const QString path = QFileDialog::getOpenFileName(this, fileTitle, QFileInfo(choice.file->text()).absolutePath());
        if (!path.isEmpty()) choice.file->setText(path);
    });
    showFile();
    return row;
}

QSpinBox* ChoicesDialog::makeRow(const char* side, const std::optional<std::int64_t>& now) {
    auto* row = new QSpinBox(this);
    row->setRange(kNoRow, std::numeric_limits<int>::max());
    row->setPrefix(QString::fromLatin1(side) + QStringLiteral(" "));
    row->setSpecialValueText(QString::fromLatin1(side) + QStringLiteral(": all"));
    row->setAccessibleName(QStringLiteral("Row of the %1's batch, from 0").arg(QLatin1String(side)));
    row->setToolTip(QStringLiteral("Compare this row of the %1's batch alone; rows count from 0").arg(QLatin1String(side)));
    row->setValue(now ? static_cast<int>(*now) : kNoRow);
    row->setMinimumWidth(150);
    return row;
}

void ChoicesDialog::setDefault() {
    for (const KnownOrFile* choice : {&m_order, &m_graph, &m_pairing}) choice->known->setCurrentIndex(0);
    for (QSpinBox* row : {m_trainerRow, m_samplerRow}) row->setValue(kNoRow);
}

void ChoicesDialog::finish() {
    const std::pair<const KnownOrFile*, std::string CaptureChoices::*> fields[] = {
        {&m_order, &CaptureChoices::order}, {&m_graph, &CaptureChoices::graph}, {&m_pairing, &CaptureChoices::pairing}};
    for (const auto& [choice, field] : fields) {
        auto value = valueOf(*choice);
        if (!value) {
            setRole(m_note, "failed");
            m_note->setText(QString::fromStdString(value.error().message));
            return choice->file->setFocus();
        }
        m_choices.*field = std::move(*value);
    }
    m_choices.trainerRow = views::rowOf(*m_trainerRow);
    m_choices.samplerRow = views::rowOf(*m_samplerRow);
    accept();
}

}  // namespace isobit::views
