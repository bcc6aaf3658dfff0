// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/tensors/anonymous_memory.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace isobit {

Result<AnonymousMemory> AnonymousMemory::reserve(std::uint64_t bytes) {
    AnonymousMemory memory;
    if (bytes == 0) return memory;
    void* begin = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (begin == MAP_FAILED) return failure("{} bytes of memory cannot be reserved: {}", bytes, std::strerror(errno));
    memory.m_begin = static_cast<std::byte*>(begin);
    memory.m_size = bytes;
    return memory;
}

AnonymousMemory::AnonymousMemory(AnonymousMemory&& other) noexcept
    : m_begin(std::exchange(other.m_begin, nullptr)), m_size(std::exchange(other.m_size, 0)) {}

AnonymousMemory& AnonymousMemory::operator=(AnonymousMemory&& other) noexcept {
    std::swap(m_begin, other.m_begin);
    std::swap(m_size, other.m_size);
    return *this;
}

AnonymousMemory::~AnonymousMemory() {
    if (m_begin != nullptr) munmap(m_begin, m_size);
}

}  // namespace isobit
