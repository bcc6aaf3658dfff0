// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/sweep/journal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>

#include "core/base/atomic_file.h"
#include "core/base/sha256.h"
#include "core/sweep/json_fields.h"
#include "core/sweep/json_form.h"
#include "core/sweep/plan.h"

namespace isobit {
namespace {

constexpr std::string_view kJournalFormat = "isobit.partial/1";
constexpr std::size_t kDigits = 16;  // of each line's SHA-256: torn and rotten lines, not forgery

std::string lineOf(const std::string& payload) { return sha256Hex(payload).substr(0, kDigits) + " " + payload + "\n"; }

/// The payload of the line at `begin`, and where the next one begins; empty if the line is torn or damaged.
std::optional<std::string_view> payloadAt(std::string_view text, std::size_t& begin) {
    const std::size_t end = text.find('\n', begin);
    if (end == std::string_view::npos || end - begin < kDigits + 1) return std::nullopt;
    const std::string_view payload = text.substr(begin + kDigits + 1, end - begin - kDigits - 1);
    if (sha256Hex(payload).substr(0, kDigits) != text.substr(begin, kDigits)) return std::nullopt;
    begin = end + 1;
    return payload;
}

Result<std::string> planDigestIn(std::string_view header, const std::string& path) {
    const Result<Json> json = parseJsonStrictly(header, path);
    if (!json) return failureOf(json);
    return json_fields::reading<std::string>(path, [&] {
        if (json_fields::textField(*json, "format") != kJournalFormat)
            json_fields::refuse(fmt::format("no checkpoint of a sweep, expected {}", kJournalFormat));
        return json_fields::textField(*json, "plan_sha256");
    });
}

struct JournalEntry {
    std::size_t index = 0;
    CellResult cell;
};

Result<JournalEntry> entryIn(std::string_view payload, const Plan& plan, const std::string& path) {
    const Result<Json> json = parseJsonStrictly(payload, path);
    if (!json) return failureOf(json);
    return json_fields::reading<JournalEntry>(path, [&] {
        JournalEntry entry;
        entry.index = json_fields::unsignedField(*json, "index");
        Result<CellResult> cell = cellFromJson(plan, json_fields::field(*json, "cell"), path);
        if (!cell) json_fields::refuse(cell.error().message);
        entry.cell = std::move(*cell);
        if (entry.index >= static_cast<std::size_t>(cellCount(plan)) ||
            entry.cell.id != cellId(plan, coordinatesOf(plan, static_cast<std::int64_t>(entry.index))))
            json_fields::refuse(fmt::format("cell {} is not number {} of the plan", entry.cell.id, entry.index));
        return entry;
    });
}

}  // namespace

Journal::Journal(Journal&& other) noexcept
    : m_path(std::move(other.m_path)), m_descriptor(std::exchange(other.m_descriptor, -1)), m_end(other.m_end),
      m_holdsCells(other.m_holdsCells), m_cells(std::move(other.m_cells)) {}

Journal::~Journal() {
    if (m_descriptor < 0) return;
    if (!m_holdsCells) static_cast<void>(::unlink(m_path.c_str()));
    ::close(m_descriptor);
}

Result<Journal> Journal::open(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0644);
    if (descriptor < 0) return failure("{}: cannot be created: {}", path, std::strerror(errno));
    // The checkpoint is emptied and deleted in its time, which nothing but a plain file may be.
    struct stat status {};
    if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
        ::close(descriptor);
        return failure("{}: is not a regular file", path);
    }
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
        ::close(descriptor);
        return failure("{}: another sweep is writing it", path);
    }
    return Journal(path, descriptor);
}

Result<Journal> Journal::start(const std::string& path, const Plan& plan) {
    Result<Journal> journal = open(path);
    if (!journal) return journal;
    if (const Result<void> begun = journal->begin(plan); !begun) return failureOf(begun);
    return journal;
}

Result<Journal> Journal::resume(const std::string& path, const Plan& plan) {
    Result<Journal> journal = open(path);
    if (!journal) return journal;
    journal->m_holdsCells = true;  // whatever happens below, somebody's checkpoint is not deleted
    if (const Result<void> read = journal->readCells(plan); !read) return failureOf(read);
    return journal;
}

Result<void> Journal::begin(const Plan& plan) {
    if (::ftruncate(m_descriptor, 0) != 0) return failure("{}: cannot be emptied: {}", m_path, std::strerror(errno));
    m_end = 0;
    m_holdsCells = false;
    return appendLine(Json{{"format", kJournalFormat}, {"plan_sha256", digestOf(plan)}}.dump());
}

Result<void> Journal::readCells(const Plan& plan) {
    const Result<std::string> text = readTextFile(m_path, std::size_t(1) << 30);
    if (!text) return failureOf(text);
    std::size_t place = 0;
    const auto header = payloadAt(*text, place);
    if (!header) {
        if (text->find('\n') == std::string::npos) return begin(plan);  // new, or killed before its first line
        return failure("{}: no checkpoint of a sweep: line 1 does not fit its digest", m_path);
    }
    const Result<std::string> planDigest = planDigestIn(*header, m_path);
    if (!planDigest) return failureOf(planDigest);
    if (*planDigest != digestOf(plan))
        return failure("{}: the checkpoint of another plan; remove it or start without --resume", m_path);
    m_end = place;
    while (const auto payload = payloadAt(*text, place)) {
        Result<JournalEntry> entry = entryIn(*payload, plan, m_path);
        if (!entry) return failureOf(entry);
        m_cells.emplace_back(entry->index, std::move(entry->cell));
        m_end = place;
    }
    m_holdsCells = !m_cells.empty();
    return {};
}

Result<void> Journal::append(const Plan& plan, std::size_t index, const CellResult& cell) {
    Result<void> appended = appendLine(Json{{"index", index}, {"cell", toJson(plan, cell)}}.dump());
    if (appended) m_holdsCells = true;
    return appended;
}

Result<void> Journal::appendLine(const std::string& payload) {
    const std::string line = lineOf(payload);
    int problem = 0;
    for (std::size_t written = 0; problem == 0 && written < line.size();) {
        const ssize_t count = ::pwrite(m_descriptor, line.data() + written, line.size() - written,
                                       static_cast<off_t>(m_end + written));
        if (count >= 0)
            written += static_cast<std::size_t>(count);
        else if (errno != EINTR)
            problem = errno;
    }
    // Also cuts what a torn line of an earlier process left beyond this one.
    if (problem == 0 && ::ftruncate(m_descriptor, static_cast<off_t>(m_end + line.size())) != 0) problem = errno;
    if (problem == 0 && ::fdatasync(m_descriptor) != 0) problem = errno;
    if (problem != 0) {
        static_cast<void>(::ftruncate(m_descriptor, static_cast<off_t>(m_end)));
        return failure("{}: cannot be written: {}", m_path, std::strerror(problem));
    }
    m_end += line.size();
    return {};
}

void Journal::remove() {
    ::unlink(m_path.c_str());
    m_holdsCells = true;  // the destructor has nothing left to delete
}

}  // namespace isobit
