// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/contracts/rope_transport.h"

#include <algorithm>
#include <bit>
#include <map>
#include <memory>

#include "core/base/sha256.h"
#include "core/numeric/word.h"

namespace isobit {
namespace {

float roundedTo(DType dtype, float value) {
    if (dtype == DType::Bf16) return bf16Value(bf16Bits(value));
    return dtype == DType::Fp16 ? widen(narrow<Fp16Format>(value)) : value;
}

std::string digestOf(DType dtype, const std::vector<float>& values) {
    if (dtype == DType::Fp32) return sha256Hex(std::as_bytes(std::span(values)));
    std::vector<std::uint16_t> words(values.size());
    std::ranges::transform(values, words.begin(), [&](float value) {
        return dtype == DType::Bf16 ? bf16Bits(value) : narrow<Fp16Format>(value).bits;
    });
    return sha256Hex(std::as_bytes(std::span(words)));
}

/// The table at one place of the tree. Many layers see the same words, so that states are shared.
struct Travelling {
    DType dtype = DType::Fp32;
    std::vector<float> values;
    std::string sha256;
    std::uint64_t wordsChanged = 0;
    std::map<DType, std::shared_ptr<Travelling>> casts;
};

class Journey {
public:
    Journey(TransportReport& report, std::vector<float> built) : m_report(report), m_built(std::move(built)) {}

    void begin(std::vector<float> values, std::vector<RopeTableCast> casts, const WrappedModule& root) {
        auto start = std::make_shared<Travelling>();
        start->values = std::move(values);
        finishState(*start);
        enter(root, start, std::move(casts));
    }

private:
    void finishState(Travelling& state) const {
        state.sha256 = digestOf(state.dtype, state.values);
        for (std::size_t i = 0; i < m_built.size(); ++i)
            if (std::bit_cast<std::uint32_t>(state.values[i]) != std::bit_cast<std::uint32_t>(m_built[i]))
                ++state.wordsChanged;
    }

    std::shared_ptr<Travelling> castTo(const std::shared_ptr<Travelling>& from, DType dtype) const {
        std::shared_ptr<Travelling>& to = from->casts[dtype];
        if (to != nullptr) return to;
        to = std::make_shared<Travelling>();
        to->dtype = dtype;
        to->values = from->values;
        for (float& value : to->values) value = roundedTo(dtype, value);
        finishState(*to);
        return to;
    }

    // The table as the module's own forward call sees it.
    void enter(const WrappedModule& module, std::shared_ptr<Travelling> table, std::vector<RopeTableCast> casts) {
        if (module.appliesRope) arrive(module, *table, casts);
        for (const WrappedModule& child : module.modules) descend(child, table, casts);
    }

    void descend(const WrappedModule& child, std::shared_ptr<Travelling> table, std::vector<RopeTableCast> casts) {
        const bool exempt = child.exemptForClassB && m_report.selectors.classB;
        if (child.parameters && child.castsForwardInputs && exempt) m_report.exempt.push_back(child.path);
        if (child.parameters && child.castsForwardInputs && !exempt && *child.parameters != table->dtype) {
            casts.push_back({child.path, "cos, sin", table->dtype, *child.parameters});
            table = castTo(table, *child.parameters);
        }
        enter(child, std::move(table), std::move(casts));
    }

    void arrive(const WrappedModule& module, const Travelling& table, const std::vector<RopeTableCast>& casts) {
        RopeTableArrival arrival{.path = module.path,
                                 .layer = static_cast<std::int64_t>(m_report.arrivals.size()),
                                 .table = {table.dtype, table.dtype, table.sha256, m_report.built},
                                 .wordsChanged = table.wordsChanged,
                                 .problem = {}};
        arrival.table.provenance.transport = casts;
        if (m_report.selectors.classB)
            if (const auto certified = checkClassBTable(arrival.table); !certified)
                arrival.problem = certified.error().message;
        m_report.arrivals.push_back(std::move(arrival));
    }

    TransportReport& m_report;
    std::vector<float> m_built;
};

// A model-wide cast also takes a registered buffer of frequencies down; the table is then made of rounded ones.
std::vector<float> tableOfRoundedFrequencies(RopeTable table, DType dtype) {
    for (float& frequency : table.inverse) frequency = roundedTo(dtype, frequency);
    const std::int64_t half = table.half();
    for (std::int64_t row = 0; row < table.recipe.length; ++row)
        fillRopeRow(table.recipe.builder, table.inverse, table.scale, static_cast<float>(row),
                    table.cosine.data() + row * half, table.sine.data() + row * half);
    return table.stored();
}

Json documentOf(const RopeTableArrival& arrival) {
    return {{"layer", arrival.layer},
            {"path", arrival.path},
            {"dtype", nameOf(arrival.table.cosine)},
            {"words_changed", arrival.wordsChanged},
            {"sha256", arrival.table.sha256},
            {"culprit", TransportReport::culpritOf(arrival)},
            {"problem", arrival.problem},
            {"transport", toJson(arrival.table.provenance)["transport"]}};
}

}  // namespace

bool TransportReport::holds() const { return refusal.empty() && firstProblem() == nullptr; }

const RopeTableArrival* TransportReport::firstProblem() const {
    const auto found = std::ranges::find_if(arrivals, [](const RopeTableArrival& a) { return !a.problem.empty(); });
    return found == arrivals.end() ? nullptr : &*found;
}

std::string TransportReport::culpritOf(const RopeTableArrival& arrival) {
    for (const RopeTableCast& cast : arrival.table.provenance.transport)
        if (cast.to != DType::Fp32) return cast.by;
    return "";
}

Result<TransportReport> simulateTransport(const TransportDescription& description) {
    TransportReport report;
    const auto selectors = selectorsOf(description.build);
    if (!selectors) {
        report.refusal = selectors.error().message;
        return report;
    }
    report.selectors = *selectors;
    const auto table = buildRopeTable(description.table);
    if (!table) return failureOf(table);
    report.built = provenanceOf(*table);
    std::vector<float> built = table->stored();
    report.words = built.size();
    std::vector<float> sent = built;
    std::vector<RopeTableCast> casts;
    if (description.modelCast && *description.modelCast != DType::Fp32 && !description.frequenciesAreImmune) {
        casts.push_back({fmt::format("model.to({})", nameOf(*description.modelCast)), "inv_freq", DType::Fp32,
                         *description.modelCast});
        sent = tableOfRoundedFrequencies(*table, *description.modelCast);
    }
    Journey(report, std::move(built)).begin(std::move(sent), std::move(casts), description.root);
    return report;
}

Json toJson(const TransportReport& report) {
    const RopeTableArrival* const first = report.firstProblem();
    Json document{{"holds", report.holds()},
                  {"native", report.selectors.native},
                  {"class_b", report.selectors.classB},
                  {"refusal", report.refusal},
                  {"first", first == nullptr ? Json() : documentOf(*first)},
                  {"exempt", report.exempt},
                  {"words", report.words},
                  {"table", report.refusal.empty() ? toJson(report.built) : Json()},
                  {"arrivals", Json::array()}};
    for (const RopeTableArrival& arrival : report.arrivals) document["arrivals"].push_back(documentOf(arrival));
    return document;
}

}  // namespace isobit
