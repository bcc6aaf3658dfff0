// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/captures/capture_text.h"

#include <QDir>
#include <QFileInfo>
#include <QStringList>
#include <algorithm>

#include "views/text.h"

namespace isobit::views {

namespace {

constexpr qsizetype kShortestTitle = 4;  // characters that two names must share to be one name

QString nameOfFile(const TensorFile& file) { return QFileInfo(QString::fromStdString(file.path())).fileName(); }
QString shortNameOf(const TensorFile& file) { return QFileInfo(QString::fromStdString(file.path())).completeBaseName(); }

QString quoted(const std::string& path) {
    QString text = QString::fromStdString(path);
    return QLatin1Char('\'') + text.replace(QLatin1Char('\''), QStringLiteral("'\\''")) + QLatin1Char('\'');
}

}  // namespace

QString titleOf(const Capture& capture) {
    if (!capture.isPair()) return nameOfFile(capture.trainer);
    const QString trainer = shortNameOf(capture.trainer);
    const QString sampler = shortNameOf(*capture.sampler);
    if (trainer == sampler) return trainer;
    qsizetype shared = 0;
    while (shared < std::min(trainer.size(), sampler.size()) && trainer[shared] == sampler[shared]) ++shared;
    while (shared > 0 && !trainer[shared - 1].isLetterOrNumber()) --shared;
    return shared >= kShortestTitle ? trainer.left(shared) : trainer + QStringLiteral(" · ") + sampler;
}

QString verdictOf(const Capture& capture) {
    if (!capture.isPair()) return contentOf(capture.trainer);
    const CaptureWalk& walk = capture.walk;
    const auto different = walk.count(TensorStatus::Different);
    QString text = different == 0 ? QStringLiteral("%1 of %2 tensors equal").arg(grouped(walk.count(TensorStatus::Equal)), grouped(walk.steps.size()))
                                  : QStringLiteral("%1 of %2 tensors differ").arg(grouped(different), grouped(walk.steps.size()));
    if (!walk.comparable()) text = QStringLiteral("not comparable: ") + text;
    if (const auto missing = walk.count(TensorStatus::Missing); missing > 0) text += QStringLiteral(", %1 missing").arg(grouped(missing));
    if (const auto not_ = walk.count(TensorStatus::NotComparable); not_ > 0)
        text += QStringLiteral(", %1 not comparable").arg(grouped(not_));
    return text;
}

Verdict verdictKind(const Capture& capture) {
    if (!capture.isPair() || capture.walk.steps.empty()) return Verdict::None;
    const CaptureWalk& walk = capture.walk;
    if (!walk.comparable()) return Verdict::Failed;
    if (walk.count(TensorStatus::Different) > 0) return Verdict::Different;
    return walk.count(TensorStatus::Equal) == walk.steps.size() ? Verdict::Equal : Verdict::Partial;
}

QString shortPathOf(const TensorFile& file) {
    const QFileInfo path(QString::fromStdString(file.path()));
    const QString folder = path.dir().dirName();
    return folder.isEmpty() ? path.fileName() : folder + QLatin1Char('/') + path.fileName();
}

QString contentOf(const TensorFile& file) {
    return QStringLiteral("%1, %2").arg(QString::fromStdString(file.format()), counted(file.tensors().size(), "tensor"));
}

QString commandFor(const Capture& capture) {
    if (!capture.isPair()) return QStringLiteral("isobit open ") + quoted(capture.trainer.path());
    return QStringLiteral("isobit compare %1 %2").arg(quoted(capture.trainer.path()), quoted(capture.sampler->path()));
}

QString glyphOf(const WalkStep& step) {
    switch (step.status) {
        case TensorStatus::Equal: return QStringLiteral("═");
        case TensorStatus::Missing: return QStringLiteral("□");
        case TensorStatus::NotComparable: return QStringLiteral("!");
        case TensorStatus::Different: break;
    }
    switch (step.role) {
        case Role::Culprit: return QStringLiteral("■");
        case Role::Inherited: return QStringLiteral("▨");
        case Role::CannotSay: return QStringLiteral("?");
        case Role::None: break;
    }
    return QStringLiteral("≠");
}

QString roleText(const WalkStep& step) {
    switch (step.status) {
        case TensorStatus::Equal: return QStringLiteral("equal");
        case TensorStatus::Missing: return QStringLiteral("missing");
        case TensorStatus::NotComparable: return QStringLiteral("not comparable");
        case TensorStatus::Different: break;
    }
    switch (step.role) {
        case Role::Culprit: return QStringLiteral("culprit: ") + QString::fromStdString(step.operation);
        case Role::Inherited: return QStringLiteral("inherited");
        case Role::CannotSay: return QStringLiteral("cannot say");
        case Role::None: break;
    }
    return QStringLiteral("differs");
}

QString countsText(const WalkStep& step) {
    switch (step.status) {
        case TensorStatus::Equal: return QStringLiteral("all %1 equal").arg(grouped(step.comparison.elements));
        case TensorStatus::Different:
            return QStringLiteral("%1 of %2").arg(grouped(step.comparison.different), grouped(step.comparison.elements));
        default: return QString::fromStdString(step.reason);
    }
}

QString largestText(const WalkStep& step) {
    if (step.status != TensorStatus::Different) return {};
    switch (step.comparison.worstBin()) {
        case UlpBin::SignOfZero: return QStringLiteral("±0");
        case UlpBin::SignOrClass: return QStringLiteral("sign or class");
        default: return grouped(step.comparison.maxUlp) + (isFloat(step.comparison.dtype) ? QStringLiteral(" ULP") : QStringLiteral(" apart"));
    }
}

QString sentenceOf(const WalkStep& step) {
    QString text = QString::fromStdString(step.pair.name) + QStringLiteral(": ") + roleText(step);
    if (step.status == TensorStatus::Different) {
        text += QStringLiteral(", %1 words differ, largest %2").arg(countsText(step), largestText(step));
        if (!step.why.empty()) text += QStringLiteral("; ") + QString::fromStdString(step.why);
    } else if (!step.reason.empty()) {
        text += QStringLiteral(", ") + QString::fromStdString(step.reason);
    }
    return text;
}

QString matchText(const TensorPair& pair) {
    if (pair.match == MatchKind::Exact) return QStringLiteral("same name");
    if (pair.match == MatchKind::Missing) return QStringLiteral("one side only");
    const std::string_view name = nameOf(pair.match);
    const QString how = QString::fromStdString(pair.how);
    const QString kind = QString::fromUtf8(name.data(), qsizetype(name.size()));
    return how.isEmpty() ? kind : kind + QStringLiteral(": ") + how;
}

QString captureNextText(const WalkStep& step, int most) {
    QStringList names;
    for (const std::string& name : step.captureNext) names << QString::fromStdString(name);
    const auto more = names.size() - most;
    if (more <= 1) return names.join(QStringLiteral(", "));  // one more name is as short as its count
    return names.mid(0, most).join(QStringLiteral(", ")) + QStringLiteral(" and %1 more").arg(more);
}

QString whyText(const WalkStep& step, int most) {
    const QString why = QString::fromStdString(step.why);
    if (why.size() <= most) return why;
    return why.left(why.lastIndexOf(QLatin1Char(' '), most)) + QStringLiteral(" …");
}

QString layerOf(const std::string& name) {
    const auto layers = layersIn(builtInGraph(), {name});
    return layers.empty() ? QString() : QString::fromStdString(layers.front());
}

QString sizeText(std::uint64_t bytes) {
    if (bytes < 1000) return counted(bytes, "byte");
    double scaled = static_cast<double>(bytes);
    int unit = -1;
    while (scaled >= 999.5 && unit < 5) scaled /= 1000, ++unit;
    return QString::number(scaled, 'f', scaled < 9.95 ? 1 : 0) + QLatin1Char(' ') + QStringLiteral("kMGTPE").at(unit) + QLatin1Char('B');
}

}  // namespace isobit::views
