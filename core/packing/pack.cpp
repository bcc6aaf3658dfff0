// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/packing/pack.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "core/base/object_reader.h"

namespace isobit {
namespace {

template <class List>
void clip(std::optional<List>& list, std::size_t from, std::size_t to) {
    if (list && list->size() == from) list->resize(to);
}

// Clips every list whose length is the raw one.
void truncate(Sample& sample, std::size_t to) {
    const std::size_t from = sample.ids.size();
    sample.ids.resize(to);
    clip(sample.labels, from, to);
    clip(sample.targets, from, to);
    clip(sample.positions, from, to);
    clip(sample.weights, from, to);
    clip(sample.advantages, from, to);
    for (auto* fields : {&sample.context, &sample.fields})
        for (auto& [name, values] : *fields)
            if (values.size() == from) values.resize(to);
    for (auto& [name, values] : sample.vectors)
        if (values.size() == from) values.resize(to);
}

class Packer {
public:
    explicit Packer(const PackRequest& request) : m_request(request) {}

    Result<PackedBatch> pack() {
        if (m_request.samples.empty()) return PackedBatch();
        if (auto measured = measure(); !measured) return failureOf(measured);
        const Bins bins = assign();
        if (const auto fits = checkSize(bins); !fits) return failureOf(fits);
        if (!bins.warning.empty()) m_batch.warnings.push_back(bins.warning);
        for (const std::vector<std::size_t>& bin : bins.bins)
            if (auto built = build(bin); !built) return failureOf(built);
        return std::move(m_batch);
    }

private:
    // Padding is made of a description's word alone: a short one must not ask for more than a machine has.
    [[nodiscard]] Result<void> checkSize(const Bins& bins) const {
        constexpr std::size_t most = std::size_t(1) << 23;
        std::size_t width = 1;  // numbers a token
        for (const Sample& sample : m_samples) {
            std::size_t own = 1;
            for (const auto& [name, values] : sample.vectors) own += values.empty() ? 0 : values.front().size();
            width = std::max(width, own);
        }
        const auto multiple = static_cast<std::size_t>(m_request.row.multiple);
        std::size_t tokens = 0;
        for (const std::vector<std::size_t>& bin : bins.bins) {
            std::size_t length = 0;
            for (const std::size_t index : bin) length += m_samples[index].ids.size();
            tokens += (length + multiple - 1) / multiple * multiple;
            if (tokens > most / width)
                return failure("the padded rows hold more than {} numbers, at {} a token and multiples of {}", most, width,
                               multiple);
        }
        return {};
    }

    Result<void> measure() {
        std::vector<std::string> reasons;
        const auto limit = static_cast<std::size_t>(m_request.limit);
        for (std::size_t i = 0; i < m_request.samples.size(); ++i) {
            Sample sample = m_request.samples[i];
            if (sample.ids.empty()) {
                reasons.push_back(sample.name + " has no ids");
                m_batch.warnings.push_back(sample.name + ": has no ids, dropped");
                continue;
            }
            if (sample.ids.size() > limit) {
                if (m_request.oversized == Oversized::Error)
                    return failure("{}: has {} tokens, expected at most {}", sample.name, sample.ids.size(), limit);
                if (m_request.oversized == Oversized::Skip) {
                    reasons.push_back(fmt::format("{} has {} tokens, more than {}", sample.name, sample.ids.size(), limit));
                    m_batch.warnings.push_back(fmt::format("{}: has {} tokens, more than {}, dropped", sample.name, sample.ids.size(), limit));
                    continue;
                }
                truncate(sample, limit);
            }
            m_samples.push_back(std::move(sample));
            m_original.push_back(i);
        }
        if (m_samples.empty()) return failure("no sample is left to pack: {}", fmt::join(reasons, "; "));
        return {};
    }

    [[nodiscard]] Bins assign() const {
        if (!m_request.packed) {
            Bins bins;
            for (std::size_t i = 0; i < m_samples.size(); ++i) bins.bins.push_back({i});
            return bins;
        }
        std::vector<std::int64_t> lengths;
        for (const Sample& sample : m_samples) lengths.push_back(static_cast<std::int64_t>(sample.ids.size()));
        return assignBins(lengths, m_request.limit, m_request.strategy, m_request.dataParallel);
    }

