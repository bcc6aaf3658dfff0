// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/tensors/confinement.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "core/base/file_kind.h"

namespace isobit {
namespace {

constexpr std::string_view kRootVariable = "ISOBIT_INPUT_ROOT";
constexpr int kOpenFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;  // a FIFO is never waited for

std::string trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {};
    return std::string(text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1));
}

std::string rootFromEnvironment() {
    const char* value = std::getenv(kRootVariable.data());
    return value == nullptr ? std::string() : trimmed(value);
}

std::string userExpanded(const std::string& path) {
    const char* home = std::getenv("HOME");
    if (home == nullptr || (path != "~" && !path.starts_with("~/"))) return path;
    return home + path.substr(1);
}

// A folder of dumps holds more files than the customary soft limit of 1,024 handles.
bool raiseHandleLimit() {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= limit.rlim_max) return false;
    limit.rlim_cur = limit.rlim_max;
    return setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

int openAt(int folder, const char* name, int flags) {
    int descriptor = openat(folder, name, flags);
    if (descriptor < 0 && errno == EMFILE && raiseHandleLimit()) descriptor = openat(folder, name, flags);
    return descriptor;
}

Result<void> checkKind(const struct stat& status, const std::string& path) {
    if (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)) return {};
    return failure("{}: is {}, expected a regular file or a folder", printable(path), kindOf(status.st_mode));
}

// The kind is looked at before anything is opened, since opening a device can act on it, and again on the handle.
Result<OpenedPath> openChecked(int folder, const char* name, const std::string& path, int extraFlags) {
    struct stat status {};
    if (fstatat(folder, name, &status, (extraFlags & O_NOFOLLOW) != 0 ? AT_SYMLINK_NOFOLLOW : 0) != 0)
        return failure("{}: cannot be opened: {}", printable(path), std::strerror(errno));
    if (auto kind = checkKind(status, path); !kind) return failureOf(kind);
    OpenedPath opened{FileHandle(openAt(folder, name, kOpenFlags | extraFlags)), path, {}, {}, 0, false};
    if (opened.handle.get() < 0) return failure("{}: cannot be opened: {}", printable(path), std::strerror(errno));
    if (fstat(opened.handle.get(), &status) != 0)
        return failure("{}: cannot be examined: {}", printable(path), std::strerror(errno));
    if (auto kind = checkKind(status, path); !kind) return failureOf(kind);
    opened.isFolder = S_ISDIR(status.st_mode);
    opened.size = opened.isFolder ? 0 : static_cast<std::uint64_t>(status.st_size);
    return opened;
}

// The rules for anything below an input root, on the handle itself.
Result<void> checkOwnership(const OpenedPath& opened, std::string_view what) {
    struct stat status {};
    if (fstat(opened.handle.get(), &status) != 0)
        return failure("{}: cannot be examined: {}", printable(opened.path), std::strerror(errno));
    if (status.st_uid != geteuid())
        return failure("{}: {} belongs to user {}, expected user {} under an input root", printable(opened.path), what,
                       status.st_uid, geteuid());
    if ((status.st_mode & 022) != 0)
        return failure("{}: {} has mode {:o}, expected no write permission for group and others under an input root",
                       printable(opened.path), what, status.st_mode & 07777);
    if (!opened.isFolder && status.st_nlink != 1)
        return failure("{}: {} has {} names (hard links), expected 1 under an input root", printable(opened.path), what,
                       status.st_nlink);
    if (opened.size > kInputRootSizeLimit)
        return failure("{}: has {} bytes, expected at most {} under an input root", printable(opened.path), opened.size,
                       kInputRootSizeLimit);
    return {};
}

Result<std::vector<std::string>> componentsOf(std::string_view name, const std::string& where) {
    if (name.find('\0') != std::string_view::npos)
        return failure("{}: the path \"{}\" has a NUL, expected a plain relative path", printable(where),
                       printable(name));
    if (name.empty() || name.front() == '/' || name.size() >= PATH_MAX)
        return failure("{}: the path \"{}\" is not relative, expected one below this folder", printable(where),
                       printable(name));
    std::vector<std::string> components;
    for (std::size_t begin = 0; begin <= name.size();) {
        const std::size_t end = std::min(name.find('/', begin), name.size());
        const std::string_view component = name.substr(begin, end - begin);
        if (component == "..")
            return failure("{}: the path \"{}\" has \"..\", expected one below this folder", printable(where),
                           printable(name));
        if (!component.empty() && component != ".") components.emplace_back(component);
        begin = end + 1;
    }
    return components;
}

