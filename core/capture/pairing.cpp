// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/capture/pairing.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/capture/fused_slice.h"
#include "core/capture/token_alignment.h"

namespace isobit {
namespace {

/// A match of two tensors before their tokens are lined up.
struct Match {
    const SideTensor* trainer = nullptr;
    const SideTensor* sampler = nullptr;
    MatchKind kind = MatchKind::Missing;
    std::string how;
    Selection trainerPart, samplerPart;
};

class Pairing {
public:
    Pairing(const TensorFile& trainer, const TensorFile& sampler, const GraphTemplate& graph, const PairingOptions& options)
        : m_book(graph), m_trainer(trainer, m_book), m_sampler(sampler, m_book), m_options(options) {
        for (const SideTensor& tensor : m_trainer.tensors()) m_trainerWords.insert(wordOf(tensor));
        for (const SideTensor& tensor : m_sampler.tensors()) m_samplerWords.insert(wordOf(tensor));
        for (const TensorPair& pair : options.given) {
            use(m_trainerGiven, pair.trainer, pair.trainerPart);
            use(m_samplerGiven, pair.sampler, pair.samplerPart);
        }
    }

    std::vector<TensorPair> pairs() {
        for (const SideTensor& tensor : m_trainer.tensors())
            if (!isGiven(tensor, m_trainerGiven)) m_matches.push_back(matchOf(tensor));
        addSlicesOfTheTrainersFused();
        matchByPosition();
        std::vector<TensorPair> pairs = m_options.given;
        for (const Match& match : m_matches) pairs.push_back(pairOf(match));
        for (const SideTensor& tensor : m_sampler.tensors())
            if (!m_used.contains(&tensor) && !isGiven(tensor, m_samplerGiven))
                pairs.push_back(pairOf({nullptr, &tensor, MatchKind::Missing, "only the sampler has it", {}, {}}));
        return pairs;
    }

private:
    using Given = std::set<std::size_t>;

    static void use(Given& given, std::optional<std::size_t> tensor, const Selection& part) {
        if (tensor) given.insert(*tensor);
        for (const RowPiece& piece : part.pieces) given.insert(piece.tensor);
    }

    static bool isGiven(const SideTensor& tensor, const Given& given) {
        return std::any_of(tensor.pieces.begin(), tensor.pieces.end(),
                           [&](const StepTensor& piece) { return given.contains(piece.tensor); });
    }

    Match matchOf(const SideTensor& tensor) {
        const auto take = [&](const SideTensor* other, MatchKind kind, std::string how, Selection part = {}) {
            m_used.insert(other);
            return Match{&tensor, other, kind, std::move(how), {}, std::move(part)};
        };
        const auto free = [&](const SideTensor* other) {
            return other != nullptr && !m_used.contains(other) && !isGiven(*other, m_samplerGiven);
        };
        if (const SideTensor* exact = m_sampler.byName(tensor.name); free(exact)) return take(exact, MatchKind::Exact, "");
        const bool unique = m_trainer.byStandardName(tensor.standard) == &tensor;
        if (const SideTensor* renamed = m_sampler.byStandardName(tensor.standard); unique && free(renamed))
            return take(renamed, MatchKind::Renamed, "named " + renamed->name);
        if (auto slice = fusedSliceOf(m_trainer, tensor, m_sampler); slice && !isGiven(*slice->fused, m_samplerGiven))
            return take(slice->fused, MatchKind::Slice, slice->how, slice->part);
        return {&tensor, nullptr, MatchKind::Missing, "only the trainer has it", {}, {}};
    }

    // The sampler's parts of what the trainer has fused; the fused tensor is then no longer missing.
    void addSlicesOfTheTrainersFused() {
        std::set<const SideTensor*> served;
        for (const SideTensor& tensor : m_sampler.tensors()) {
            if (m_used.contains(&tensor) || isGiven(tensor, m_samplerGiven)) continue;
            auto slice = fusedSliceOf(m_sampler, tensor, m_trainer);
            if (!slice || isGiven(*slice->fused, m_trainerGiven)) continue;
            m_used.insert(&tensor);
            served.insert(slice->fused);
            m_matches.push_back({slice->fused, &tensor, MatchKind::Slice, slice->how, slice->part, {}});
        }
        std::erase_if(m_matches, [&](const Match& match) {
            return match.kind == MatchKind::Missing && served.contains(match.trainer);
        });
    }

