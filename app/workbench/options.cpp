// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/options.h"

#include <QFileInfo>
#include <QRegularExpression>

namespace isobit::workbench {

using views::Appearance;

namespace {

std::optional<QSize> sizeOf(const QString& text) {
    static const QRegularExpression form(QStringLiteral("^([0-9]{3,5})x([0-9]{3,5})$"));
    const auto match = form.match(text);
    if (!match.hasMatch()) return std::nullopt;
    return QSize(match.captured(1).toInt(), match.captured(2).toInt());
}

/// Takes an option that says how two captures are compared; false if it is another one.
Result<bool> setChoice(CaptureChoices& choices, const QString& name, const QString& value) {
    const std::pair<const char*, std::string CaptureChoices::*> texts[] = {
        {"--graph", &CaptureChoices::graph}, {"--order", &CaptureChoices::order}, {"--pairing", &CaptureChoices::pairing}};
    for (const auto& [option, field] : texts)
        if (name == QLatin1String(option)) {
            // A path stays what it is wherever the window is then.
            choices.*field = (QFileInfo(value).isFile() ? QFileInfo(value).absoluteFilePath() : value).toStdString();
            return true;
        }
    if (name != QLatin1String("--row") && name != QLatin1String("--trainer-row") && name != QLatin1String("--sampler-row")) return false;
    bool number = false;
    const qlonglong row = value.toLongLong(&number);
    if (!number || row < 0) return failure("{} {}: expected the number of a row, from 0 on", name.toStdString(), value.toStdString());
    if (name != QLatin1String("--sampler-row")) choices.trainerRow = row;
    if (name != QLatin1String("--trainer-row")) choices.samplerRow = row;
    return true;
}

/// Takes the value of an option; an Error if it has none or one that cannot be.
Result<void> setOption(Options& options, const QString& name, const QString& value) {
    if (name == QLatin1String("--screenshot")) {
        options.screenshot = value;
    } else if (name == QLatin1String("--export")) {
        options.figure = value;
    } else if (name == QLatin1String("--cell")) {
        options.cell = value;
    } else if (name == QLatin1String("--view")) {
        options.view = value;
    } else if (name == QLatin1String("--tensor")) {
        options.tensor = value;
    } else if (name == QLatin1String("--overlay")) {
        options.overlay = value;
    } else if (name == QLatin1String("--run")) {
        options.preset = value;
    } else if (name == QLatin1String("--size")) {
        const auto size = sizeOf(value);
        if (!size) return failure("--size {}: expected WIDTHxHEIGHT, as 1280x800", value.toStdString());
        options.size = *size;
    } else if (name == QLatin1String("--theme")) {
        if (value != QLatin1String("light") && value != QLatin1String("dark"))
            return failure("--theme {}: expected light or dark", value.toStdString());
        options.theme = value == QLatin1String("dark") ? Appearance::Mode::Dark : Appearance::Mode::Light;
    } else {
        const auto chosen = setChoice(options.choices, name, value);
        if (!chosen) return failureOf(chosen);
        if (*chosen) return {};
        return failure("{}: unknown option, see isobit-workbench --help", name.toStdString());
    }
    return {};
}

}  // namespace

Result<Options> readOptions(const QStringList& arguments) {
    Options options;
    for (qsizetype place = 0; place < arguments.size(); ++place) {
        const QString& argument = arguments[place];
        if (argument == QLatin1String("--help") || argument == QLatin1String("-h")) {
            options.help = true;
        } else if (argument == QLatin1String("--version")) {
            options.version = true;
        } else if (argument == QLatin1String("--start-page")) {
            options.startPage = true;
        } else if (argument.startsWith(QLatin1String("--"))) {
            const qsizetype equals = argument.indexOf('=');
            const bool joined = equals > 0;
            if (!joined && place + 1 == arguments.size()) return failure("{}: a value is missing", argument.toStdString());
            const auto set = setOption(options, joined ? argument.left(equals) : argument,
                                       joined ? argument.mid(equals + 1) : arguments[++place]);
            if (!set) return failureOf(set);
        } else if (!options.other.isEmpty()) {
            return failure("{}: at most two files can be compared", argument.toStdString());
        } else {
            (options.file.isEmpty() ? options.file : options.other) = argument;
        }
    }
    return options;
}

QString helpText() {
    return QStringLiteral(R"(isobit-workbench [OPTIONS] [FILE]
isobit-workbench [OPTIONS] TRAINER SAMPLER

Shows where trainer and sampler compute the same bits, and where they do not: over the shapes of a sweep, and through
the tensors of two captures. Without FILE what was open last, else the start page.

  FILE                     run file, as written by isobit sweep --out; or a file or folder of tensors
  TRAINER SAMPLER          two files or folders of tensors to compare
  --order, --graph, --pairing, --row, --trainer-row, --sampler-row
                           how the two are compared, as isobit compare takes them
  --run PRESET             run a preset and show its cells as they come
  --cell ID                select a cell, as h4096_m256
  --view ID                view to show: grid, timing, walk, element, replay, tensors
  --tensor NAME            select a tensor, as layers.00.q_rope
  --overlay FILE           lay the times of another run, or of the public record, over those of the run
  --theme light|dark       instead of the desktop's
  --start-page             do not open the last run
  --screenshot OUT.png     write a picture of the window and exit; the first cell that differs is selected
  --export OUT             write the grid as a figure or a table and exit: .svg, .pdf, .png, .csv
  --size WIDTHxHEIGHT      of the window in a screenshot, 1280x800 if not given
  --version, --help

Exit codes: 0 done, 2 it could not be done; one sentence says why.
)");
}

}  // namespace isobit::workbench
