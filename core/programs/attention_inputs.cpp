// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/programs/attention_inputs.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/programs/call_inputs.h"

namespace isobit {
namespace {

using Integers = std::vector<std::int64_t>;

Result<Integers> readIntegers(const OperationCall& call, std::string_view name) {
    const auto found = call.inputs.find(std::string(name));
    if (found == call.inputs.end()) return failure("attention: input \"{}\" is missing", name);
    const TensorView& view = found->second;
    if ((view.dtype != DType::I32 && view.dtype != DType::I64) || !view.isContiguous())
        return failure("attention: input \"{}\" is {}, expected contiguous int32 or int64", name, nameOf(view.dtype));
    Integers values(static_cast<std::size_t>(view.elements()));
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = view.dtype == DType::I32 ? view.as<std::int32_t>()[i] : view.as<std::int64_t>()[i];
    return values;
}

// Cumulative lengths: from 0, never falling, to the number of rows, and small enough for the int32 that a kernel takes.
Result<Integers> readCumulative(const OperationCall& call, std::string_view name, std::int64_t rows) {
    auto values = readIntegers(call, name);
    if (!values) return values;
    if (values->empty() || values->front() != 0 || values->back() != rows)
        return failure("attention: \"{}\" must run from 0 to {}, the number of tokens", name, rows);
    for (std::size_t i = 1; i < values->size(); ++i)
        if ((*values)[i] < (*values)[i - 1]) return failure("attention: \"{}\" falls at entry {}", name, i);
    if (rows > std::numeric_limits<std::int32_t>::max())
        return failure("attention: \"{}\" reaches {}, more than int32 holds", name, rows);
    return values;
}

double parameterOr(const OperationCall& call, const char* name, double otherwise) {
    const auto found = call.parameters.find(name);
    return found == call.parameters.end() ? otherwise : found->second;
}

Result<std::int64_t> integerOr(const OperationCall& call, const char* name, std::int64_t otherwise, std::int64_t least) {
    const double value = parameterOr(call, name, static_cast<double>(otherwise));
    if (value != std::floor(value) || value < static_cast<double>(least) || value > 2147483647.0)
        return failure("attention: parameter \"{}\" is {}, expected a whole number from {}", name, value, least);
    return static_cast<std::int64_t>(value);
}

Result<void> readParameters(const OperationCall& call, AttentionInputs& inputs) {
    inputs.scale =
        static_cast<float>(parameterOr(call, "scale", 1.0 / std::sqrt(static_cast<double>(inputs.headDim))));
    if (!(inputs.scale > 0.0f) || !std::isfinite(inputs.scale))
        return failure("attention: scale {} is not above zero and finite", inputs.scale);
    if (parameterOr(call, "softcap", 0.0) != 0.0)
        return failure("attention: softcap {} is not supported, expected 0", parameterOr(call, "softcap", 0.0));
    inputs.causal = parameterOr(call, "causal", 1.0) != 0.0;
    struct Field {
        const char* name;
        std::int64_t* value;
        std::int64_t least;
    };
    std::int64_t splits = 0;
    for (const Field& field : {Field{"window_left", &inputs.windowLeft, -1}, Field{"window_right", &inputs.windowRight, -1},
                               Field{"num_splits", &splits, 0}, Field{"chunk", &inputs.chunk, 1},
                               Field{"page_size", &inputs.pageSize, 1}}) {
        const auto value = integerOr(call, field.name, *field.value, field.least);
        if (!value) return failureOf(value);
        *field.value = *value;
    }
    if (splits > 128) return failure("attention: num_splits {} is above 128", splits);
    inputs.numSplits = static_cast<int>(splits);
    return {};
}

Result<void> readBatched(AttentionInputs& inputs) {
    const TensorView& q = inputs.q;
    if (inputs.k.shape[0] != q.shape[0])
        return failure("attention: \"q\" has {} requests and \"k\" {}", q.shape[0], inputs.k.shape[0]);
    const std::int64_t tokens = inputs.k.shape[1];
    for (std::int64_t b = 0; b < q.shape[0]; ++b)
        inputs.requests.push_back({b * q.shape[1], q.shape[1], b * tokens, tokens, b});
    return {};
}

Result<void> readPacked(const OperationCall& call, AttentionInputs& inputs) {
    const auto queries = readCumulative(call, "cu_seqlens_q", inputs.q.shape[0]);
    if (!queries) return failureOf(queries);
    const char* const name = call.inputs.contains("cu_seqlens_k") ? "cu_seqlens_k" : "cu_seqlens_q";
    const auto keys = readCumulative(call, name, inputs.k.shape[0]);
    if (!keys) return failureOf(keys);
    if (queries->size() != keys->size())
        return failure("attention: {} requests of queries and {} of keys", queries->size() - 1, keys->size() - 1);
    for (std::size_t b = 0; b + 1 < queries->size(); ++b)
        inputs.requests.push_back({(*queries)[b], (*queries)[b + 1] - (*queries)[b], (*keys)[b],
                                   (*keys)[b + 1] - (*keys)[b], static_cast<std::int64_t>(b)});
    return {};
}

Result<void> readPages(const OperationCall& call, AttentionInputs& inputs) {
    const auto queries = readCumulative(call, "cu_seqlens_q", inputs.q.shape[0]);
    if (!queries) return failureOf(queries);
    const auto lengths = readIntegers(call, "kv_lens");
    if (!lengths) return failureOf(lengths);
    const auto table = requireStrided(call, "page_table", call.inputs.at("page_table").dtype, 2);
    if (!table) return failureOf(table);
    const auto pages = readIntegers(call, "page_table");
    if (!pages) return failureOf(pages);
    inputs.pageSize = inputs.k.shape[1];
    inputs.tableStride = table->shape[1];
    if (lengths->size() + 1 != queries->size() || table->shape[0] + 1 != std::ssize(*queries))
        return failure("attention: {} requests of queries, {} lengths, {} rows of the page table", queries->size() - 1,
                       lengths->size(), table->shape[0]);
    for (std::size_t b = 0; b < lengths->size(); ++b) {
        const std::int64_t length = (*lengths)[b];
        const std::int64_t needed = (length + inputs.pageSize - 1) / inputs.pageSize;
        if (length < 0 || needed > inputs.tableStride)
            return failure("attention: request {} has {} keys, its pages hold {}", b, length,
                           inputs.tableStride * inputs.pageSize);
        for (std::int64_t i = 0; i < needed; ++i) {
            const std::int64_t page = (*pages)[b * static_cast<std::size_t>(inputs.tableStride) + static_cast<std::size_t>(i)];
            if (page < 0 || page >= inputs.k.shape[0])
                return failure("attention: page {} of request {} is {}, there are {}", i, b, page, inputs.k.shape[0]);
        }
        inputs.requests.push_back({(*queries)[b], (*queries)[b + 1] - (*queries)[b], 0, length,
                                   static_cast<std::int64_t>(b)});
    }
    inputs.pageTable.assign(pages->begin(), pages->end());
    return {};
}

Result<void> checkShapes(const AttentionInputs& inputs) {
    const TensorView& k = inputs.k;
    const TensorView& v = inputs.v;
    if (k.shape != v.shape)
        return failure("attention: \"k\" {} and \"v\" {} differ in shape", textOf(k.shape), textOf(v.shape));
    if (k.shape.back() != inputs.headDim)
        return failure("attention: head size {} of \"q\" and {} of \"k\"", inputs.headDim, k.shape.back());
    if (inputs.headDim != 64 && inputs.headDim != 128 && inputs.headDim != 256)
        return failure("attention: head size {}, expected 64, 128 or 256", inputs.headDim);
    if (inputs.kvHeads < 1 || inputs.queryHeads % inputs.kvHeads != 0)
        return failure("attention: {} query heads are no multiple of {} kv heads", inputs.queryHeads, inputs.kvHeads);
    return {};
}

Result<void> checkRequests(const AttentionInputs& inputs) {
    for (std::size_t b = 0; b < inputs.requests.size(); ++b) {
        const AttentionRequest& request = inputs.requests[b];
        if (inputs.causal && request.keys != 0 && request.queries > request.keys)
            return failure("attention: request {} has {} queries and {} keys: queries are the last of the keys", b,
                           request.queries, request.keys);
    }
    return {};
}

bool isFinite(std::uint16_t word) { return (word & 0x7F80u) != 0x7F80u; }

// Every value that a request can read.
Result<void> checkValues(const AttentionInputs& inputs) {
    const AttentionCall call = callOf(inputs);
    for (std::size_t b = 0; b < inputs.requests.size(); ++b)
        for (std::int64_t t = 0; t < inputs.requests[b].keys; ++t)
            for (std::int64_t head = 0; head < inputs.kvHeads; ++head) {
                const std::uint16_t* const words = wordsOf(call, call.v, inputs.requests[b], head, t);
                for (std::int64_t n = 0; n < inputs.headDim; ++n)
                    if (!isFinite(words[n]))
                        return failure("attention: value {} of token {} of request {}, head {}, is not finite", n, t, b,
                                       head);
            }
    return {};
}

}  // namespace

std::string_view suffixOf(AttentionRoute route) {
    if (route == AttentionRoute::OnePiece) return "";
    return route == AttentionRoute::Chunked ? ".chunked" : ".paged";
}

Result<AttentionInputs> requireAttentionInputs(const OperationCall& call) {
    const bool paged = call.inputs.contains("page_table");
    const auto found = call.inputs.find("q");
    const std::size_t rank = found != call.inputs.end() && found->second.shape.size() == 4 && !paged ? 4 : 3;
    AttentionInputs inputs;
    struct Operand {
        const char* name;
        TensorView* view;
        std::size_t rank;
    };
    const std::size_t kvRank = paged ? 4 : rank;
    for (const Operand& operand :
         {Operand{"q", &inputs.q, rank}, Operand{"k", &inputs.k, kvRank}, Operand{"v", &inputs.v, kvRank}}) {
        const auto view = requireInput(call, operand.name, DType::Bf16, operand.rank);
        if (!view) return failureOf(view);
        *operand.view = *view;
        // Two token dimensions are read as one.
        if (!paged && operand.rank == 4 && view->shape[0] > 1 && view->strides[0] != view->shape[1] * view->strides[1])
            return failure("attention: the requests of \"{}\" do not follow each other", operand.name);
    }
    inputs.queryHeads = inputs.q.shape[rank - 2];
    inputs.headDim = inputs.q.shape[rank - 1];
    inputs.kvHeads = inputs.k.shape[kvRank - 2];
    if (auto fits = checkShapes(inputs); !fits) return failureOf(fits);
    if (auto read = readParameters(call, inputs); !read) return failureOf(read);
    auto read = paged ? readPages(call, inputs) : rank == 4 ? readBatched(inputs) : readPacked(call, inputs);
    if (!read) return failureOf(read);
    if (auto valid = checkRequests(inputs); !valid) return failureOf(valid);
    if (auto valid = checkValues(inputs); !valid) return failureOf(valid);
    return inputs;
}

std::vector<NamedTensor> attentionOutputs(const AttentionInputs& inputs) {
    std::vector<NamedTensor> outputs;
    Shape rows = inputs.q.shape;
    outputs.push_back({"out", Tensor(DType::Bf16, rows)});
    rows.pop_back();
    outputs.push_back({"lse", Tensor(DType::Fp32, rows)});
    return outputs;
}

Result<std::vector<std::vector<AttentionRequest>>> launchesOf(const AttentionInputs& inputs, AttentionRoute route) {
    std::vector<std::vector<AttentionRequest>> launches;
    if (route != AttentionRoute::Chunked) return std::vector<std::vector<AttentionRequest>>{inputs.requests};
    if (!inputs.causal || inputs.windowRight > 0)
        return failure("attention: only causal queries can go in chunks: others see keys that are not there yet");
    std::int64_t longest = 0;
    for (const AttentionRequest& request : inputs.requests) longest = std::max(longest, request.queries);
    for (std::int64_t done = 0; done < longest; done += inputs.chunk) {
        auto& launch = launches.emplace_back();
        for (const AttentionRequest& request : inputs.requests) {
            const std::int64_t count = std::min(inputs.chunk, request.queries - done);
            if (count <= 0) continue;
            AttentionRequest part = request;
            part.firstQuery += done;
            part.queries = count;
            if (request.keys != 0) part.keys = request.keys - request.queries + done + count;
            launch.push_back(part);
        }
    }
    return launches;
}

PagedKv pagedKvOf(const AttentionInputs& inputs) {
    const std::int64_t size = inputs.pageSize;
    const auto pagesOf = [&](const AttentionRequest& request) { return (request.keys + size - 1) / size; };
    PagedKv paged;
    std::int64_t pages = 0;
    for (const AttentionRequest& request : inputs.requests) {
        pages += pagesOf(request);
        paged.tableStride = std::max(paged.tableStride, pagesOf(request));
    }
    const Shape shape{std::max<std::int64_t>(pages, 1), size, inputs.kvHeads, inputs.headDim};
    paged.k = Tensor(DType::Bf16, shape);
    paged.v = Tensor(DType::Bf16, shape);
    paged.table.assign(inputs.requests.size() * static_cast<std::size_t>(paged.tableStride), 0);
    const AttentionCall call = callOf(inputs);
    // Pages are handed out from the last one down, request by request in turn: neighbours in a request are apart.
    std::int64_t next = pages;
    for (std::int64_t i = 0; i < paged.tableStride; ++i)
        for (std::size_t b = 0; b < inputs.requests.size(); ++b) {
            const AttentionRequest& request = inputs.requests[b];
            if (i >= pagesOf(request)) continue;
            paged.table[b * static_cast<std::size_t>(paged.tableStride) + static_cast<std::size_t>(i)] =
                static_cast<std::int32_t>(--next);
            for (std::int64_t t = i * size; t < std::min((i + 1) * size, request.keys); ++t)
                for (std::int64_t head = 0; head < inputs.kvHeads; ++head) {
                    const std::int64_t at = ((next * size + t % size) * inputs.kvHeads + head) * inputs.headDim;
                    std::copy_n(wordsOf(call, call.k, request, head, t), inputs.headDim, paged.k.as<std::uint16_t>() + at);
                    std::copy_n(wordsOf(call, call.v, request, head, t), inputs.headDim, paged.v.as<std::uint16_t>() + at);
                }
        }
    return paged;
}

AttentionInputs onPages(const AttentionInputs& inputs, const PagedKv& paged) {
    AttentionInputs moved = inputs;
    moved.k = paged.k.view();
    moved.v = paged.v.view();
    moved.pageTable = paged.table;
    moved.tableStride = paged.tableStride;
    for (std::size_t b = 0; b < moved.requests.size(); ++b)
        moved.requests[b].tableRow = static_cast<std::int64_t>(b);
    return moved;
}

AttentionCall callOf(const AttentionInputs& inputs) {
    const std::size_t rank = inputs.q.shape.size();
    const bool paged = !inputs.pageTable.empty();
    const auto layout = [&](const TensorView& view) {
        const std::size_t last = view.strides.size();
        return KvLayout{view.as<std::uint16_t>(), paged ? view.strides[0] : 0, view.strides[last - 3],
                        view.strides[last - 2]};
    };
    AttentionCall call;
    call.q = inputs.q.as<std::uint16_t>();
    call.qTokenStride = inputs.q.strides[rank - 3];
    call.qHeadStride = inputs.q.strides[rank - 2];
    call.k = layout(inputs.k);
    call.v = layout(inputs.v);
    call.pageTable = paged ? inputs.pageTable.data() : nullptr;
    call.tableStride = inputs.tableStride;
    call.pageSize = inputs.pageSize;
    call.queryHeads = inputs.queryHeads;
    call.kvHeads = inputs.kvHeads;
    call.headDim = inputs.headDim;
    call.scale = inputs.scale;
    call.causal = inputs.causal;
    call.windowLeft = inputs.windowLeft;
    call.windowRight = inputs.windowRight;
    call.numSplits = inputs.numSplits;
    return call;
}

}  // namespace isobit
