// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/run_text.h"

#include <QStringList>

#include "views/text.h"

namespace isobit::views {

QString titleOf(const Run& run) { return QString::fromStdString(run.plan.preset); }

QString programText(const ProgramRef& program) {
    return QString::fromStdString(program.name) + (program.rowsAlone ? QStringLiteral(", rows alone") : QString());
}

QString pairingOf(const Run& run) {
    const Pairing& pairing = run.plan.pairing;
    return QStringLiteral("trainer %1  ·  sampler %2").arg(programText(pairing.trainer), programText(pairing.sampler));
}

QString verdictOf(const Run& run) {
    const auto count = [&run](CellStatus status) { return static_cast<std::uint64_t>(countCells(run, status)); };
    QString text = QStringLiteral("%1 of %2 cells equal").arg(grouped(count(CellStatus::Equal)), grouped(run.cells.size()));
    if (const auto failed = count(CellStatus::Failed); failed > 0) text += QStringLiteral(", %1 failed").arg(grouped(failed));
    if (const auto left = count(CellStatus::NotRun); left > 0) text += QStringLiteral(", %1 not run").arg(grouped(left));
    return text;
}

QString engineOf(const Run& run) {
    const Plan& plan = run.plan;
    QString text;
    for (const ProgramRef* program : {&plan.pairing.trainer, &plan.pairing.sampler}) {
        const bool modelled = program->engine == "reference";
        const QString engine = modelled ? QStringLiteral("CPU model %1").arg(QString::fromStdString(plan.silicon))
                                        : QString::fromStdString(program->engine);
        if (!text.contains(engine)) text += (text.isEmpty() ? QString() : QStringLiteral(" against ")) + engine;
    }
    if (!plan.siliconSha256.empty()) text += QStringLiteral(" (table %1)").arg(shortDigest(plan.siliconSha256, 8));
    if (run.measurement)
        if (const auto gpu = run.measurement->provenance.find("gpu_name"); gpu != run.measurement->provenance.end())
            text += QStringLiteral(", measured on %1").arg(QString::fromStdString(gpu->second));
    return text;
}

QString coordinatesOf(const Plan& plan, const CellResult& cell) {
    QStringList parts;
    for (std::size_t axis = 0; axis < plan.axes.size() && axis < cell.coordinates.size(); ++axis)
        parts << QStringLiteral("%1 %2").arg(QString::fromStdString(plan.axes[axis].name)).arg(cell.coordinates[axis]);
    return parts.join(QStringLiteral("  "));
}

Verdict verdictKind(const Run& run) {
    if (run.cells.empty()) return Verdict::None;
    if (countCells(run, CellStatus::Different) > 0) return Verdict::Different;
    if (countCells(run, CellStatus::Failed) > 0) return Verdict::Failed;
    return countCells(run, CellStatus::NotRun) > 0 ? Verdict::Partial : Verdict::Equal;
}

QString wordOf(Verdict verdict) {
    switch (verdict) {
        case Verdict::Equal: return QStringLiteral("EQUAL");
        case Verdict::Different: return QStringLiteral("DIFFERENT");
        case Verdict::Failed: return QStringLiteral("FAILED");
        case Verdict::Partial: return QStringLiteral("PARTIAL");
        case Verdict::None: break;
    }
    return QStringLiteral("-");
}

}  // namespace isobit::views