bool isAtOrBelow(std::string_view path, std::string_view folder) {
    if (!path.starts_with(folder)) return false;
    return path.size() == folder.size() || folder.ends_with('/') || path[folder.size()] == '/';
}

bool isLink(int folder, const char* name) {
    struct stat status {};
    return fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(status.st_mode);
}

// Where the link led is asked of the open handle, so that nobody can exchange the link between the check and the use.
Result<void> checkTarget(const OpenedPath& opened, const std::string& linkRoot) {
    char target[PATH_MAX];
    const ssize_t bytes = readlink(fmt::format("/proc/self/fd/{}", opened.handle.get()).c_str(), target, sizeof target);
    if (bytes <= 0 || static_cast<std::size_t>(bytes) == sizeof target)
        return failure("{}: where this link leads cannot be told", printable(opened.path));
    const std::string_view reached(target, static_cast<std::size_t>(bytes));
    if (isAtOrBelow(reached, linkRoot)) return {};
    return failure("{}: is a symbolic link to {}, expected one that leads below {}", printable(opened.path),
                   printable(reached), printable(linkRoot));
}

// One component of a path that was found in a file or folder.
Result<OpenedPath> openComponent(int folder, const char* name, const std::string& path, int extraFlags,
                                 const std::string& linkRoot) {
    if (!isLink(folder, name)) return openChecked(folder, name, path, extraFlags | O_NOFOLLOW);
    if (linkRoot.empty())
        return failure("{}: is a symbolic link, which is followed only into a folder that was allowed for it (--follow-links "
                       "DIR, and not under an input root)",
                       printable(path));
    auto opened = openChecked(folder, name, path, extraFlags);
    if (!opened) return opened;
    if (auto target = checkTarget(*opened, linkRoot); !target) return failureOf(target);
    return opened;
}

// Opens component after component relative to the folder before it, through links only into base.linkRoot.
Result<OpenedPath> walkBelow(const OpenedPath& base, const std::vector<std::string>& components) {
    FileHandle held;
    int folder = base.handle.get();
    std::string path = base.path;
    if (components.empty()) return openChecked(folder, ".", path, O_DIRECTORY);
    for (std::size_t i = 0; i < components.size(); ++i) {
        path += (path.ends_with('/') ? "" : "/") + components[i];
        const bool last = i + 1 == components.size();
        auto opened = openComponent(folder, components[i].c_str(), path, last ? 0 : O_DIRECTORY, base.linkRoot);
        if (!opened || last) return opened;
        held = std::move(opened->handle);
        folder = held.get();
    }
    return failure("{}: is empty", printable(path));
}

Result<OpenedPath> openRoot(const std::string& inputRoot) {
    char resolved[PATH_MAX];
    if (realpath(userExpanded(inputRoot).c_str(), resolved) == nullptr)
        return failure("{}: the input root cannot be resolved: {}", printable(inputRoot), std::strerror(errno));
    auto root = openChecked(AT_FDCWD, resolved, resolved, O_DIRECTORY);
    if (!root) return root;
    if (auto owned = checkOwnership(*root, "the input root"); !owned) return failureOf(owned);
    return root;
}

Result<OpenedPath> openBelowRoot(const std::string& path, const std::string& inputRoot) {
    auto root = openRoot(inputRoot);
    if (!root) return root;
    std::string candidate = userExpanded(path);
    if (candidate.starts_with('/')) {
        if (!isAtOrBelow(candidate, root->path))
            return failure("{}: is not below the input root {}", printable(path), printable(root->path));
        candidate = "./" + candidate.substr(root->path.size());
    }
    const auto components = componentsOf(candidate, root->path);
    if (!components) return failureOf(components);
    auto opened = walkBelow(*root, *components);
    if (!opened) return opened;
    if (auto owned = checkOwnership(*opened, opened->isFolder ? "the folder" : "the file"); !owned)
        return failureOf(owned);
    opened->inputRoot = root->path;
    return opened;
}

std::string folderPathOf(const std::string& path) {
    const auto slash = path.find_last_of('/');
    if (slash == std::string::npos) return ".";
    return slash == 0 ? "/" : path.substr(0, slash);
}

