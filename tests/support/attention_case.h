// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "core/arithmetic/attention_evaluate.h"
#include "core/programs/input_generator.h"

namespace isobit::test {

inline const Silicon& sm90() { return **sm90Silicon(); }

struct AttentionResult {
    std::vector<std::uint16_t> out;
    std::vector<float> lse;
    friend bool operator==(const AttentionResult& a, const AttentionResult& b) {
        const auto words = [](float x) { return std::bit_cast<std::uint32_t>(x); };
        return a.out == b.out && a.lse.size() == b.lse.size() &&
               std::equal(a.lse.begin(), a.lse.end(), b.lse.begin(),
                          [&](float x, float y) { return words(x) == words(y); });
    }
};

// Packed requests of the given lengths, every token a query; scores of a few units, so that probabilities differ.
struct AttentionCase {
    std::vector<std::int64_t> lengths{37};
    std::int64_t headDim = 64;
    std::int64_t queryHeads = 4;
    std::int64_t kvHeads = 2;
    std::uint64_t seed = 1;
    bool causal = true;
    std::int64_t windowLeft = -1;
    int numSplits = 0;
    std::vector<std::uint16_t> q{}, k{}, v{};
    std::vector<AttentionRequest> requests{};

    void make() {
        std::int64_t tokens = 0;
        requests.clear();
        for (const std::int64_t length : lengths) {
            requests.push_back({tokens, length, tokens, length, 0});
            tokens += length;
        }
        const auto draw = [&](std::int64_t heads, std::uint64_t offset) {
            const Tensor words = *generateInput({.generator = "bf16",
                                                 .shape = {tokens, heads, headDim},
                                                 .seed = seed * 10 + offset,
                                                 .exponentLo = 120,
                                                 .exponentHi = 127});
            return std::vector(words.as<std::uint16_t>(), words.as<std::uint16_t>() + tokens * heads * headDim);
        };
        q = draw(queryHeads, 0);
        k = draw(kvHeads, 1);
        v = draw(kvHeads, 2);
    }

    [[nodiscard]] AttentionCall call(AttentionResult& result) const {
        result.out.assign(q.size(), 0xAAAA);
        result.lse.assign(result.out.size() / static_cast<std::size_t>(headDim), -7.0f);
        const std::int64_t row = kvHeads * headDim;
        return {.q = q.data(),
                .qTokenStride = queryHeads * headDim,
                .qHeadStride = headDim,
                .k = {k.data(), 0, row, headDim},
                .v = {v.data(), 0, row, headDim},
                .requests = requests,
                .queryHeads = queryHeads,
                .kvHeads = kvHeads,
                .headDim = headDim,
                .scale = 0.125f,
                .causal = causal,
                .windowLeft = windowLeft,
                .numSplits = numSplits,
                .out = result.out.data(),
                .lse = result.lse.data()};
    }

    [[nodiscard]] AttentionResult run(const AttentionArithmetic& arithmetic,
                                      const AttentionExecution& execution = {}) const {
        AttentionResult result;
        evaluateAttention(arithmetic, sm90(), call(result), execution);
        return result;
    }

    // The same words, `chunk` queries of each request at a time.
    [[nodiscard]] AttentionResult runInChunks(const AttentionArithmetic& arithmetic, std::int64_t chunk) const {
        AttentionResult result;
        AttentionCall whole = call(result);
        std::int64_t longest = 0;
        for (const std::int64_t length : lengths) longest = std::max(longest, length);
        for (std::int64_t done = 0; done < longest; done += chunk) {
            std::vector<AttentionRequest> parts;
            for (AttentionRequest part : requests) {
                const std::int64_t count = std::min(chunk, part.queries - done);
                if (count <= 0) continue;
                part.firstQuery += done;
                part.queries = count;
                part.keys = done + count;
                parts.push_back(part);
            }
            whole.requests = parts;
            evaluateAttention(arithmetic, sm90(), whole);
        }
        return result;
    }
};

inline AttentionArithmetic namedAttention(std::string_view name) { return findAttention(name)->arithmetic; }

}  // namespace isobit::test
