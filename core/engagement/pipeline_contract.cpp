// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engagement/pipeline_contract.h"

#include <algorithm>

#include "core/base/object_reader.h"
#include "core/numeric/dtype.h"
#include "core/tensors/confinement.h"

namespace isobit {
namespace {

bool isType(std::string_view name, DType dtype) {
    const auto known = dtypeByName(name);
    return known && *known == dtype;
}

bool isInteger(std::string_view name) {
    const auto known = dtypeByName(name);
    return known && *known >= DType::I8 && *known <= DType::U64;
}

class PipelineRules {
public:
    explicit PipelineRules(const PipelineDescription& pipeline) : m_pipeline(pipeline) {}

    PipelineReport report() {
        stagePlan();
        modules();
        ranges();
        groups();
        for (const WireTensor& tensor : m_pipeline.wire) wire(tensor);
        if (m_pipeline.exact) metadata();
        if (m_pipeline.paddingTemperature != 1)
            add("padding.temperature", "padding",
                fmt::format("padding tokens have temperature {}, expected 1", m_pipeline.paddingTemperature));
        for (std::size_t i = 0; m_report.findings.empty() && m_pipeline.exact && i < m_pipeline.stages.size(); ++i)
            m_report.marked.push_back(i);
        return std::move(m_report);
    }

private:
    void add(std::string rule, std::string subject, std::string sentence) {
        m_report.findings.push_back({std::move(rule), "pipeline", std::move(subject), std::move(sentence)});
    }

    static std::string stageName(std::size_t stage) { return fmt::format("stage {}", stage); }

    // Contiguous, every layer once, ascending; a layer keeps its own global index.
    void stagePlan() {
        if (m_pipeline.stages.empty()) return add("plan.empty", "stages", "there is no stage");
        std::int64_t next = 0;
        for (std::size_t i = 0; i < m_pipeline.stages.size(); ++i) {
            const PipelineStage& stage = m_pipeline.stages[i];
            for (const std::int64_t layer : stage.layers) {
                if (layer != next)
                    return add("plan.order", stageName(i),
                               fmt::format("layer {} follows, expected {}: every layer once, in ascending order", layer,
                                           next));
                ++next;
            }
            if (!stage.indices.empty() && stage.indices != stage.layers)
                add("plan.index", stageName(i),
                    "the layers' own indices are not the global ones: layer 0 has a norm family of its own");
            if (stage.layers.empty() && i != 0 && i + 1 != m_pipeline.stages.size())
                add("plan.empty_middle", stageName(i), "owns no layer, which only the first and the last stage may");
        }
        if (next != m_pipeline.layers)
            add("plan.count", "stages", fmt::format("own {} layers, expected {}", next, m_pipeline.layers));
    }

    void modules() {
        for (std::size_t i = 0; i < m_pipeline.stages.size(); ++i) {
            const PipelineStage& stage = m_pipeline.stages[i];
            const bool last = i + 1 == m_pipeline.stages.size();
            if (stage.input != (i == 0))
                add("plan.input", stageName(i),
                    i == 0 ? "has no input modules" : "has input modules, which belong to stage 0");
            if (stage.norm != stage.head)
                add("plan.norm_and_head", stageName(i), "has the final norm or the head alone, expected both together");
            else if (stage.head != last)
                add("plan.head", stageName(i),
                    last ? "has neither final norm nor head"
                         : "has final norm and head, which belong to the last stage");
        }
    }

    // Declared legal ranges against the stages that own something.
    void ranges() {
        for (std::size_t i = 0; i < m_pipeline.stages.size(); ++i) {
            const PipelineStage& stage = m_pipeline.stages[i];
            if (stage.declared.empty() || stage.layers.empty()) continue;
            if (stage.declared != std::vector{stage.layers.front(), stage.layers.back()})
                add("plan.range", stageName(i),
                    fmt::format("declares layers {} to {} and owns {} to {}", stage.declared.front(),
                                stage.declared.back(), stage.layers.front(), stage.layers.back()));
        }
    }