    Result<void> build(const std::vector<std::size_t>& bin) {
        std::vector<ShiftedSample> shifted;
        for (const std::size_t index : bin) {
            auto one = shiftSample(m_samples[index], m_request.packed);
            if (!one) return failureOf(one);
            if (!m_request.packed && !one->wasShifted && !one->sample.labels->empty())
                m_batch.warnings.push_back(one->sample.name + ": labels were shifted in unpacked mode");
            shifted.push_back(std::move(*one));
            m_batch.order.push_back(m_original[index]);
        }
        RowOptions options = m_request.row;
        options.keepPositions = !m_request.packed;
        m_batch.rows.push_back(buildRow(shifted, options, m_batch.warnings));
        return {};
    }

    const PackRequest& m_request;
    std::vector<Sample> m_samples;
    std::vector<std::size_t> m_original;
    PackedBatch m_batch;
};

}  // namespace

Result<PackedBatch> packSamples(const PackRequest& request) { return Packer(request).pack(); }

Result<PackRequest> readPackRequest(const Json& document, const std::string& name) {
    ObjectReader in(document, name);
    (void)in.choice("format", {"isobit.packing/1"});
    PackRequest request;
    request.limit = in.whole("limit", 1, 1 << 30);
    const auto strategy = binStrategyByName(in.choice("strategy", {"sequential", "best_fit", "balanced_dp"}, "sequential"));
    request.strategy = strategy.value_or(BinStrategy::Sequential);
    const std::string oversized = in.choice("oversized", {"error", "skip", "truncate"}, "error");
    request.oversized = oversized == "skip" ? Oversized::Skip : oversized == "truncate" ? Oversized::Truncate : Oversized::Error;
    request.dataParallel = in.wholeOr("data_parallel", 1, 1, 1 << 20);
    request.packed = in.truthOr("packed", true);
    request.row.multiple = in.wholeOr("multiple", 128, 1, 1 << 20);
    request.row.positionCycle = in.wholeOr("padding_position_cycle", 0, 0, 1 << 20);
    request.row.contextParallel = in.wholeOr("context_parallel", 1, 1, 1 << 20);
    const Json& samples = in.any("samples");
    if (in.good() && !samples.is_array()) in.refuse("samples", "is missing or no list of samples");
    if (const auto done = in.finish(); !done) return failureOf(done);
    for (std::size_t i = 0; i < samples.size(); ++i) {
        auto sample = readSample(samples[i], name, i);
        if (!sample) return failureOf(sample);
        request.samples.push_back(std::move(*sample));
    }
    return request;
}

Json toJson(const PackedBatch& batch, std::int64_t limit) {
    Json document{{"format", "isobit.packed/1"}, {"limit", limit}, {"rows", Json::array()}};
    for (std::size_t i = 0; i < batch.rows.size(); ++i) {
        Json row{{"batch_id", i}};
        row.update(toJson(batch.rows[i]));
        document["rows"].push_back(std::move(row));
    }
    document["order"] = batch.order;
    document["warnings"] = batch.warnings;
    return document;
}

UnpackedOutput unpackOutput(const Integers& positions, const Numbers& output, std::size_t samples) {
    Integers ends = documentStarts(positions);
    ends.push_back(static_cast<std::int64_t>(positions.size()));
    const std::size_t documents = ends.size() - 1;
    samples = std::min(samples, documents);
    const auto real = static_cast<std::size_t>(ends[samples]);  // tokens without the padding document
    const bool whole = output.size() == positions.size() || output.size() == real;
    const bool shorter = !whole && (output.size() + documents == positions.size() || output.size() + samples == real);
    UnpackedOutput result;
    if (!whole && !shorter)
        result.warning = fmt::format("{} values for {} tokens of {} samples: sliced as they are", output.size(), real, samples);
    for (std::size_t i = 0; i < samples; ++i) {
        const std::size_t cut = shorter ? i : 0;
        const std::size_t first = std::min(output.size(), static_cast<std::size_t>(ends[i]) - cut);
        const std::size_t last = std::min(output.size(), static_cast<std::size_t>(ends[i + 1]) - cut - (shorter ? 1 : 0));
        result.samples.emplace_back(output.begin() + static_cast<std::ptrdiff_t>(first), output.begin() + static_cast<std::ptrdiff_t>(std::max(first, last)));
    }
    return result;
}

}  // namespace isobit
