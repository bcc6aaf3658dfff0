// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/compare/map_tally.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <optional>

#include "core/compare/ulp_bin.h"
#include "core/numeric/ulp.h"

namespace isobit {
namespace {

// The distance of two words of one type, known while compiling for the types that captures are made of.
template <class Format>
struct FloatDistance {
    using Storage = typename Format::Storage;
    static std::optional<std::uint64_t> of(DType, Storage a, Storage b) {
        return ulpDistance(Word<Format>{a}, Word<Format>{b});
    }
    // Most pairs are finite and of one sign: these are told apart without a look at the rest.
    static bool changesSignOrClass(DType dtype, Storage a, Storage b) {
        const bool signsDiffer = (a ^ b) >> (8 * sizeof(Storage) - 1) != 0;
        return (signsDiffer || isSpecial(a) || isSpecial(b)) && ulpBinOf(dtype, a, b) == UlpBin::SignOrClass;
    }
    static bool isSpecial(Storage a) { return isNan(Word<Format>{a}) || isInfinite(Word<Format>{a}); }
};

template <class StorageType>
struct AnyDistance {
    using Storage = StorageType;
    static std::optional<std::uint64_t> of(DType dtype, Storage a, Storage b) { return ulpDistance(dtype, a, b); }
    static bool changesSignOrClass(DType dtype, Storage a, Storage b) {
        return ulpBinOf(dtype, a, b) == UlpBin::SignOrClass;
    }
};

template <class Storage>
Storage storedAt(const std::byte* words, std::size_t index) {
    Storage word;
    std::memcpy(&word, words + index * sizeof(Storage), sizeof(Storage));
    return word;
}

template <class Distance>
void add(DType dtype, const std::byte* trainer, const std::byte* sampler, std::size_t elements, std::size_t stride,
         const MapQuestion& question, MapTally& into) {
    using Storage = typename Distance::Storage;
    into.elements += elements;
    for (std::size_t i = 0; i < elements; ++i) {
        const auto a = storedAt<Storage>(trainer, i * stride);
        const auto b = storedAt<Storage>(sampler, i * stride);
        if ((wordFrom(question.source, a, b) & question.mask) == 0) continue;
        ++into.marked;
        const auto distance = Distance::of(dtype, a, b);
        into.maxUlp = std::max(into.maxUlp, distance.value_or(0));
        into.unordered = into.unordered || !distance;
        into.signOrClass = into.signOrClass || Distance::changesSignOrClass(dtype, a, b);
    }
}

template <class Storage>
void pack(const std::byte* trainer, const std::byte* sampler, std::size_t elements, std::size_t stride,
          WordSource source, std::size_t bit, std::span<std::uint8_t> out) {
    std::fill_n(out.begin(), (elements + 7) / 8, std::uint8_t(0));
    for (std::size_t i = 0; i < elements; ++i) {
        const std::uint64_t word =
            wordFrom(source, storedAt<Storage>(trainer, i * stride), storedAt<Storage>(sampler, i * stride));
        out[i / 8] = static_cast<std::uint8_t>(out[i / 8] | (word >> bit & 1) << i % 8);
    }
}

}  // namespace

void addToTally(DType dtype, const std::byte* trainer, const std::byte* sampler, std::size_t elements,
                std::size_t stride, const MapQuestion& question, MapTally& into) {
    const auto run = [&](auto distance) {
        add<decltype(distance)>(dtype, trainer, sampler, elements, stride, question, into);
    };
    if (dtype == DType::Bf16) return run(FloatDistance<Bf16Format>());
    if (dtype == DType::Fp16) return run(FloatDistance<Fp16Format>());
    if (dtype == DType::Fp32) return run(FloatDistance<Fp32Format>());
    switch (bytesOf(dtype)) {
        case 1: return run(AnyDistance<std::uint8_t>());
        case 2: return run(AnyDistance<std::uint16_t>());
        case 4: return run(AnyDistance<std::uint32_t>());
        default: return run(AnyDistance<std::uint64_t>());
    }
}

void packBitPlane(DType dtype, const std::byte* trainer, const std::byte* sampler, std::size_t elements,
                  std::size_t stride, WordSource source, std::size_t bit, std::span<std::uint8_t> out) {
    assert(bit < 8 * bytesOf(dtype) && out.size() >= (elements + 7) / 8);
    switch (bytesOf(dtype)) {
        case 1: return pack<std::uint8_t>(trainer, sampler, elements, stride, source, bit, out);
        case 2: return pack<std::uint16_t>(trainer, sampler, elements, stride, source, bit, out);
        case 4: return pack<std::uint32_t>(trainer, sampler, elements, stride, source, bit, out);
        default: return pack<std::uint64_t>(trainer, sampler, elements, stride, source, bit, out);
    }
}

}  // namespace isobit
