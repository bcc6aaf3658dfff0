// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/capture/capture_side.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace isobit {
namespace {

constexpr std::array<std::string_view, 5> kStepKeys{"forward_pass_id", "step", "iter", "pass", "decode"};

std::optional<std::int64_t> numberOf(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
    return value;
}

bool isStepKey(std::string_view key) { return std::find(kStepKeys.begin(), kStepKeys.end(), key) != kStepKeys.end(); }

struct StepName {
    std::string name;
    std::optional<std::int64_t> step;
};

// A dump folder writes the tags that tell pieces apart behind the name: "q_proj[step=3,rank=0]".
StepName fromTags(const TensorInfo& info) {
    StepName result{info.name, std::nullopt};
    std::string_view stepKey;
    for (const auto& [key, value] : info.tags)
        if (isStepKey(key) && !result.step) result.step = numberOf(value), stepKey = key;
    const auto bracket = info.name.rfind('[');
    if (!result.step || bracket == std::string::npos || !info.name.ends_with(']')) return result;
    std::string left;
    std::string_view tags = std::string_view(info.name).substr(bracket + 1, info.name.size() - bracket - 2);
    while (!tags.empty()) {
        const std::string_view tag = tags.substr(0, tags.find(','));
        if (tag.substr(0, tag.find('=')) != stepKey) left += (left.empty() ? "" : ",") + std::string(tag);
        tags.remove_prefix(std::min(tag.size() + 1, tags.size()));
    }
    result.name = info.name.substr(0, bracket) + (left.empty() ? "" : "[" + left + "]");
    return result;
}

// One file may hold all steps: "step.3.layers.0.q_proj", "prefill.embed", "decode_1.embed", "embed.step3".
StepName fromParts(const std::string& name) {
    StepName result;
    std::string_view rest = name;
    const auto keep = [&](std::string_view part) { result.name += (result.name.empty() ? "" : ".") + std::string(part); };
    while (!rest.empty()) {
        std::string_view part = rest.substr(0, rest.find('.'));
        rest.remove_prefix(std::min(part.size() + 1, rest.size()));
        std::string_view word = part.substr(0, part.find_first_of("0123456789"));
        std::optional<std::int64_t> number = numberOf(part.substr(word.size()));
        if (word.ends_with('_')) word.remove_suffix(1);
        const std::string_view next = rest.substr(0, rest.find('.'));
        if (!result.step && word == "prefill" && (number || word == part)) {
            result.step = number ? *number - 1'000'000'000 : -1;  // prefill pieces come before decode steps
        } else if (!result.step && isStepKey(word) && number) {
            result.step = number;
        } else if (!result.step && isStepKey(part) && numberOf(next)) {
            result.step = numberOf(next);
            rest.remove_prefix(std::min(next.size() + 1, rest.size()));
        } else {
            keep(part);
        }
    }
    if (result.name.empty()) return {name, std::nullopt};
    return result;
}

StepName stepNameOf(const TensorInfo& info) {
    StepName byTags = fromTags(info);
    return byTags.step ? byTags : fromParts(info.name);
}

}  // namespace

CaptureSide::CaptureSide(const TensorFile& file, const NameBook& book) : m_file(&file) {
    std::vector<StepName> names;
    for (const TensorInfo& info : file.tensors()) names.push_back(stepNameOf(info));
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto [place, isNew] = m_byName.emplace(names[i].name, m_tensors.size());
        if (isNew) m_tensors.push_back({names[i].name, book.standardName(names[i].name), {}});
        m_tensors[place->second].pieces.push_back({i, names[i].step});
    }
    for (std::size_t i = 0; i < m_tensors.size(); ++i) {
        std::stable_sort(m_tensors[i].pieces.begin(), m_tensors[i].pieces.end(),
                         [](const StepTensor& a, const StepTensor& b) { return a.step < b.step; });
        m_byStandard[m_tensors[i].standard].push_back(i);
    }
}

const SideTensor* CaptureSide::byName(std::string_view name) const {
    const auto found = m_byName.find(name);
    return found == m_byName.end() ? nullptr : &m_tensors[found->second];
}

const SideTensor* CaptureSide::byStandardName(std::string_view standard) const {
    const auto found = m_byStandard.find(standard);
    return found == m_byStandard.end() || found->second.size() != 1 ? nullptr : &m_tensors[found->second.front()];
}

}  // namespace isobit