    // What lies between two sure pairs on both sides, in the same number and with the same types and shapes one by one,
    // is paired in order. A word that the other side uses elsewhere is a name that it knows, so it is left missing.
    void matchByPosition() {
        for (std::size_t i = 0; i < m_matches.size();) {
            std::size_t end = i;
            while (end < m_matches.size() && m_matches[end].kind == MatchKind::Missing) ++end;
            if (end > i) matchGap(i, end);
            i = end + 1;
        }
    }

    void matchGap(std::size_t begin, std::size_t end) {
        const SideTensor* before = begin == 0 ? nullptr : m_matches[begin - 1].sampler;
        const auto& theirs = m_sampler.tensors();
        std::size_t at = before == nullptr ? 0 : static_cast<std::size_t>(before - theirs.data()) + 1;
        std::vector<const SideTensor*> gap;
        for (; at < theirs.size() && !m_used.contains(&theirs[at]) && !isGiven(theirs[at], m_samplerGiven); ++at)
            gap.push_back(&theirs[at]);
        const SideTensor* after = end == m_matches.size() ? nullptr : m_matches[end].sampler;
        const SideTensor* found = at == theirs.size() ? nullptr : &theirs[at];
        if (gap.size() != end - begin || found != after) return;
        for (std::size_t i = 0; i < gap.size(); ++i)
            if (!mayBe(*m_matches[begin + i].trainer, *gap[i])) return;
        for (std::size_t i = 0; i < gap.size(); ++i) {
            Match& match = m_matches[begin + i];
            match.sampler = gap[i];
            match.kind = MatchKind::Position;
            match.how = fmt::format("{} at the same place, of the same type and shape: a guess", gap[i]->name);
            m_used.insert(gap[i]);
        }
    }

    [[nodiscard]] bool mayBe(const SideTensor& ours, const SideTensor& theirs) const {
        const TensorInfo& a = m_trainer.first(ours);
        const TensorInfo& b = m_sampler.first(theirs);
        return a.dtype == b.dtype && a.shape == b.shape && ours.pieces.size() == 1 && theirs.pieces.size() == 1 &&
               !m_samplerWords.contains(wordOf(ours)) && !m_trainerWords.contains(wordOf(theirs));
    }

    static std::string wordOf(const SideTensor& tensor) { return tensor.standard.substr(tensor.standard.rfind('.') + 1); }

    [[nodiscard]] TensorPair pairOf(const Match& match) const {
        TensorPair pair;
        pair.name = match.trainer != nullptr && match.trainerPart == Selection() ? match.trainer->name : match.sampler->name;
        pair.match = match.kind;
        pair.how = match.how;
        pair.trainerPart = match.trainerPart;
        pair.samplerPart = match.samplerPart;
        if (match.trainer != nullptr) pair.trainer = match.trainer->pieces.front().tensor;
        if (match.sampler != nullptr) pair.sampler = match.sampler->pieces.front().tensor;
        if (match.trainer == nullptr || match.sampler == nullptr || match.kind == MatchKind::Slice) return pair;
        const SideTokens ours{m_trainer, m_options.trainerRow};
        const SideTokens theirs{m_sampler, m_options.samplerRow};
        if (!needsAlignment(ours, *match.trainer, theirs, *match.sampler)) return pair;
        auto alignment = alignTokens(ours, *match.trainer, theirs, *match.sampler);
        if (!alignment) {
            pair.problem = alignment.error().message;
            return pair;
        }
        pair.trainerPart = std::move(alignment->trainer);
        pair.samplerPart = std::move(alignment->sampler);
        pair.aligned = std::move(alignment->how);
        return pair;
    }

    NameBook m_book;
    CaptureSide m_trainer, m_sampler;
    const PairingOptions& m_options;
    Given m_trainerGiven, m_samplerGiven;
    std::set<std::string> m_trainerWords, m_samplerWords;  // last parts of names
    std::vector<Match> m_matches;
    std::set<const SideTensor*> m_used;  // of the sampler's
};

}  // namespace

std::string_view nameOf(MatchKind kind) {
    switch (kind) {
        case MatchKind::Exact: return "exact";
        case MatchKind::Renamed: return "renamed";
        case MatchKind::Slice: return "slice";
        case MatchKind::Position: return "position";
        case MatchKind::Given: return "given";
        case MatchKind::Missing: return "missing";
    }
    return "";
}

std::vector<TensorPair> pairTensors(const TensorFile& trainer, const TensorFile& sampler, const GraphTemplate& graph,
                                    const PairingOptions& options) {
    return Pairing(trainer, sampler, graph, options).pairs();
}

}  // namespace isobit
