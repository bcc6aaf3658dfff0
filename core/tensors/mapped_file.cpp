// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/tensors/mapped_file.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <mutex>

namespace isobit {

// What the signal handler may know of a map. Records are never freed, so that the handler can walk them at any time.
struct MapRecord {
    std::atomic<std::uintptr_t> begin = 0;  // 0: the record is free
    std::atomic<std::uintptr_t> end = 0;
    std::atomic<bool> lost = false;
};

namespace {

constexpr std::size_t kRecordsInBlock = 256;
constexpr std::size_t kBlocks = 256;
using Block = std::array<MapRecord, kRecordsInBlock>;

std::array<std::atomic<Block*>, kBlocks> s_blocks;
std::mutex s_blocksMutex;
struct sigaction s_previousAction;

// Only system calls and atomics in here. The rest of the map, from the missing page to its end, becomes zero pages:
// one signal for a file that was cut, not one a page.
void onBusError(int signal, siginfo_t* info, void* context) {
    const int savedError = errno;
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    for (auto& slot : s_blocks) {
        Block* block = slot.load(std::memory_order_acquire);
        if (block == nullptr) break;
        for (MapRecord& record : *block) {
            const std::uintptr_t begin = record.begin.load(std::memory_order_acquire);
            const std::uintptr_t end = record.end.load(std::memory_order_acquire);
            if (begin == 0 || address < begin || address >= end) continue;
            record.lost.store(true, std::memory_order_release);
            const std::uintptr_t page = address & ~(static_cast<std::uintptr_t>(getpagesize()) - 1);
            void* zeros = mmap(reinterpret_cast<void*>(page), end - page, PROT_READ,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
            errno = savedError;
            if (zeros != MAP_FAILED) return;
        }
    }
    // Not ours: what would have happened without this handler.
    if ((s_previousAction.sa_flags & SA_SIGINFO) != 0) s_previousAction.sa_sigaction(signal, info, context);
    else if (s_previousAction.sa_handler == SIG_DFL || s_previousAction.sa_handler == SIG_IGN)
        std::signal(signal, SIG_DFL);
    else s_previousAction.sa_handler(signal);
}

void installHandlerOnce() {
    static std::once_flag installed;
    std::call_once(installed, [] {
        struct sigaction action {};
        action.sa_sigaction = onBusError;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK;
        sigemptyset(&action.sa_mask);
        sigaction(SIGBUS, &action, &s_previousAction);
    });
}

MapRecord* freeRecordIn(Block& block) {
    for (MapRecord& record : block)
        if (record.begin.load() == 0) return &record;
    return nullptr;
}

MapRecord* registerMap(std::uintptr_t begin, std::uintptr_t end) {
    const std::lock_guard lock(s_blocksMutex);
    for (auto& slot : s_blocks) {
        if (slot.load() == nullptr) slot.store(new Block(), std::memory_order_release);
        if (MapRecord* record = freeRecordIn(*slot.load())) {
            record->lost.store(false);
            record->end.store(end);
            record->begin.store(begin, std::memory_order_release);
            return record;
        }
    }
    return nullptr;
}

}  // namespace

Result<std::shared_ptr<const MappedFile>> MappedFile::map(OpenedPath opened) {
    if (opened.isFolder) return failure("{}: is a folder, expected a regular file", printable(opened.path));
    installHandlerOnce();
    std::shared_ptr<MappedFile> file(new MappedFile(std::move(opened)));
    struct stat status {};
    if (fstat(file->m_opened.handle.get(), &status) != 0)
        return failure("{}: cannot be examined: {}", printable(file->path()), std::strerror(errno));
    file->m_opened.size = static_cast<std::uint64_t>(status.st_size);
    file->m_changedSeconds = status.st_mtim.tv_sec;
    file->m_changedNanoseconds = status.st_mtim.tv_nsec;
    if (file->size() == 0) return file;
    void* begin = mmap(nullptr, file->size(), PROT_READ, MAP_PRIVATE, file->m_opened.handle.get(), 0);
    if (begin == MAP_FAILED)
        return failure("{}: its {} bytes cannot be mapped: {}", printable(file->path()), file->size(),
                       std::strerror(errno));
    file->m_begin = static_cast<std::byte*>(begin);
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    const auto pageSize = static_cast<std::uint64_t>(getpagesize());
    file->m_record = registerMap(address, address + (file->size() + pageSize - 1) / pageSize * pageSize);
    if (file->m_record == nullptr)
        return failure("{}: more than {} files are mapped already", printable(file->path()), kBlocks * kRecordsInBlock);
    return file;
}

MappedFile::~MappedFile() {
    if (m_record != nullptr) {
        const std::lock_guard lock(s_blocksMutex);
        m_record->begin.store(0, std::memory_order_release);
    }
    if (m_begin != nullptr) munmap(m_begin, m_opened.size);
}

Result<void> MappedFile::copy(std::uint64_t offset, std::span<std::byte> out) const {
    if (offset > size() || out.size() > size() - offset)
        return failure("{}: offset {}: {} bytes expected, the file ends at {}", printable(path()), offset, out.size(),
                       size());
    if (!out.empty()) std::memcpy(out.data(), m_begin + offset, out.size());
    return intact();
}

Result<std::string> MappedFile::copyText(std::uint64_t offset, std::uint64_t length, std::uint64_t limit) const {
    if (length > limit)
        return failure("{}: offset {}: {} bytes of header, expected at most {}", printable(path()), offset, length, limit);
    if (offset > size() || length > size() - offset)
        return failure("{}: offset {}: {} bytes expected, the file ends at {}", printable(path()), offset, length, size());
    std::string text(length, '\0');
    if (auto copied = copy(offset, std::as_writable_bytes(std::span(text))); !copied) return failureOf(copied);
    return text;
}

Result<std::span<const std::byte>> MappedFile::bytes() const {
    if (auto whole = intact(); !whole) return failureOf(whole);
    return std::span<const std::byte>(m_begin, m_opened.size);
}

Result<void> MappedFile::intact() const {
    if (m_record != nullptr && m_record->lost.load(std::memory_order_acquire))
        return failure("{}: shrank or could not be read while it was open, {} bytes expected", printable(path()), size());
    struct stat status {};
    if (fstat(m_opened.handle.get(), &status) != 0)
        return failure("{}: cannot be examined: {}", printable(path()), std::strerror(errno));
    if (static_cast<std::uint64_t>(status.st_size) != size())
        return failure("{}: has {} bytes now, {} when it was opened", printable(path()), status.st_size, size());
    if (status.st_mtim.tv_sec != m_changedSeconds || status.st_mtim.tv_nsec != m_changedNanoseconds)
        return failure("{}: was written to since it was opened", printable(path()));
    return {};
}

}  // namespace isobit
