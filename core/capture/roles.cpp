// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/capture/roles.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace isobit {
namespace {

/// What the captured tensors say of an operation's inputs, seen through inputs that were not captured.
struct Ancestry {
    std::vector<std::string> equal, differing;  // captured inputs, as the capture names them
    std::vector<std::string> unknown;           // the operation's own inputs that were not captured or cannot be compared
    std::vector<std::string> suspects;          // operations that made those, up to captured tensors
    bool uncaptured = false;                    // any of `unknown` was not captured at all
};

std::string withAnd(const std::vector<std::string>& words) {
    if (words.size() < 2) return words.empty() ? "" : words.front();
    const std::vector<std::string> front(words.begin(), words.end() - 1);
    return fmt::format("{} and {}", fmt::join(front, ", "), words.back());
}

// "attention or o_proj"; of a long list the nearest.
std::string withOr(const std::vector<std::string>& words) {
    constexpr std::size_t kMost = 4;
    if (words.size() <= kMost) return fmt::format("{}", fmt::join(words, " or "));
    const std::vector<std::string> front(words.begin(), words.begin() + kMost - 1);
    return fmt::format("{} or one of {} operations more or {}", fmt::join(front, " or "), words.size() - kMost, words.back());
}

void addOnce(std::vector<std::string>& list, const std::string& word) {
    if (std::find(list.begin(), list.end(), word) == list.end()) list.push_back(word);
}

class RoleFinder {
public:
    RoleFinder(const std::vector<WalkStep>& steps, const OperationIndex& index) : m_index(index) {
        for (const WalkStep& step : steps) m_byStandard.emplace(index.book().standardName(step.pair.name), &step);
    }

    void assign(WalkStep& step) const {
        const std::string standard = m_index.book().standardName(step.pair.name);
        const auto maker = m_index.makerOf(standard);
        if (!maker) {
            if (const auto owner = m_index.ownerOf(standard)) step.belongsTo = m_index.operations()[*owner].operation;
            return;
        }
        const OperationNode& node = m_index.operations()[*maker];
        step.operation = m_index.isFused(standard) ? standard.substr(standard.rfind('.') + 1) : node.operation;
        step.owned = ownedOf(node);
        if (step.status == TensorStatus::Different) judge(step, node);
    }

private:
    [[nodiscard]] static bool isCompared(const WalkStep* step) {
        return step != nullptr && (step->status == TensorStatus::Equal || step->status == TensorStatus::Different);
    }

    [[nodiscard]] const WalkStep* stepOf(const std::string& name) const {
        const auto found = m_byStandard.find(m_index.book().standardName(name));
        return found == m_byStandard.end() ? nullptr : found->second;
    }

    // The tensor, or a fused one that holds it.
    [[nodiscard]] const WalkStep* capturedFor(const std::string& name) const {
        const WalkStep* step = stepOf(name);
        if (isCompared(step)) return step;
        if (const auto maker = m_index.makerOf(m_index.book().standardName(name)))
            for (const std::string& fused : m_index.operations()[*maker].partOf)
                if (const WalkStep* whole = stepOf(fused); isCompared(whole)) return whole;
        return step;
    }

    [[nodiscard]] std::vector<OwnedPart> ownedOf(const OperationNode& node) const {
        std::vector<OwnedPart> parts;
        for (const NamedTensors& owned : node.owns) {
            const std::size_t before = parts.size();
            for (const std::string& tensor : owned.tensors) {
                const WalkStep* step = stepOf(tensor);
                if (step == nullptr || step->status == TensorStatus::Missing) continue;
                const bool known = std::any_of(parts.begin(), parts.end(), [&](const OwnedPart& part) {
                    return part.tensor == step->pair.name;
                });
                if (!known) parts.push_back({owned.name, step->pair.name, step->status});
            }
            if (parts.size() == before) parts.push_back({owned.name, "", std::nullopt});
        }
        return parts;
    }

    void inspect(const OperationNode& node, bool own, std::set<std::string>& seen, Ancestry& ancestry) const {
        for (const std::string& input : node.inputs) {
            if (!seen.insert(input).second) continue;
            const WalkStep* step = capturedFor(input);
            if (isCompared(step)) {
                auto& list = step->status == TensorStatus::Different ? ancestry.differing : ancestry.equal;
                addOnce(list, step->pair.name);
                continue;
            }
            if (own) {
                ancestry.unknown.push_back(step == nullptr ? input : step->pair.name);
                ancestry.uncaptured = ancestry.uncaptured || step == nullptr || step->status == TensorStatus::Missing;
            }
            if (const auto maker = m_index.makerOf(m_index.book().standardName(input))) {
                addOnce(ancestry.suspects, m_index.operations()[*maker].operation);
                inspect(m_index.operations()[*maker], false, seen, ancestry);
            }
        }
    }

    void judge(WalkStep& step, const OperationNode& node) const {
        Ancestry ancestry;
        std::set<std::string> seen;
        inspect(node, true, seen, ancestry);
        if (!ancestry.differing.empty()) {
            step.role = Role::Inherited;
            step.why = fmt::format("{} already differs", ancestry.differing.front());
        } else if (ancestry.unknown.empty()) {
            step.role = Role::Culprit;
            step.why = blame(step, step.operation, ancestry.equal);
        } else {
            step.role = Role::CannotSay;
            addOnce(ancestry.suspects, step.operation);
            step.why = fmt::format("{}: {} {}, and {}", withOr(ancestry.suspects), inputs(ancestry.unknown),
                                   ancestry.uncaptured ? "not captured on both sides" : "not comparable",
                                   ancestry.equal.empty() ? "nothing before was captured" : "what was captured before is equal");
            step.captureNext = ancestry.unknown;
        }
        if (step.pair.match == MatchKind::Position && step.role == Role::Culprit) {
            step.role = Role::CannotSay;
            step.why = "the pair is a guess by shape and position; if it is right: " + step.why;
        }
    }

    static std::string inputs(const std::vector<std::string>& names) {
        return names.size() == 1 ? fmt::format("its input {} was", names.front())
                                 : fmt::format("its inputs {} were", withAnd(names));
    }

    // "RoPE, its table included; table not captured; its input layers.00.q_norm is equal".
    static std::string blame(WalkStep& step, const std::string& operation, const std::vector<std::string>& equalInputs) {
        std::vector<std::string> differing, included, same;
        for (const OwnedPart& part : step.owned) {
            if (!part.status || *part.status == TensorStatus::NotComparable) {
                included.push_back(part.name);
                step.captureNext.push_back(part.name);
            } else if (*part.status == TensorStatus::Different) {
                differing.push_back(fmt::format("{} ({})", part.name, part.tensor));
            } else {
                same.push_back(part.name);
            }
        }
        std::string text = operation;
        if (!differing.empty()) text += fmt::format(", whose {} differs", withAnd(differing));
        if (!included.empty()) text += fmt::format(", its {} included; {} not captured", withAnd(included), withAnd(included));
        if (!same.empty()) text += fmt::format("; its {} equal", withAnd(same));
        if (!equalInputs.empty())
            text += fmt::format("; {} {} equal", withAnd(equalInputs), equalInputs.size() == 1 ? "is" : "are");
        return text;
    }

    const OperationIndex& m_index;
    std::map<std::string, const WalkStep*> m_byStandard;
};

}  // namespace

void assignRoles(std::vector<WalkStep>& steps, const OperationIndex& index) {
    const RoleFinder finder(steps, index);
    for (WalkStep& step : steps) finder.assign(step);
}

}  // namespace isobit
