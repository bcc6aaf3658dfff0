// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/engagement/shown_engagement.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/base/atomic_file.h"
#include "core/numeric/dtype.h"
#include "core/tensors/confinement.h"

namespace isobit::views {

namespace {

constexpr std::size_t kLooked = 64u << 10;  // "format" stands among the first keys

bool saysSo(const std::string& path) {
    std::error_code problem;
    if (!std::filesystem::is_regular_file(path, problem)) return false;
    std::string head(kLooked, '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(file.gcount()));
    const std::size_t first = head.find_first_not_of(" \t\r\n");
    return first != std::string::npos && head[first] == '{' &&
           (head.find(kReceiptFormat) != std::string::npos || head.find(kQualificationFormat) != std::string::npos);
}

Result<Json> readDocument(const std::string& path) {
    const auto text = readTextFile(path);
    if (!text) return failureOf(text);
    return parseJsonStrictly(*text, printable(path));
}

Result<ShownEngagement> readOne(const std::string& path) {
    const auto document = readDocument(path);
    if (!document) return failureOf(document);
    ShownEngagement shown;
    if (isQualification(*document)) {
        auto summary = readQualification(*document, printable(path));
        if (!summary) return failureOf(summary);
        shown.qualification = std::move(*summary);
        return shown;
    }
    auto receipt = readReceipt(*document, printable(path));
    if (!receipt) return failureOf(receipt);
    shown.report = checkSide(std::move(*receipt));
    return shown;
}

Result<ShownEngagement> readPair(const std::string& trainer, const std::string& sampler) {
    auto ours = readReceiptFile(trainer);
    if (!ours) return failureOf(ours);
    auto theirs = readReceiptFile(sampler);
    if (!theirs) return failureOf(theirs);
    auto report = checkEngagement(std::move(*ours), std::move(*theirs));
    if (!report) return failureOf(report);
    return ShownEngagement{{}, true, std::move(*report), std::nullopt};
}

bool isFp32(const std::string& dtype) {
    const auto known = dtypeByName(dtype);
    return known && *known == DType::Fp32;
}

QString shownText(const std::string& utf8) { return QString::fromStdString(utf8); }

// What reached the model: neighbouring layers that received the same are one station.
std::vector<TableStation> arrivals(const TableReceipt& table) {
    std::vector<TableStation> stations;
    for (auto first = table.arrivals.begin(); first != table.arrivals.end();) {
        std::int64_t calls = 0;
        auto last = first;
        for (; last != table.arrivals.end() && last->tableDtype == first->tableDtype && last->sha256 == first->sha256;
             ++last)
            calls += last->calls;
        const QString from = first->at.empty() ? QStringLiteral("arrived") : shownText(first->at);
        const QString to = (last - 1)->at == first->at ? QString() : QStringLiteral(" … ") + shownText((last - 1)->at);
        const bool changed = !first->sha256.empty() && first->sha256 != table.sha256;
        stations.push_back({from + to, QStringLiteral("%1, %2 calls").arg(shownText(first->tableDtype)).arg(calls),
                            changed || !isFp32(first->tableDtype)});
        first = last;
    }
    return stations;
}

}  // namespace

Result<EngagementPtr> readEngagement(const std::vector<std::string>& paths) {
    if (!std::ranges::all_of(paths, saysSo)) return EngagementPtr();
    auto shown = paths.size() == 2 ? readPair(paths[0], paths[1]) : readOne(paths[0]);
    if (!shown) return failureOf(shown);
    for (const std::string& path : paths) shown->paths << shownText(path);
    return EngagementPtr(std::make_shared<const ShownEngagement>(std::move(*shown)));
}

QString engineText(const Receipt& receipt) {
    if (receipt.side.empty()) return {};
    return QStringLiteral("%1 at %2, %3")
        .arg(shownText(receipt.engine), shownText(receipt.revision), shownText(textOf(receipt.topology)));
}

QString titleOf(const ShownEngagement& shown) {
    if (!shown.report) return QStringLiteral("Qualification");
    QStringList names;
    for (const Receipt* receipt : {&shown.report->trainer, &shown.report->sampler})
        if (!receipt->side.empty()) names << shownText(receipt->engine + " " + receipt->revision);
    return names.join(QStringLiteral(" · "));
}

QString verdictOf(const ShownEngagement& shown) {
    if (shown.qualification)
        return shown.qualification->qualified ? QStringLiteral("QUALIFIED") : QStringLiteral("NOT QUALIFIED");
    const std::size_t findings = shown.report->findings.size();
    if (findings != 0)
        return QStringLiteral("NOT ENGAGED: %1 rule%2 broken").arg(findings).arg(findings == 1 ? "" : "s");
    return shown.isPair ? QStringLiteral("ENGAGED") : QStringLiteral("ONE SIDE");
}

Verdict verdictKind(const ShownEngagement& shown) {
    if (shown.qualification) return shown.qualification->qualified ? Verdict::Equal : Verdict::Different;
    if (!shown.report->findings.empty()) return Verdict::Different;
    return shown.isPair ? Verdict::Equal : Verdict::Partial;
}

QString agreementText(const EngagementReport& report) {
    const auto name = [](Agreement agreement) {
        return QString::fromUtf8(nameOf(agreement).data(), qsizetype(nameOf(agreement).size()));
    };
    return QStringLiteral("weights %1 (%2 compared)  ·  arithmetic %3")
        .arg(name(report.weights.state))
        .arg(report.weights.compared)
        .arg(name(report.arithmetic.state));
}

std::vector<TableStation> tableWay(const Receipt& receipt, const std::string& contract) {
    const auto reads = std::ranges::find(receipt.contracts, contract, &ContractReceipt::name);
    if (reads == receipt.contracts.end() || reads->table.empty()) return {};
    const auto table = std::ranges::find(receipt.tables, reads->table, &TableReceipt::id);
    if (table == receipt.tables.end()) return {{QStringLiteral("not described"), shownText(reads->table), true}};
    const QString digest =
        table->sha256.empty() ? QStringLiteral("no digest") : shownText(table->sha256.substr(0, 12)) + QStringLiteral("…");
    std::vector<TableStation> way{
        {QStringLiteral("%1 table, built on %2")
             .arg(shownText(table->type.empty() ? table->builder : table->type), shownText(table->device)),
         QStringLiteral("%1 × %2, %3").arg(table->length).arg(table->rotary).arg(digest), table->sha256.empty()}};
    const std::vector<TableStation> arrived = arrivals(*table);
    const auto harmless = [](const TableStation& station) { return !station.harmed; };
    std::vector<TableStation> casts;
    bool harmed = table->sha256.empty();
    for (const TableCast& cast : table->transport) {
        harmed = harmed || !isFp32(cast.to);
        casts.push_back({shownText(cast.by), QStringLiteral("%1 → %2").arg(shownText(cast.from), shownText(cast.to)), harmed});
    }
    // What arrived whole cannot have gone through a cast that harms, so it stands before the first of them.
    std::ranges::copy_if(casts, std::back_inserter(way), harmless);
    std::ranges::copy_if(arrived, std::back_inserter(way), harmless);
    std::ranges::copy_if(casts, std::back_inserter(way), &TableStation::harmed);
    std::ranges::copy_if(arrived, std::back_inserter(way), &TableStation::harmed);
    return way;
}

}  // namespace isobit::views