    [[nodiscard]] std::optional<std::size_t> stageOf(std::int64_t layer) const {
        for (std::size_t i = 0; i < m_pipeline.stages.size(); ++i)
            if (std::ranges::find(m_pipeline.stages[i].layers, layer) != m_pipeline.stages[i].layers.end()) return i;
        return std::nullopt;
    }

    void groups() {
        for (const std::vector<std::int64_t>& group : m_pipeline.groups)
            for (const std::int64_t layer : group)
                if (stageOf(layer) != stageOf(group.front())) {
                    add("plan.group", fmt::format("group of layer {}", group.front()),
                        fmt::format("reaches into another stage with layer {}, expected one stage", layer));
                    break;
                }
    }

    void wire(const WireTensor& tensor) {
        if (tensor.declaredDimensions == 0) {
            if (!isType(tensor.dtype, DType::Bf16))
                add("wire.dtype", tensor.name, fmt::format("is {} on the wire, expected bfloat16", tensor.dtype));
            return;
        }
        const auto dimensions = static_cast<std::int64_t>(tensor.shape.size());
        if (dimensions != tensor.declaredDimensions || tensor.dtype != tensor.declaredDtype ||
            (!tensor.shape.empty() && tensor.shape.back() != tensor.declaredTrailing))
            add("wire.state", tensor.name,
                fmt::format("has {} dimensions of {} ending in {}, expected {} of {} ending in {}", dimensions,
                            tensor.dtype, tensor.shape.empty() ? 0 : tensor.shape.back(), tensor.declaredDimensions,
                            tensor.declaredDtype, tensor.declaredTrailing));
    }

    // Missing lengths would silently merge documents.
    void metadata() {
        if (!m_pipeline.metadata)
            return add("metadata.missing", "metadata", "a marked stage needs positions and lengths, found none");
        const StageMetadata& given = *m_pipeline.metadata;
        const std::int64_t total = given.localTokens * m_pipeline.sequenceParallel;
        if (!given.positions)
            add("metadata.missing", "positions", "are missing");
        else if (*given.positions != total)
            add("metadata.positions", "positions",
                fmt::format("are {}, expected {}: {} local tokens x {}", *given.positions, total, given.localTokens,
                            m_pipeline.sequenceParallel));
        if (given.positions && !isInteger(given.positionDtype))
            add("metadata.dtype", "positions", fmt::format("are {}, expected integers", given.positionDtype));
        lengths("q", given.q, total);
        lengths("k", given.k, total);
        if (given.q && given.k && (given.q->cumulative != given.k->cumulative || given.q->longest != given.k->longest))
            add("metadata.q_is_not_k", "lengths", "of q are not those of k");
    }

    void lengths(const std::string& side, const std::optional<SequenceLengths>& given, std::int64_t total) {
        if (!given) return add("metadata.missing", side, "cumulative lengths are missing");
        const std::vector<std::int64_t>& ends = given->cumulative;
        if (!isType(given->dtype, DType::I32))
            add("metadata.dtype", side, fmt::format("cumulative lengths are {}, expected int32", given->dtype));
        if (given->dimensions != 1 || ends.size() < 2)
            return add("metadata.shape", side,
                       fmt::format("cumulative lengths have {} dimensions and {} entries, expected 1 and at least 2",
                                   given->dimensions, ends.size()));
        if (ends.front() != 0 || ends.back() != total)
            add("metadata.ends", side,
                fmt::format("cumulative lengths run from {} to {}, expected 0 to {}", ends.front(), ends.back(),
                            total));
        std::int64_t longest = 0;
        for (std::size_t i = 1; i < ends.size(); ++i) {
            longest = std::max(longest, ends[i] - ends[i - 1]);
            if (ends[i] <= ends[i - 1])
                return add("metadata.increasing", side,
                           fmt::format("entry {} is {} after {}, expected more", i, ends[i], ends[i - 1]));
        }
        if (given->longest < longest)
            add("metadata.longest", side,
                fmt::format("longest length is {}, and one document has {}", given->longest, longest));
    }