// One character of UTF-8 at the front of `text`, which is not empty: its bytes, or 0 where they are none.
std::size_t characterAt(std::string_view text, char32_t& code) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const std::size_t bytes = byte(0) < 0x80 ? 1 : byte(0) < 0xC2 ? 0 : byte(0) < 0xE0 ? 2 : byte(0) < 0xF0 ? 3 : byte(0) < 0xF5 ? 4 : 0;
    if (bytes == 0 || bytes > text.size()) return 0;
    code = bytes == 1 ? byte(0) : byte(0) & (0x7Fu >> bytes);
    for (std::size_t i = 1; i < bytes; ++i) {
        if ((byte(i) & 0xC0) != 0x80) return 0;
        code = code << 6 | (byte(i) & 0x3Fu);
    }
    constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
    return code >= kLeast[bytes] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF) ? bytes : 0;
}

// What moves a cursor, starts a command of the terminal or turns the direction of the text.
bool isControl(char32_t code) {
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || (code >= 0x200E && code <= 0x200F) ||
           (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

// Bytes of control characters, of what is no UTF-8, and those in `more` as \xNN; what is over the limit as "...".
std::string escaped(std::string_view text, std::string_view more, std::size_t limit) {
    std::string result;
    std::size_t at = 0;
    while (at < std::min(text.size(), limit)) {
        char32_t code = 0;
        const std::size_t bytes = characterAt(text.substr(at), code);
        const std::string_view character = text.substr(at, std::max<std::size_t>(bytes, 1));
        if (bytes == 0 || isControl(code) || more.find(character) != std::string_view::npos)
            for (const char c : character) result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        else result += character;
        at += character.size();
    }
    return at < text.size() ? result + "..." : result;
}

}  // namespace

FileHandle& FileHandle::operator=(FileHandle&& other) noexcept {
    std::swap(m_descriptor, other.m_descriptor);
    return *this;
}

FileHandle::~FileHandle() {
    if (m_descriptor >= 0) close(m_descriptor);
}

Result<OpenedPath> openTypedPath(const std::string& path, const std::string& inputRoot, const std::string& linkRoot) {
    if (path.empty()) return failure("the path is empty, expected a file or a folder");
    if (path.find('\0') != std::string::npos)
        return failure("{}: the path has a NUL, expected a file or a folder", printable(path));
    const std::string root = inputRoot.empty() ? rootFromEnvironment() : inputRoot;
    if (!root.empty() && !linkRoot.empty())
        return failure("{}: links into {} were allowed, but under an input root ({}) none is followed", printable(path),
                       printable(linkRoot), printable(root));
    if (!root.empty()) return openBelowRoot(path, root);
    auto opened = openChecked(AT_FDCWD, path.c_str(), path, 0);
    if (!opened || linkRoot.empty()) return opened;
    char resolved[PATH_MAX];
    if (realpath(userExpanded(linkRoot).c_str(), resolved) == nullptr)
        return failure("{}: the folder that links may lead into cannot be resolved: {}", printable(linkRoot),
                       std::strerror(errno));
    opened->linkRoot = resolved;
    return opened;
}

Result<OpenedPath> openFolderOf(const OpenedPath& file) {
    const std::string folder = folderPathOf(file.path);
    auto opened = file.inputRoot.empty() ? openChecked(AT_FDCWD, folder.c_str(), folder, O_DIRECTORY)
                                         : openBelowRoot(folder, file.inputRoot);
    if (opened) opened->linkRoot = file.linkRoot;
    return opened;
}

Result<OpenedPath> openBelow(const OpenedPath& folder, std::string_view name) {
    const auto components = componentsOf(name, folder.path);
    if (!components) return failureOf(components);
    auto opened = walkBelow(folder, *components);
    if (opened) opened->linkRoot = folder.linkRoot;
    if (!opened || folder.inputRoot.empty()) return opened;
    if (auto owned = checkOwnership(*opened, opened->isFolder ? "the folder" : "the file"); !owned)
        return failureOf(owned);
    opened->inputRoot = folder.inputRoot;
    return opened;
}

Result<void> checkIdentifier(std::string_view text, std::string_view what) {
    const auto isAlphanumeric = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    };
    const bool good = !text.empty() && text.size() <= 128 && isAlphanumeric(text.front()) &&
                      std::all_of(text.begin(), text.end(), [&](char c) {
                          return isAlphanumeric(c) || c == '_' || c == '.' || c == '-';
                      });
    if (good) return {};
    return failure("{} \"{}\" is not an identifier: expected 1 to 128 letters, digits, \"_\", \".\" or \"-\", the first "
                   "a letter or digit",
                   what, printable(text));
}

std::string printable(std::string_view text) { return escaped(text, "\"\\", 200); }

std::string printableSentence(std::string_view text) { return escaped(text, {}, 1000); }

}  // namespace isobit
