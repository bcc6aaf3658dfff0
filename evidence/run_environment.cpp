// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "evidence/run_environment.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

namespace isobit::evidence {
namespace {

using Provenance = std::map<std::string, std::string>;

// A value in the profile: printable ASCII, and never empty.
std::string plain(const std::string& text) {
    std::string result = text;
    std::replace_if(
        result.begin(), result.end(), [](char c) { return c < 0x20 || c > 0x7e; }, '?');
    return result.empty() ? "unknown" : result;
}

std::string valueOf(const Provenance& provenance, const std::string& name) {
    const auto found = provenance.find(name);
    return found == provenance.end() ? "unknown" : plain(found->second);
}

// The environment's names of what measured runs call otherwise.
constexpr std::pair<std::string_view, std::string_view> kOtherNames[] = {
    {"sm", "compute_capability"},
    {"driver", "cuda_driver"},
    {"sm_clock_khz", "sm_clock_khz_max"},
    {"mem_clock_khz", "memory_clock_khz_max"},
    {"samples", "replays"},
    {"timer", "method"},
};

void addOtherNames(Provenance& provenance) {
    for (const auto& [name, other] : kOtherNames)
        if (const auto found = provenance.find(std::string(other)); found != provenance.end())
            provenance.emplace(std::string(name), found->second);
}

std::string digestOf(const Provenance& provenance, const std::string& name) {
    const std::string value = valueOf(provenance, name);
    return rule::sha256OrNone.holds(value) ? value : "unknown";
}

std::uint64_t countOf(const Provenance& provenance, const std::string& name) {
    const std::string value = valueOf(provenance, name);
    return isDecimal64(value) ? std::stoull(value) : 0;
}

bool isMeasured(const PlanRecord& plan) { return plan.trainer.engine == "cuda" || plan.sampler.engine == "cuda"; }

// Every field but the engine's own, by its name in the provenance.
void fillEnvironment(const Provenance& provenance, Environment& environment) {
    visitFields(environment, [&](const char* name, auto& member, const TextRule& textRule = rule::anyText) {
        if constexpr (std::is_same_v<std::decay_t<decltype(member)>, std::string>) {
            if (std::string_view(name) == "engine" || std::string_view(name) == "silicon_table_sha256") return;
            member = valueOf(provenance, name);
            if (!textRule.holds(member)) member = "unknown";
        }
    });
}

// The words of a text, none if it is not known.
std::vector<std::string> flagsOf(const std::string& text) {
    std::istringstream stream(text == "unknown" ? std::string() : text);
    return {std::istream_iterator<std::string>(stream), {}};
}

std::vector<KernelBuild> kernelsOf(const Provenance& provenance, const PlanRecord& plan) {
    std::set<std::string> names;
    for (const auto& [name, value] : provenance)
        if (name.starts_with("kernel.") && name.rfind('.') > 7) names.insert(name.substr(7, name.rfind('.') - 7));
    std::vector<KernelBuild> kernels;
    for (const std::string& name : names) {
        const auto field = [&](const char* key) { return "kernel." + name + "." + key; };
        const std::string path = valueOf(provenance, field("source_path"));
        kernels.push_back({name, isSourcePath(path) ? path : "kernels", digestOf(provenance, field("cubin_sha256")),
                           digestOf(provenance, field("ptx_sha256")), valueOf(provenance, field("compiler")),
                           flagsOf(valueOf(provenance, field("flags")))});
    }
    if (!kernels.empty()) return kernels;
    std::set<std::string> programs;
    for (const ProgramRecord& program : {plan.trainer, plan.sampler})
        if (program.engine == "cuda") programs.insert(program.name);
    for (const std::string& program : programs)
        kernels.push_back({program, "kernels", "unknown", "unknown", valueOf(provenance, "compiler"), {}});
    return kernels;
}

void describeMeasured(const Provenance& provenance, ResultPredicate& predicate) {
    predicate.environment.engine = "measured";
    fillEnvironment(provenance, predicate.environment);
    predicate.kernels = kernelsOf(provenance, predicate.plan);
    predicate.nonClaims.push_back(
        "not attested: that the device ran; a signature says who vouches, and a reviewer can "
        "compute the words again");
    predicate.nonClaims.push_back("not comparable: times of another GPU model, driver, clock or cache state");
    if (predicate.environment.migUuid != "none" && predicate.environment.migUuid != "unknown")
        predicate.nonClaims.push_back("not covered: the whole card; a MIG instance ran");
}

void describeModelled(ResultPredicate& predicate) {
    predicate.environment.engine = "modelled";
    if (!predicate.plan.siliconSha256.empty()) predicate.environment.siliconTableSha256 = predicate.plan.siliconSha256;
    predicate.nonClaims.push_back(
        fmt::format("not measured: no GPU ran; the words are those of the {} model on a CPU", predicate.plan.silicon));
    predicate.nonClaims.push_back("not measured: speed on a GPU");
}

}  // namespace

void describeEnvironment(const std::vector<NamedValue>& values, UtcSeconds now, ResultPredicate& predicate) {
    Provenance provenance;
    for (const NamedValue& value : values) provenance.emplace(value.name, value.value);
    addOtherNames(provenance);
    isMeasured(predicate.plan) ? describeMeasured(provenance, predicate) : describeModelled(predicate);
    predicate.nonClaims.push_back("not covered: shapes outside the grid, inputs other than the generated ones");

    const bool timed = std::any_of(predicate.cells.begin(), predicate.cells.end(),
                                   [](const CellRecord& cell) { return cell.samples > 0; });
    if (!timed) predicate.nonClaims.push_back("not measured: time");
    predicate.protocol = {countOf(provenance, "warm_ups"),
                          countOf(provenance, "samples"),
                          timed ? valueOf(provenance, "timer") : "none",
                          "equality of every stored word",
                          "a NaN word equals only the same word",
                          "none"};
    const bool ruled = provenance.contains("dispatch_rule");
    predicate.dispatch = {ruled ? valueOf(provenance, "dispatch_rule") : "none",
                          ruled ? digestOf(provenance, "dispatch_record_sha256") : "none"};
    const auto time = [&](const char* name) {
        const std::string value = valueOf(provenance, name);
        return isUtcText(value) ? value : utcText(now);
    };
    predicate.claimedStartedUtc = time("started_utc");
    predicate.claimedFinishedUtc = time("finished_utc");
}

std::string environmentText(const std::vector<NamedValue>& provenance) {
    std::string text;
    for (const NamedValue& value : provenance) text += plain(value.name) + " = " + plain(value.value) + "\n";
    return text;
}

}  // namespace isobit::evidence
