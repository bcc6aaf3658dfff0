// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

#include "core/base/file_kind.h"

namespace isobit {
namespace {

// Owns one descriptor.
class Descriptor {
public:
    explicit Descriptor(int number) : m_number(number) {}
    ~Descriptor() {
        if (m_number >= 0) ::close(m_number);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    [[nodiscard]] int number() const { return m_number; }

private:
    int m_number;
};

Result<void> syncPath(const std::string& path, int flags) {
    const Descriptor file(::open(path.c_str(), flags | O_CLOEXEC));
    if (file.number() < 0 || ::fsync(file.number()) != 0)
        return failure("{}: cannot be written to disk: {}", path, std::strerror(errno));
    return {};
}

Result<void> writeAll(const std::string& path, std::string_view text) {
    const Descriptor file(::open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC));
    if (file.number() < 0) return failure("{}: cannot be opened: {}", path, std::strerror(errno));
    for (std::size_t written = 0; written < text.size();) {
        const ssize_t count = ::write(file.number(), text.data() + written, text.size() - written);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return failure("{}: cannot be written: {}", path, std::strerror(errno));
        written += static_cast<std::size_t>(count);
    }
    return {};
}

}  // namespace

Result<void> writeAtomically(const std::string& path, const std::function<Result<void>(const std::string&)>& write) {
    const std::filesystem::path target(path);
    const std::string folder = target.has_parent_path() ? target.parent_path().string() : ".";
    // A device or a pipe is never replaced: that would take it away from everybody.
    struct stat status {};
    if (::lstat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISLNK(status.st_mode))
        return failure("{}: is {}, expected a regular file", path, kindOf(status.st_mode));
    const std::string pattern = folder + "/." + target.filename().string() + ".XXXXXX";
    std::vector<char> temporary(pattern.begin(), pattern.end());
    temporary.push_back('\0');
    const int descriptor = ::mkstemp(temporary.data());
    if (descriptor < 0) return failure("{}: cannot be created: {}", path, std::strerror(errno));
    ::fchmod(descriptor, 0644);
    ::close(descriptor);

    const std::string temporaryPath(temporary.data());
    Result<void> result = write(temporaryPath);
    if (result) result = syncPath(temporaryPath, O_RDONLY);
    if (result && ::rename(temporaryPath.c_str(), path.c_str()) != 0)
        result = failure("{}: cannot be replaced: {}", path, std::strerror(errno));
    if (!result) {
        ::unlink(temporaryPath.c_str());
        return result;
    }
    return syncPath(folder, O_RDONLY | O_DIRECTORY);
}

Result<void> writeTextAtomically(const std::string& path, std::string_view text) {
    return writeAtomically(path, [&](const std::string& temporaryPath) { return writeAll(temporaryPath, text); });
}

Result<std::string> readTextFile(const std::string& path, std::size_t limitBytes) {
    if (path.empty()) return failure("the name of a file is empty");
    // A pipe without a writer would hold the caller until somebody writes.
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat status {};
    if (file.number() < 0 || ::fstat(file.number(), &status) != 0)
        return failure("{}: cannot be opened: {}", path, std::strerror(errno));
    if (!S_ISREG(status.st_mode)) return failure("{}: is {}, expected a regular file", path, kindOf(status.st_mode));
    if (static_cast<std::size_t>(status.st_size) > limitBytes)
        return failure("{}: {} bytes, expected at most {}", path, status.st_size, limitBytes);
    std::string text(static_cast<std::size_t>(status.st_size), '\0');
    std::size_t filled = 0;
    while (filled < text.size()) {
        const ssize_t count = ::read(file.number(), text.data() + filled, text.size() - filled);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return failure("{}: cannot be read: {}", path, std::strerror(errno));
        if (count == 0) break;
        filled += static_cast<std::size_t>(count);
    }
    text.resize(filled);
    return text;
}

}  // namespace isobit
