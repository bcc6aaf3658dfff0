// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/golden/attention_invariance.h"

#include <algorithm>
#include <cstring>

#include "core/programs/input_generator.h"

namespace isobit {
namespace {

constexpr std::int64_t kChunks[] = {1, 2, 3, 7, 16, 63, 64, 65, 128, 200, 511, 512};
constexpr std::int64_t kPageSizes[] = {1, 16, 64, 100};
constexpr std::int64_t kWarmQueries = 10;
constexpr std::int64_t kSharedPage = 16;

// Words of q, k and v for `tokens` tokens, of which some are the request's.
struct Drawn {
    Tensor q, k, v;
};

class Measurement {
public:
    Measurement(const ProgramList& programs, const Program& program, const NamedAttention& named,
                const InvarianceOptions& options)
        : m_programs(programs),
          m_program(program),
          m_dependence(dependenceOf(named.arithmetic)),
          m_options(options),
          m_before(options.length / 3 + 1),
          m_after(options.length + options.length / 2 + 8),
          m_words(draw(m_before + options.length + m_after)) {}

    ProgramInvariance run() {
        m_result.program = m_program.name();
        m_result.dependence = m_dependence;
        const auto alone = m_program.run(packed(m_before, {m_options.length}), runOptions());
        if (!alone) {
            m_result.variants.push_back({"alone", true, 0, 0, alone.error().message});
            return std::move(m_result);
        }
        m_alone = &*alone;
        inCompany();
        for (const std::int64_t chunk : kChunks) inChunks(chunk);
        for (const std::int64_t size : kPageSizes) onPages(size);
        warm();
        decodeInCompany();
        return std::move(m_result);
    }

private:
    [[nodiscard]] RunOptions runOptions() const { return {m_options.threads, m_options.stop}; }

    [[nodiscard]] Drawn draw(std::int64_t tokens) const {
        const auto one = [&](std::int64_t heads, std::uint64_t offset) {
            return *generateInput({.generator = "bf16",
                                   .shape = {tokens, heads, m_options.headDim},
                                   .seed = m_options.seed * 10 + offset,
                                   .exponentLo = 119,
                                   .exponentHi = 127});
        };
        return {one(m_options.queryHeads, 0), one(m_options.kvHeads, 1), one(m_options.kvHeads, 2)};
    }

    [[nodiscard]] static TensorView rowsFrom(const Tensor& tensor, std::int64_t first, std::int64_t count) {
        TensorView view = tensor.view();
        view.data += first * view.strides[0] * 2;
        view.shape[0] = count;
        return view;
    }

    TensorView integers(const std::vector<std::int64_t>& values, Shape shape) {
        Tensor tensor(DType::I64, std::move(shape));
        std::copy(values.begin(), values.end(), tensor.as<std::int64_t>());
        return m_integers.emplace_back(std::move(tensor)).view();
    }

    // Requests of these lengths from token `first` on, every token a query.
    OperationCall packed(std::int64_t first, const std::vector<std::int64_t>& lengths) {
        std::vector<std::int64_t> cumulative{0};
        for (const std::int64_t length : lengths) cumulative.push_back(cumulative.back() + length);
        const std::int64_t tokens = cumulative.back();
        return {"attention",
                {{"q", rowsFrom(m_words.q, first, tokens)},
                 {"k", rowsFrom(m_words.k, first, tokens)},
                 {"v", rowsFrom(m_words.v, first, tokens)},
                 {"cu_seqlens_q", integers(cumulative, {std::ssize(cumulative)})}},
                {}};
    }

    // Rows [first, first + count) of the outputs against the last `count` rows of the request alone.
    void compare(std::string name, bool promised, const Result<std::vector<NamedTensor>>& outputs, std::int64_t first,
                 std::int64_t count) {
        InvarianceVariant variant{std::move(name), promised, 0, 0, {}};
        if (!outputs) {
            variant.problem = outputs.error().message;
            m_result.variants.push_back(std::move(variant));
            return;
        }
        for (std::size_t i = 0; i < outputs->size(); ++i) {
            const Tensor& alone = (*m_alone)[i].tensor;
            const Tensor& other = (*outputs)[i].tensor;
            const std::size_t word = bytesOf(alone.dtype());
            const std::size_t row = alone.bytes().size() / static_cast<std::size_t>(m_options.length);
            const std::byte* const a = alone.bytes().data() + static_cast<std::size_t>(m_options.length - count) * row;
            const std::byte* const b = other.bytes().data() + static_cast<std::size_t>(first) * row;
            for (std::size_t at = 0; at < static_cast<std::size_t>(count) * row; at += word)
                variant.differing += std::memcmp(a + at, b + at, word) != 0 ? 1 : 0;
            variant.words += static_cast<std::size_t>(count) * row / word;
        }
        m_result.variants.push_back(std::move(variant));
    }

    [[nodiscard]] bool dependsOnLaunch() const { return m_dependence == AttentionDependence::WholeLaunch; }
    [[nodiscard]] bool dependsOnNothing() const { return m_dependence == AttentionDependence::Nothing; }

    void inCompany() {
        const std::vector<std::int64_t> lengths{m_before, m_options.length, m_after};
        compare("in company of two", !dependsOnLaunch(), m_program.run(packed(0, lengths), runOptions()), m_before,
                m_options.length);
        compare("with a neighbour cut short", !dependsOnLaunch(),
                m_program.run(packed(0, {m_before, m_options.length, m_after / 5}), runOptions()), m_before,
                m_options.length);
    }

