// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFile>
#include <QString>

#include "core/sweep/json_form.h"
#include "tests/support/sample_run.h"

namespace isobit::support {

/// A copy of fake_isobit.sh in `folder` that streams the plan and the first `cells` cells of `run`; gives its path.
inline QString fakeChild(const QString& folder, const Run& run, std::size_t cells) {
    QFile stream(folder + "/stream.jsonl");
    if (!stream.open(QIODevice::WriteOnly)) qFatal("no temporary file");
    const auto line = [&stream](const char* kind, const Json& json) {
        stream.write(QByteArray::fromStdString(Json{{"kind", kind}, {kind, json}}.dump()) + '\n');
    };
    line("plan", toJson(run.plan));
    for (std::size_t cell = 0; cell < cells; ++cell) line("cell", toJson(run.plan, run.cells[cell]));
    const QString program = folder + "/isobit";
    QFile::copy(QStringLiteral(ISOBIT_SOURCE_DIR "/tests/support/fake_isobit.sh"), program);
    QFile::setPermissions(program, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    return program;
}

}  // namespace isobit::support
