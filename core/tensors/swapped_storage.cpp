// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/tensors/swapped_storage.h"

#include <algorithm>
#include <cstring>

namespace isobit {

Result<std::span<const std::byte>> SwappedStorage::bytes() const {
    const std::lock_guard lock(m_mutex);
    if (m_swapped) return std::span<const std::byte>(m_memory.bytes());
    const auto source = m_inner->bytes();
    if (!source) return source;
    const std::size_t words = source->size() / m_wordBytes;
    auto memory = AnonymousMemory::reserve(words * m_wordBytes);
    if (!memory) return failureOf(memory);
    for (std::size_t i = 0; i < words; ++i) {
        std::byte* word = memory->bytes().data() + i * m_wordBytes;
        std::memcpy(word, source->data() + i * m_wordBytes, m_wordBytes);
        std::reverse(word, word + m_wordBytes);
    }
    if (auto whole = m_inner->intact(); !whole) return failureOf(whole);
    m_memory = std::move(*memory);
    m_swapped = true;
    return std::span<const std::byte>(m_memory.bytes());
}

}  // namespace isobit
