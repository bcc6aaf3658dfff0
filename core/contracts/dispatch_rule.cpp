// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/contracts/dispatch_rule.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "core/base/object_reader.h"

namespace isobit {
namespace {

constexpr std::array<std::string_view, 5> kFacts = {"rows", "columns", "tiles", "chunks", "multiprocessors"};
constexpr std::int64_t kLargestConstant = 1'000'000'000;

bool isFact(std::string_view word) { return std::ranges::find(kFacts, word) != kFacts.end(); }

std::int64_t factOf(std::string_view name, const DispatchFacts& facts) {
    if (name == "rows") return facts.rows;
    if (name == "columns") return facts.columns;
    if (name == "tiles") return facts.tiles();
    if (name == "chunks") return facts.chunks();
    return facts.multiprocessors;
}

/// A product that stays at the largest number instead of overflowing; all factors are at least 0.
std::int64_t saturatingProduct(std::int64_t a, std::int64_t b) {
    std::int64_t product = 0;
    return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

class RuleParser {
public:
    explicit RuleParser(std::string_view text) : m_text(text) { advance(); }

    Result<DispatchRule> parse() {
        DispatchRule rule;
        while (m_token != "else") {
            auto clause = parseClause();
            if (!clause) return failureOf(clause);
            rule.clauses.push_back(std::move(*clause));
            if (m_token != ";") return expected("';'");
            advance();
        }
        advance();
        if (!isName()) return expected("the name of a realisation");
        rule.otherwise = m_token;
        advance();
        if (!m_token.empty()) return expected("the end");
        return rule;
    }

private:
    Result<DispatchClause> parseClause() {
        DispatchClause clause;
        if (!isName()) return expected("the name of a realisation or 'else'");
        clause.realisation = m_token;
        advance();
        if (m_token != "if") return expected("'if'");
        do {
            advance();
            DispatchCondition condition;
            auto left = parseTerm();
            if (!left) return failureOf(left);
            condition.left = std::move(*left);
            if (m_token != "<" && m_token != "<=" && m_token != ">" && m_token != ">=")
                return expected("'<', '<=', '>' or '>='");
            condition.comparison = m_token;
            advance();
            auto right = parseTerm();
            if (!right) return failureOf(right);
            condition.right = std::move(*right);
            clause.conditions.push_back(std::move(condition));
        } while (m_token == "and");
        return clause;
    }

    Result<DispatchTerm> parseTerm() {
        DispatchTerm term;
        while (true) {
            if (isFact(m_token)) {
                term.facts.emplace_back(m_token);
            } else if (!m_token.empty() && std::isdigit(static_cast<unsigned char>(m_token[0])) != 0) {
                std::int64_t number = 0;
                for (const char digit : m_token) {
                    number = number * 10 + (digit - '0');
                    if (number > kLargestConstant) return expected("a number up to 1000000000");
                }
                term.constant = saturatingProduct(term.constant, number);
                if (term.constant > kLargestConstant) return expected("a product of numbers up to 1000000000");
            } else {
                return expected(fmt::format("a number or one of {}", fmt::join(kFacts, ", ")));
            }
            advance();
            if (m_token != "*") return term;
            advance();
        }
    }

    bool isName() const { return !m_token.empty() && std::islower(static_cast<unsigned char>(m_token[0])) != 0; }

    tl::unexpected<Error> expected(std::string_view what) const {
        const std::string quoted = shownJson(std::string(m_token));  // whose control characters are escaped
        return failure("dispatch rule, position {}: found '{}', expected {}", m_at - m_token.size(),
                       std::string_view(quoted).substr(1, quoted.size() - 2), what);
    }

    void advance() {
        while (m_at < m_text.size() && m_text[m_at] == ' ') ++m_at;
        const std::size_t begin = m_at;
        const auto takeWhile = [&](auto belongs) {
            while (m_at < m_text.size() && belongs(static_cast<unsigned char>(m_text[m_at]))) ++m_at;
        };
        if (begin < m_text.size()) {
            const auto first = static_cast<unsigned char>(m_text[begin]);
            if (std::isdigit(first) != 0) {
                takeWhile([](unsigned char c) { return std::isdigit(c) != 0; });
            } else if (std::islower(first) != 0) {
                takeWhile([](unsigned char c) { return std::islower(c) != 0 || c == '_'; });
            } else {
                ++m_at;
                if ((first == '<' || first == '>') && m_at < m_text.size() && m_text[m_at] == '=') ++m_at;
            }
        }
        m_token = m_text.substr(begin, m_at - begin);
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    std::string_view m_token;
};

std::string textOf(const DispatchTerm& term) {
    std::vector<std::string> factors = term.facts;
    if (term.constant != 1 || factors.empty()) factors.insert(factors.begin(), std::to_string(term.constant));
    return fmt::format("{}", fmt::join(factors, " * "));
}

}  // namespace

std::int64_t DispatchTerm::value(const DispatchFacts& values) const {
    std::int64_t product = constant;
    for (const std::string& fact : facts) product = saturatingProduct(product, factOf(fact, values));
    return product;
}

bool DispatchCondition::holds(const DispatchFacts& facts) const {
    const std::int64_t a = left.value(facts), b = right.value(facts);
    if (comparison == "<") return a < b;
    if (comparison == "<=") return a <= b;
    if (comparison == ">") return a > b;
    return a >= b;
}

std::string_view DispatchRule::choose(const DispatchFacts& facts) const {
    for (const DispatchClause& clause : clauses)
        if (std::ranges::all_of(clause.conditions, [&](const auto& condition) { return condition.holds(facts); }))
            return clause.realisation;
    return otherwise;
}

Result<DispatchRule> parseDispatchRule(std::string_view text) { return RuleParser(text).parse(); }

std::string textOf(const DispatchRule& rule) {
    std::string text;
    for (const DispatchClause& clause : rule.clauses) {
        std::vector<std::string> conditions;
        for (const DispatchCondition& condition : clause.conditions)
            conditions.push_back(
                fmt::format("{} {} {}", textOf(condition.left), condition.comparison, textOf(condition.right)));
        text += fmt::format("{} if {}; ", clause.realisation, fmt::join(conditions, " and "));
    }
    return text + "else " + rule.otherwise;
}

const std::vector<NamedDispatchRule>& recordedDispatchRules() {
    static const std::vector<NamedDispatchRule> rules = {
        {"shipped", "split if tiles >= 10 and rows <= tiles; else fused", "what the public record shipped"},
        {"legacy", "split if rows > 256; else fused", "what it replaced: pointed the wrong way"},
        {"chunk-count", "split if chunks >= 10 and rows <= chunks; else fused",
         "the shipped form fed with 4096-column chunks: rejected, it never splits up to H = 32768"},
    };
    return rules;
}

}  // namespace isobit