    void inChunks(std::int64_t chunk) {
        const Program* const program = findProgram(m_programs, std::string(m_program.name()) + ".chunked");
        if (program == nullptr) return;
        OperationCall call = packed(m_before, {m_options.length});
        call.parameters["chunk"] = static_cast<double>(chunk);
        compare(chunk == 1 ? "token by token" : fmt::format("in chunks of {}", chunk), dependsOnNothing(),
                program->run(call, runOptions()), 0, m_options.length);
    }

    void onPages(std::int64_t size) {
        const Program* const program = findProgram(m_programs, std::string(m_program.name()) + ".paged");
        if (program == nullptr) return;
        OperationCall call = packed(m_before, {m_options.length});
        call.parameters["page_size"] = static_cast<double>(size);
        compare(fmt::format("on pages of {}", size), true, program->run(call, runOptions()), 0, m_options.length);
    }

    // The last queries behind a prefix whose pages another request reads too.
    void warm() {
        const std::int64_t queries = std::min(kWarmQueries, m_options.length);
        const std::int64_t width = (m_options.length + kSharedPage - 1) / kSharedPage;
        Shape shape{width, kSharedPage, m_options.kvHeads, m_options.headDim};
        Tensor k(DType::Bf16, shape);
        Tensor v(DType::Bf16, shape);
        for (auto& [from, to] : {std::pair{&m_words.k, &k}, std::pair{&m_words.v, &v}}) {
            const TensorView view = rowsFrom(*from, m_before, m_options.length);
            std::memcpy(to->bytes().data(), view.data, view.bytes().size());
        }
        // Both requests have the same first pages; the other one stops short of the request's tail.
        const std::int64_t prefix = std::max<std::int64_t>(m_options.length - queries, 1);
        std::vector<std::int64_t> table;
        for (int request = 0; request < 2; ++request)
            for (std::int64_t page = 0; page < width; ++page) table.push_back(page);
        OperationCall call{"attention",
                           {{"q", rowsFrom(m_words.q, m_before + m_options.length - queries - 1, queries + 1)},
                            {"k", k.view()},
                            {"v", v.view()},
                            {"cu_seqlens_q", integers({0, 1, queries + 1}, {3})},
                            {"page_table", integers(table, {2, width})},
                            {"kv_lens", integers({prefix, m_options.length}, {2})}},
                           {}};
        compare(fmt::format("the last {} behind a shared prefix", queries), dependsOnNothing(),
                m_program.run(call, runOptions()), 1, queries);
    }

    // The last query as one of eight decode steps.
    void decodeInCompany() {
        std::vector<std::int64_t> queries{0};
        std::vector<std::int64_t> keys{0};
        Shape rows = m_words.q.shape();
        rows[0] = 8;
        Tensor q(DType::Bf16, rows);
        const std::size_t row = q.bytes().size() / 8;
        const std::int64_t last = m_before + m_options.length - 1;
        for (std::int64_t b = 0; b < 8; ++b) {
            queries.push_back(b + 1);
            std::memcpy(q.bytes().data() + static_cast<std::size_t>(b) * row,
                        rowsFrom(m_words.q, b == 1 ? last : b, 1).data, row);
        }
        // Request 1 keeps its place among the tokens; the others divide what lies before and after it.
        keys.push_back(m_before);
        keys.push_back(m_before + m_options.length);
        for (std::int64_t b = 2; b < 8; ++b) keys.push_back(keys.back() + (b == 7 ? m_after - 5 : 1));
        const std::int64_t tokens = keys.back();
        OperationCall call{"attention",
                           {{"q", q.view()},
                            {"k", rowsFrom(m_words.k, 0, tokens)},
                            {"v", rowsFrom(m_words.v, 0, tokens)},
                            {"cu_seqlens_q", integers(queries, {9})},
                            {"cu_seqlens_k", integers(keys, {9})}},
                           {}};
        compare("the last as one of eight decode steps", !dependsOnLaunch(), m_program.run(call, runOptions()), 1, 1);
    }

    const ProgramList& m_programs;
    const Program& m_program;
    AttentionDependence m_dependence;
    const InvarianceOptions& m_options;
    std::int64_t m_before;
    std::int64_t m_after;
    Drawn m_words;
    std::vector<Tensor> m_integers;
    const std::vector<NamedTensor>* m_alone = nullptr;
    ProgramInvariance m_result;
};

}  // namespace

bool ProgramInvariance::keepsItsPromise() const {
    return std::all_of(variants.begin(), variants.end(),
                       [](const InvarianceVariant& variant) { return !variant.promised || variant.holds(); });
}

Result<std::vector<ProgramInvariance>> measureInvariance(const ProgramList& programs,
                                                         const InvarianceOptions& options) {
    if (options.kvHeads < 1 || options.queryHeads < 1 || options.queryHeads % options.kvHeads != 0)
        return failure("{} query heads cannot share {} key and value heads evenly", options.queryHeads,
                       options.kvHeads);
    std::vector<ProgramInvariance> results;
    for (const NamedAttention& named : namedAttentions()) {
        if (options.stop.stop_requested()) return failure("attention invariance: stopped");
        const Program* const program = findProgram(programs, fmt::format("{}:{}", options.engine, named.name));
        if (program == nullptr) continue;
        results.push_back(Measurement(programs, *program, named, options).run());
        if (options.progress) options.progress(results.back());
    }
    if (results.empty()) return failure("engine {} has no attention program", options.engine);
    return results;
}

}  // namespace isobit
