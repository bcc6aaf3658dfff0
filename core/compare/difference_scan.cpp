// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/compare/difference_scan.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace isobit {
namespace {

// Equal stretches are skipped this many bytes at a time; a multiple of every element size.
constexpr std::size_t kStretch = 4096;

bool differs(std::span<const std::byte> a, std::span<const std::byte> b, std::size_t at, std::size_t bytes) {
    return std::memcmp(a.data() + at, b.data() + at, bytes) != 0;
}

}  // namespace

std::optional<std::size_t> firstDifferent(std::size_t width, std::span<const std::byte> trainer,
                                          std::span<const std::byte> sampler) {
    assert(trainer.size() == sampler.size() && trainer.size() % width == 0);
    for (std::size_t at = 0; at < trainer.size(); at += kStretch) {
        const std::size_t end = std::min(at + kStretch, trainer.size());
        if (!differs(trainer, sampler, at, end - at)) continue;
        for (; at < end; at += width)
            if (differs(trainer, sampler, at, width)) return at / width;
    }
    return std::nullopt;
}

std::optional<std::size_t> lastDifferent(std::size_t width, std::span<const std::byte> trainer,
                                         std::span<const std::byte> sampler) {
    assert(trainer.size() == sampler.size() && trainer.size() % width == 0);
    for (std::size_t end = trainer.size(); end > 0;) {
        const std::size_t begin = end - std::min(end, kStretch);
        if (differs(trainer, sampler, begin, end - begin))
            for (std::size_t at = end; at > begin; at -= width)
                if (differs(trainer, sampler, at - width, width)) return at / width - 1;
        end = begin;
    }
    return std::nullopt;
}

}  // namespace isobit
