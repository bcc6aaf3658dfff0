// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/capture/pairing.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace isobit {
namespace {

constexpr std::array<std::string_view, 4> kWrappers{"model.", "module.", "_orig_mod.", "_fsdp_wrapped_module."};

// The parts of a fused projection in the order in which their columns lie.
struct Fusion {
    std::string_view fused;
    std::vector<std::string_view> parts;
};
const std::array<Fusion, 2> kFusions{Fusion{"qkv_proj", {"q_proj", "k_proj", "v_proj"}},
                                     Fusion{"gate_up_proj", {"gate_proj", "up_proj"}}};

using ByName = std::map<std::string, std::size_t>;

ByName canonicalNames(const TensorFile& file) {
    ByName names;
    for (std::size_t i = 0; i < file.tensors().size(); ++i) names.emplace(canonicalName(file.tensors()[i].name), i);
    return names;
}

std::string withPart(std::string name, std::string_view part, std::string_view replacement) {
    const auto at = name.rfind(part);
    return at == std::string::npos ? std::string() : name.replace(at, part.size(), replacement);
}

struct Slice {
    std::size_t fused;
    ColumnRange columns;
    std::string how;
};

// Where `name` of `file` lies within a fused tensor of `other`: the parts before it give its first column.
std::optional<Slice> sliceOf(const TensorFile& file, const std::string& name, const ByName& own, const TensorFile& other,
                             const ByName& otherNames) {
    for (const Fusion& fusion : kFusions) {
        std::int64_t first = 0;
        for (const std::string_view part : fusion.parts) {
            const std::string canonical = canonicalName(name);
            const std::string fusedName = withPart(canonical, part, fusion.fused);
            const auto fused = otherNames.find(fusedName);
            if (!fusedName.empty() && fused != otherNames.end()) {
                for (const std::string_view before : fusion.parts) {
                    if (before == part) break;
                    const auto found = own.find(withPart(canonical, part, before));
                    if (found == own.end() || file.tensors()[found->second].shape.empty()) return std::nullopt;
                    first += file.tensors()[found->second].shape.back();
                }
                const auto& shape = file.tensors()[own.at(canonical)].shape;
                const auto& fusedShape = other.tensors()[fused->second].shape;
                if (shape.empty() || fusedShape.empty() || first + shape.back() > fusedShape.back()) return std::nullopt;
                return Slice{fused->second, {first, shape.back()},
                             fmt::format("columns {} to {} of {}", first, first + shape.back() - 1,
                                         other.tensors()[fused->second].name)};
            }
        }
    }
    return std::nullopt;
}

}  // namespace

std::string_view nameOf(MatchKind kind) {
    switch (kind) {
        case MatchKind::Exact: return "exact";
        case MatchKind::Renamed: return "renamed";
        case MatchKind::Slice: return "slice";
        case MatchKind::Missing: return "missing";
    }
    return "";
}

std::string canonicalName(std::string_view name) {
    std::string canonical(name);
    for (bool found = true; found;) {
        found = false;
        for (const std::string_view wrapper : kWrappers) {
            const auto at = canonical.find(wrapper);
            if (at != std::string::npos && (at == 0 || canonical[at - 1] == '.')) {
                canonical.erase(at, wrapper.size());
                found = true;
            }
        }
    }
    std::string result;
    for (std::size_t i = 0; i < canonical.size(); ++i) {
        const bool starts = i == 0 || canonical[i - 1] == '.';
        const bool moreDigits = i + 1 < canonical.size() && canonical[i + 1] >= '0' && canonical[i + 1] <= '9';
        const bool afterZeros = !result.empty() && (result.back() == '.' || result.size() == 0);
        if (canonical[i] == '0' && moreDigits && (starts || afterZeros)) continue;
        result += canonical[i];
    }
    return result;
}

std::vector<TensorPair> pairTensors(const TensorFile& trainer, const TensorFile& sampler) {
    const ByName trainerNames = canonicalNames(trainer);
    const ByName samplerNames = canonicalNames(sampler);
    std::vector<TensorPair> pairs;
    std::set<std::size_t> used;
    const auto add = [&](TensorPair pair) {
        if (pair.sampler) used.insert(*pair.sampler);
        pairs.push_back(std::move(pair));
    };
    for (std::size_t i = 0; i < trainer.tensors().size(); ++i) {
        const std::string& name = trainer.tensors()[i].name;
        if (const auto exact = sampler.find(name)) {
            add({name, MatchKind::Exact, i, exact, {}, {}, ""});
        } else if (const auto renamed = samplerNames.find(canonicalName(name)); renamed != samplerNames.end()) {
            add({name, MatchKind::Renamed, i, renamed->second, {}, {}, "named " + sampler.tensors()[renamed->second].name});
        } else if (const auto slice = sliceOf(trainer, name, trainerNames, sampler, samplerNames)) {
            add({name, MatchKind::Slice, i, slice->fused, {}, {{}, {}, slice->columns}, slice->how});
        } else {
            add({name, MatchKind::Missing, i, std::nullopt, {}, {}, "only the trainer has it"});
        }
    }
    std::set<std::size_t> fusedOnTheTrainersSide;
    for (std::size_t i = 0; i < sampler.tensors().size(); ++i) {
        if (used.contains(i)) continue;
        const std::string& name = sampler.tensors()[i].name;
        if (const auto slice = sliceOf(sampler, name, samplerNames, trainer, trainerNames)) {
            fusedOnTheTrainersSide.insert(slice->fused);
            add({name, MatchKind::Slice, slice->fused, i, {{}, {}, slice->columns}, {}, slice->how});
        } else {
            add({name, MatchKind::Missing, std::nullopt, i, {}, {}, "only the sampler has it"});
        }
    }
    std::erase_if(pairs, [&](const TensorPair& pair) {
        return pair.match == MatchKind::Missing && pair.trainer && fusedOnTheTrainersSide.contains(*pair.trainer);
    });
    return pairs;
}

}  // namespace isobit
