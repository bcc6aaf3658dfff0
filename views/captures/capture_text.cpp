// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/captures/capture_text.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStringList>
#include <algorithm>
#include <tuple>

#include "core/capture/names.h"
#include "views/text.h"

namespace isobit::views {

namespace {

constexpr qsizetype kShortestTitle = 4;  // characters that two names must share to be one name

QString nameOfFile(const TensorFile& file) { return QFileInfo(QString::fromStdString(file.path())).fileName(); }
QString shortNameOf(const TensorFile& file) { return QFileInfo(QString::fromStdString(file.path())).completeBaseName(); }

QString shellQuoted(const std::string& path) {
    QString text = QString::fromStdString(path);
    return QLatin1Char('\'') + text.replace(QLatin1Char('\''), QStringLiteral("'\\''")) + QLatin1Char('\'');
}

/// A layer's number as a name writes it: "00" for "0".
std::string writtenIn(const std::string& name, const std::string& number) {
    const auto end = [&](std::size_t begin) { return std::min(name.find_first_not_of("0123456789", begin), name.size()); };
    for (std::size_t begin = name.find_first_of("0123456789"); begin < name.size(); begin = name.find_first_of("0123456789", end(begin))) {
        const std::string digits = name.substr(begin, end(begin) - begin);
        const std::size_t zeros = std::min(digits.find_first_not_of('0'), digits.size() - 1);
        if (digits.substr(zeros) == number) return digits;
    }
    return number;
}

/// A value of an option, in quotes only where a shell would need them.
QString argument(const std::string& value) {
    static const QRegularExpression plain(QStringLiteral("^[A-Za-z0-9_./=+-]+$"));
    const QString text = QString::fromStdString(value);
    return plain.match(text).hasMatch() ? text : shellQuoted(value);
}

QString fileNameOf(const std::string& path) { return QFileInfo(QString::fromStdString(path)).fileName(); }

QString orderText(const CaptureWalk& walk, const CaptureChoices& choices) {
    switch (walk.order) {
        case OrderKind::Graph: return QStringLiteral("walked in the order of the operations of ") + QString::fromStdString(walk.graph);
        case OrderKind::Layers: return QStringLiteral("walked layer by layer");
        case OrderKind::File: return QStringLiteral("walked in the order of the trainer's file");
        case OrderKind::List: return QStringLiteral("walked in the order of ") + fileNameOf(choices.order);
    }
    return {};
}

QString rowsText(const CaptureChoices& choices) {
    const auto& [trainer, sampler] = std::tie(choices.trainerRow, choices.samplerRow);
    if (!trainer && !sampler) return {};
    if (trainer == sampler) return QStringLiteral("row %1 of both batches").arg(*trainer);
    QStringList rows;
    if (trainer) rows << QStringLiteral("row %1 of the trainer's batch").arg(*trainer);
    if (sampler) rows << QStringLiteral("row %1 of the sampler's").arg(*sampler) + (trainer ? QString() : QStringLiteral(" batch"));
    return rows.join(QStringLiteral(", "));
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
    if (capture.isPartial()) text += QStringLiteral(" of the first %1 of %2").arg(grouped(walk.steps.size()), grouped(capture.pairs));
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
    if (capture.isPartial()) return Verdict::Partial;
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
    QString command = QStringLiteral("isobit ") + (capture.isPair() ? QStringLiteral("compare ") : QStringLiteral("open ")) + shellQuoted(capture.trainer.path());
    if (capture.isPair()) command += QLatin1Char(' ') + shellQuoted(capture.sampler->path());
    if (const auto& as = capture.request.open.as) command += QStringLiteral(" --as ") + QString::fromStdString(std::string(nameOf(*as)));
    const std::vector<std::string> options = optionsOf(capture.request.choices);
    for (std::size_t place = 0; place + 1 < options.size(); place += 2)
        command += QStringLiteral(" %1 %2").arg(QString::fromStdString(options[place]), argument(options[place + 1]));
    return command;
}

QString choicesText(const Capture& capture) {
    const CaptureChoices& choices = capture.request.choices;
    QStringList parts{orderText(capture.walk, choices)};
    if (!choices.pairing.empty()) parts << QStringLiteral("paired by ") + fileNameOf(choices.pairing);
    parts << rowsText(choices);
    const auto aligned = std::ranges::count_if(capture.walk.steps, [](const WalkStep& step) { return !step.pair.aligned.empty(); });
    if (aligned > 0) parts << counted(std::uint64_t(aligned), "tensor") + QStringLiteral(" lined up by token");
    if (const auto& as = capture.request.open.as) parts << QStringLiteral("words read as ") + QString::fromStdString(std::string(nameOf(*as)));
    parts.removeAll(QString());
    return parts.join(QStringLiteral("  ·  "));
}

QString alignmentText(const Capture& capture) {
    QStringList sentences;
    for (const WalkStep& step : capture.walk.steps)
        if (const QString aligned = QString::fromStdString(step.pair.aligned); !aligned.isEmpty() && !sentences.contains(aligned)) sentences << aligned;
    return sentences.join(QLatin1Char('\n'));
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
    static const NameBook book(builtInGraph());
    const auto layer = book.layerOf(name);
    return layer ? QString::fromStdString(writtenIn(name, *layer)) : QString();
}

QString sizeText(std::uint64_t bytes) {
    if (bytes < 1000) return counted(bytes, "byte");
    double scaled = static_cast<double>(bytes);
    int unit = -1;
    while (scaled >= 999.5 && unit < 5) scaled /= 1000, ++unit;
    return QString::number(scaled, 'f', scaled < 9.95 ? 1 : 0) + QLatin1Char(' ') + QStringLiteral("kMGTPE").at(unit) + QLatin1Char('B');
}

}  // namespace isobit::views
