// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "evidence/process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "evidence/descriptor.h"

extern char** environ;

namespace isobit::evidence {
namespace {

using Clock = std::chrono::steady_clock;

// The caller's environment without what could change an answer.
std::vector<std::string> childEnvironment() {
    std::vector<std::string> environment;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view text(*entry);
        const bool replaced = text.starts_with("LC_") || text.starts_with("LANG") || text.starts_with("TZ=") ||
                              text.starts_with("GIT_") || text.starts_with("HDF5_");
        if (!replaced) environment.emplace_back(text);
    }
    for (const char* fixed : {"LC_ALL=C", "TZ=UTC0", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0"})
        environment.emplace_back(fixed);
    return environment;
}

std::vector<char*> pointersOf(const std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
    pointers.push_back(nullptr);
    return pointers;
}

// The input as a file in memory: the child reads it at its own pace and no pipe can break.
Result<Descriptor> inputFile(std::string_view input) {
    Descriptor file(::memfd_create("input", MFD_CLOEXEC));
    if (file.number() < 0) return failure("no memory file for a child's input: {}", std::strerror(errno));
    for (std::size_t written = 0; written < input.size();) {
        const ssize_t count = ::write(file.number(), input.data() + written, input.size() - written);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return failure("a child's input cannot be written: {}", std::strerror(errno));
        written += static_cast<std::size_t>(count);
    }
    ::lseek(file.number(), 0, SEEK_SET);
    return file;
}

struct Pipe {
    Descriptor read{-1};
    Descriptor write{-1};

    Result<void> open() {
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC) != 0) return failure("no pipe for a child: {}", std::strerror(errno));
        read = Descriptor(ends[0]);
        write = Descriptor(ends[1]);
        return {};
    }
};

Result<pid_t> spawn(const ProcessRequest& request, int input, int out, int err) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    if (!request.directory.empty()) posix_spawn_file_actions_addchdir_np(&actions, request.directory.c_str());
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    if (!request.interactive) posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
    // A group of its own, so that a timeout also ends what the child started; a program that asks for a passphrase must
    // stay in the terminal's foreground group.
    short flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
    if (!request.interactive) flags |= POSIX_SPAWN_SETPGROUP;
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes, &signals);
    sigaddset(&signals, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes, &signals);
    posix_spawnattr_setflags(&attributes, flags);

    const std::vector<std::string> environment = childEnvironment();
    pid_t child = -1;
    const int problem = ::posix_spawnp(&child, request.arguments.front().c_str(), &actions, &attributes,
                                       pointersOf(request.arguments).data(), pointersOf(environment).data());
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (problem != 0) return failure("{}: cannot be started: {}", request.arguments.front(), std::strerror(problem));
    return child;
}

// Reads what is there; false at the end of the stream.
bool drain(int descriptor, std::string& into) {
    char buffer[65536];
    const ssize_t count = ::read(descriptor, buffer, sizeof buffer);
    if (count > 0) into.append(buffer, static_cast<std::size_t>(count));
    return count > 0 || (count < 0 && (errno == EINTR || errno == EAGAIN));
}

// Collects both streams until they end; an Error at the limits.
Result<void> collect(const ProcessRequest& request, int out, int err, ProcessResult& result) {
    const Clock::time_point deadline = Clock::now() + request.timeout;
    pollfd streams[2] = {{out, POLLIN, 0}, {err, POLLIN, 0}};
    std::string* const texts[2] = {&result.out, &result.err};
    while (streams[0].fd >= 0 || streams[1].fd >= 0) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
        if (left <= 0)
            return failure("{}: took longer than {} s and was ended", request.arguments.front(),
                           std::chrono::duration_cast<std::chrono::seconds>(request.timeout).count());
        if (::poll(streams, 2, static_cast<int>(std::min<long long>(left, 1000000))) < 0 && errno != EINTR)
            return failure("{}: its output cannot be read: {}", request.arguments.front(), std::strerror(errno));
        for (int i = 0; i < 2; ++i)
            if (streams[i].fd >= 0 && streams[i].revents != 0 && !drain(streams[i].fd, *texts[i])) streams[i].fd = -1;
        if (result.out.size() + result.err.size() > request.outputLimitBytes)
            return failure("{}: wrote more than {} bytes and was ended", request.arguments.front(),
                           request.outputLimitBytes);
    }
    return {};
}

int waitFor(pid_t child) {
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

Result<ProcessResult> runProcess(const ProcessRequest& request) {
    const Result<Descriptor> input = inputFile(request.input);
    if (!input) return failureOf(input);
    Pipe out;
    Pipe err;
    if (const auto opened = out.open(); !opened) return failureOf(opened);
    if (const auto opened = err.open(); !opened) return failureOf(opened);
    const Result<pid_t> child = spawn(request, input->number(), out.write.number(), err.write.number());
    if (!child) return failureOf(child);
    out.write = Descriptor(-1);
    err.write = Descriptor(-1);

    ProcessResult result;
    const Result<void> collected = collect(request, out.read.number(), err.read.number(), result);
    if (!collected) ::kill(request.interactive ? *child : -*child, SIGKILL);
    result.exitCode = waitFor(*child);
    if (!collected) return failureOf(collected);
    return result;
}

std::string shellWord(std::string_view argument) {
    const bool plain = !argument.empty() && std::all_of(argument.begin(), argument.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("-_./:=@,+%").find(c) != std::string_view::npos;
    });
    if (plain) return std::string(argument);
    std::string word = "'";
    for (const char c : argument) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return word + "'";
}

std::string shellLine(const std::vector<std::string>& arguments) {
    std::string line;
    for (const std::string& argument : arguments) {
        if (!line.empty()) line += ' ';
        line += shellWord(argument);
    }
    return line;
}

}  // namespace isobit::evidence
