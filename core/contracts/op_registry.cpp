// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/contracts/op_registry.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <utility>

#include "core/base/object_reader.h"

namespace isobit {
namespace {

constexpr std::array<std::string_view, 7> kOps{"addmm", "bmm", "log_softmax", "mean", "mm", "mm_dtype", "rms_norm"};
constexpr std::array kAliases{std::pair<std::string_view, std::string_view>{"matmul", "mm"},
                              std::pair<std::string_view, std::string_view>{"logsoftmax", "log_softmax"},
                              std::pair<std::string_view, std::string_view>{"rmsnorm", "rms_norm"}};
constexpr std::array<std::string_view, 5> kAll{"", "1", "true", "yes", "all"};
constexpr std::array<std::string_view, 4> kNone{"0", "false", "no", "none"};

bool contains(const auto& list, std::string_view text) {
    return std::find(list.begin(), list.end(), text) != list.end();
}

std::string_view stripped(std::string_view text) {
    const auto isSpace = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
    while (!text.empty() && isSpace(text.front())) text.remove_prefix(1);
    while (!text.empty() && isSpace(text.back())) text.remove_suffix(1);
    return text;
}

std::string canonical(std::string name) {
    std::replace(name.begin(), name.end(), '-', '_');
    for (const auto& [alias, op] : kAliases)
        if (name == alias) return std::string(op);
    return name;
}

std::vector<std::string> partsOf(std::string_view value) {
    std::vector<std::string> parts;
    while (true) {
        const std::size_t end = value.find_first_of(",;");
        if (const std::string_view part = stripped(value.substr(0, end)); !part.empty()) parts.emplace_back(part);
        if (end == std::string_view::npos) return parts;
        value.remove_prefix(end + 1);
    }
}

}  // namespace

std::span<const std::string_view> batchInvariantOps() { return kOps; }

Result<std::vector<std::string>> parseBatchInvariantOps(std::string_view value) {
    std::string text(stripped(value));
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
    if (contains(kAll, text)) return std::vector<std::string>(kOps.begin(), kOps.end());
    if (contains(kNone, text)) return std::vector<std::string>();
    std::set<std::string> ops;
    for (const std::string& part : partsOf(text)) {
        const std::string op = canonical(part);
        if (!contains(kOps, op))
            return failure("{} is no batch-invariant operation; known are {}", shownJson(part), fmt::join(kOps, ", "));
        ops.insert(op);
        if (op == "mm") ops.insert("mm_dtype");
    }
    return std::vector<std::string>(ops.begin(), ops.end());
}

Result<void> BatchInvariantMode::enable(std::string_view value) {
    if (m_enabled) return {};
    auto ops = parseBatchInvariantOps(value);
    if (!ops) return failureOf(ops);
    m_ops = std::move(*ops);
    m_enabled = true;
    return {};
}

void BatchInvariantMode::disable() {
    m_enabled = false;
    m_ops.clear();
}

std::vector<std::string> BatchInvariantMode::activeOps() const { return m_ops; }

bool BatchInvariantMode::isActive(std::string_view op) const { return contains(m_ops, canonical(std::string(op))); }

Result<void> BatchInvariantMode::checkGradient(std::string_view op, bool gradientMode, bool anyRequiresGradient) const {
    if (!isActive(op) || !gradientMode || !anyRequiresGradient) return {};
    return failure(
        "{}: the batch-invariant override records no gradient; use XORL_BI_TRUNK_LINEAR for a trainer's "
        "projections",
        op);
}

}  // namespace isobit