    const PipelineDescription& m_pipeline;
    PipelineReport m_report;
};

// The place of the first null, "" where there is none. A null counts as an absent member elsewhere; here it would turn
// the rules of that member off.
std::string placeOfNull(const Json& value, const std::string& place) {
    if (value.is_null()) return place;
    std::string found;
    for (auto member = value.begin(); value.is_structured() && found.empty() && member != value.end(); ++member) {
        const std::string inside = value.is_array() ? fmt::format("{}[{}]", place, member - value.begin())
                                   : place.empty()  ? member.key()
                                                    : place + "." + member.key();
        found = placeOfNull(*member, inside);
    }
    return found;
}

PipelineStage readStage(ObjectReader& in) {
    PipelineStage stage;
    stage.layers = in.wholes("layers");
    stage.indices = in.wholes("indices");
    stage.input = in.truthOr("input", false);
    stage.norm = in.truthOr("norm", false);
    stage.head = in.truthOr("head", false);
    stage.declared = in.wholes("declared");
    if (!stage.declared.empty() && stage.declared.size() != 2) in.refuse("declared", "is not [first, last]");
    return stage;
}

SequenceLengths readLengths(ObjectReader& in) {
    SequenceLengths lengths;
    lengths.cumulative = in.wholes("cumulative");
    lengths.dtype = in.text("dtype");
    lengths.dimensions = in.wholeOr("dimensions", 1);
    lengths.longest = in.whole("longest");
    return lengths;
}

StageMetadata readMetadata(ObjectReader& in) {
    StageMetadata metadata;
    metadata.localTokens = in.whole("local_tokens", 0, std::int64_t(1) << 31);
    if (in.has("positions")) metadata.positions = in.whole("positions");
    metadata.positionDtype = in.text("position_dtype", "int64");
    in.object("q", [&](ObjectReader& one) { metadata.q = readLengths(one); });
    in.object("k", [&](ObjectReader& one) { metadata.k = readLengths(one); });
    return metadata;
}

WireTensor readWire(ObjectReader& in) {
    WireTensor tensor{in.text("name"), in.text("dtype"), in.wholes("shape")};
    in.object("declared", [&](ObjectReader& one) {
        tensor.declaredDimensions = one.whole("dimensions", 1, 16);
        tensor.declaredDtype = one.text("dtype");
        tensor.declaredTrailing = one.whole("trailing");
    });
    return tensor;
}

}  // namespace

Result<PipelineDescription> readPipeline(const Json& document, const std::string& name) {
    ObjectReader in(document, name);
    (void)in.choice("format", {"isobit.pipeline/1"});
    if (const std::string place = placeOfNull(document, ""); in.good() && !place.empty())
        return failure("{}: {} is null, expected a value or no such key", name, printable(place));
    PipelineDescription pipeline;
    pipeline.layers = in.whole("layers");
    pipeline.exact = in.truth("exact");
    pipeline.sequenceParallel = in.wholeOr("sequence_parallel", 1, 1, 1 << 20);
    in.each("stages", [&](ObjectReader& one) { pipeline.stages.push_back(readStage(one)); });
    in.each("groups", [&](ObjectReader& one) {
        pipeline.groups.push_back(one.wholes("layers"));
        if (pipeline.groups.back().empty()) one.refuse("layers", "is empty, expected the group's layers");
    });
    in.object("metadata", [&](ObjectReader& one) { pipeline.metadata = readMetadata(one); });
    in.each("wire", [&](ObjectReader& one) { pipeline.wire.push_back(readWire(one)); });
    pipeline.paddingTemperature = in.numberOr("padding_temperature", 1);
    if (const auto done = in.finish(); !done) return failureOf(done);
    return pipeline;
}

PipelineReport checkPipeline(const PipelineDescription& pipeline) { return PipelineRules(pipeline).report(); }

}  // namespace isobit
